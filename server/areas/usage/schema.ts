/** Shape of the use of a project. */
import { Type, type Static } from 'typebox'

export const usageNames = [
  'sites',
  'collections',
  'data_bytes',
  'files_bytes',
  'team_members',
  'webhook_endpoints',
  'numbers',
] as const
export type UsageName = (typeof usageNames)[number]

export const Usage = Type.Object({
  plan: Type.String({ description: 'Title of the plan.', examples: ['Reachable'] }),
  limits: Type.Array(
    Type.Object({
      name: Type.Enum(usageNames, { description: 'What is limited.' }),
      used: Type.Integer({ minimum: 0, description: 'How much of it is used.', examples: [2] }),
      max: Type.Integer({ minimum: 0, description: 'How much may be used.', examples: [3] }),
    }),
    { description: 'Each limit with its use.' },
  ),
})
export type Usage = Static<typeof Usage>
