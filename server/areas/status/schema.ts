/** Schemas of the public status (specification: Status). */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { withDescription, Timestamp } from '../../contract/schema/shapes.ts'

export const componentIds = ['sites', 'api', 'portal', 'phone', 'ai', 'mail', 'payments'] as const
export type ComponentId = (typeof componentIds)[number]

/** Displayed names of the components. */
export const componentNames: Readonly<Record<ComponentId, string>> = {
  sites: 'Sites and apps',
  api: 'API',
  portal: 'Portal',
  phone: 'Phone',
  ai: 'Assistant',
  mail: 'Email',
  payments: 'Payments',
}

const HealthShape = Type.Enum(['operational', 'degraded', 'down', 'not_in_use'], {
  description:
    'Status of the component. not_in_use: not configured by the operator of this ' +
    'installation.',
})
export type Health = Static<typeof HealthShape>

export const Status = nameSchema(
  'Status',
  Type.Object({
    status: Type.Enum(['operational', 'degraded', 'down'], {
      description: 'down if the API is down, degraded if another component is not operational.',
    }),
    source: Type.Enum(['status_page', 'own_check'], {
      description:
        'status_page when read from the public status page; otherwise a minimal own check.',
    }),
    components: Type.Array(
      Type.Object({
        id: Type.Enum([...componentIds], { description: 'Id of the component.' }),
        name: Type.String({ description: 'Display name.', examples: ['Sites and apps'] }),
        status: HealthShape,
      }),
      { description: 'The parts of the service.' },
    ),
    incidents: Type.Array(
      Type.Object({
        title: Type.String({
          description: 'Title of the problem, one line.',
          examples: ['Calls connect slowly'],
        }),
        status: Type.String({
          description: 'Progress: investigating, identified and so on.',
          examples: ['investigating'],
        }),
        started_at: withDescription(Timestamp, 'When the problem began.'),
      }),
      { description: 'Reported unresolved problems.' },
    ),
    status_page: Type.String({
      format: 'uri',
      description: 'URL of the public status page.',
      examples: ['https://status.example'],
    }),
    checked_at: withDescription(Timestamp, 'When the status was checked.'),
    user_message: Type.String({
      description: 'A sentence for the end user.',
      examples: ['Everything works as far as the service can tell.'],
    }),
    next_step: Type.String({
      description: 'What a chat or an agent should do next.',
      examples: ['If a request fails all the same, look at the type of its problem.'],
    }),
  }),
)
export type Status = Static<typeof Status>
