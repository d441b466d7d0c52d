/** The schemas of going live and of a project's verification. */
import { Type, type Static } from 'typebox'
import { taskCodes } from './tasks.ts'

const RailShape = Type.Enum(['phone', 'outbound', 'sms', 'email', 'payments', 'domains'], {
  description: 'A part of the service that goes live separately.',
})
const ModeShape = Type.Enum(['live', 'test'], {
  description: 'live: real calls, messages or payments. test: simulated.',
})

export const RailRow = Type.Object({
  rail: RailShape,
  about: Type.String({
    description: 'Feature that goes live with this rail.',
    examples: ['Phone numbers that people can call'],
  }),
  mode: { ...ModeShape, examples: ['test'] },
  can_go_live: Type.Boolean({
    description: 'Whether all requirements are met.',
    examples: [false],
  }),
  missing: Type.Array(
    Type.Object({
      code: Type.Enum(taskCodes, {
        description: 'Code of the missing requirement.',
        examples: ['spending_cap'],
      }),
      task: Type.String({
        description: 'The requirement as a sentence for people.',
        examples: ['Set a monthly spending cap, which is never passed.'],
      }),
      done_by: Type.Enum(['team', 'operator'], {
        description:
          'team: the owners and admins of the project do it. operator: the operator of this ' +
          'server does it when asked.',
        examples: ['team'],
      }),
    }),
    { description: 'Missing requirements, in the recommended order.' },
  ),
})
export type RailRow = Static<typeof RailRow>

export const RailList = Type.Object({
  data: Type.Array(RailRow, {
    description: 'One entry per rail, with its missing requirements.',
  }),
  operator_email: Type.Union([Type.String(), Type.Null()], {
    description: 'Address of the operator of this server; null if none is configured.',
    examples: ['operator@example.com'],
  }),
})
export type RailList = Static<typeof RailList>

export const RailParams = Type.Object({ rail: RailShape })
export const RailSwitch = Type.Object({ mode: ModeShape }, { additionalProperties: false })

export const SpendingCap = Type.Object(
  {
    spend_cap_eur: Type.Union([Type.Number({ minimum: 0.01, maximum: 1_000_000 }), Type.Null()], {
      description:
        'Monthly spending cap in euro; null removes it. Zero is refused: to stop all ' +
        'spending, switch the rails back to test mode.',
      examples: [100],
    }),
  },
  { additionalProperties: false },
)
export type SpendingCap = Static<typeof SpendingCap>
