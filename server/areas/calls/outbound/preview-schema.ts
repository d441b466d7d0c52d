/** The shapes of the preview of an outbound call, for people. */
import { Type, type Static } from 'typebox'
import { orNull } from '../../../contract/schema/shapes.ts'
import { OutboundCallInput } from '../schema.ts'

const { to, purpose, opening, from_number_id, max_duration_sec } = OutboundCallInput.properties

export const CallPreviewInput = Type.Object(
  { to: Type.Optional(to), purpose, opening, from_number_id, max_duration_sec },
  { additionalProperties: false },
)
export type CallPreviewInput = Static<typeof CallPreviewInput>

const euro = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] })

export const CallPreview = Type.Object({
  test: Type.Boolean({ description: 'Whether the call would be simulated.', examples: [true] }),
  first_words: orNull(
    Type.String({
      examples: ['Hello, this is Mill Bakery. You are speaking with an AI assistant.'],
    }),
    'What the assistant would say first; null if it was never set up.',
  ),
  follows_task: Type.Boolean({
    description:
      'Whether the assistant does what `instructions` say. The built-in model only says the opening and answers questions.',
    examples: [true],
  }),
  price_per_minute_eur: euro('Price of a minute, in euro; 0 for a simulated call.', 0.06),
  cost_max_eur: euro('The most that the call can cost, a transfer included.', 0.6),
  problem: orNull(
    Type.Object({
      slug: Type.String({ description: 'The error.', examples: ['outside_calling_hours'] }),
      detail: Type.String({
        description: 'One sentence.',
        examples: ['It is 22:10 in the Netherlands.'],
      }),
    }),
    'Why the call would be refused now; null if it would be made, or if it has no recipient yet.',
  ),
})
export type CallPreview = Static<typeof CallPreview>
