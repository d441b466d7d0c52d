/** What everybody sees of the service's health (specification: Status). */
import { Type, type Static } from 'typebox'
import { Timestamp } from '../../contract/shapes.ts'

export const componentIds = ['sites', 'api', 'portal', 'phone', 'ai', 'mail', 'payments'] as const

const Health = Type.Enum(['operational', 'degraded', 'down', 'not_in_use'], {
  description: 'not_in_use: this installation does not offer it.',
})

export const Status = Type.Object({
  status: Type.Enum(['operational', 'degraded', 'down']),
  source: Type.Enum(['status_page', 'own_check'], {
    description:
      'status_page when read from the public status page; otherwise a minimal own check.',
  }),
  components: Type.Array(
    Type.Object({ id: Type.Enum([...componentIds]), name: Type.String(), status: Health }),
  ),
  incidents: Type.Array(
    Type.Object({
      title: Type.String(),
      status: Type.String(),
      started_at: Timestamp,
    }),
    { description: 'Reported problems that are not solved.' },
  ),
  status_page: Type.String({ format: 'uri' }),
  checked_at: Timestamp,
  user_message: Type.String({ description: 'A sentence for the end user.' }),
  next_step: Type.String({ description: 'What a chat or an agent should do next.' }),
})
export type Status = Static<typeof Status>
