/** Shape of the use of a project. */
import { Type, type Static } from 'typebox'
import { RequestDay, withDescription } from '../../contract/schema/shapes.ts'

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

export const usageAreas = ['chat', 'agent', 'portal', 'voice', 'summary'] as const
export const DAYS_MAX = 92

const Day = Type.String({ format: 'date', description: 'A date.', examples: ['2026-11-21'] })

export const ModelUsageQuery = Type.Object(
  {
    from: Type.Optional(withDescription(RequestDay, 'First day; default: 30 days up to `to`.')),
    to: Type.Optional(withDescription(RequestDay, 'Last day; default: today.')),
  },
  { additionalProperties: false },
)
export type ModelUsageQuery = Static<typeof ModelUsageQuery>

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

export const ModelUsage = Type.Object({
  from: Day,
  to: Day,
  areas: Type.Array(Type.Enum(usageAreas), { description: 'All areas that use models.' }),
  cost_eur: Type.Number({ description: 'Cost of all of them together.', examples: [0.42] }),
  data: Type.Array(
    Type.Object({
      day: Day,
      area: Type.Enum(usageAreas, { description: 'For what it was used.' }),
      model: Type.String({ description: 'The model.', examples: ['openai:gpt-5-mini'] }),
      requests: count('Requests.', 12),
      estimated_requests: count('Requests whose tokens the provider did not report.', 0),
      input_tokens: count('Tokens read.', 9_800),
      cached_tokens: count('Part of them that was cached.', 0),
      output_tokens: count('Tokens written.', 640),
      cost_eur: Type.Number({ description: 'What they cost.', examples: [0.0078] }),
      test: Type.Boolean({ description: 'Whether it was in test mode.', examples: [false] }),
    }),
    { description: 'One entry per day, area, model and mode, the latest day first.' },
  ),
})
export type ModelUsage = Static<typeof ModelUsage>
