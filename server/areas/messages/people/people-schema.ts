/** The shapes of messages for people: the preview of a text, and the figures of the page. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { orNull, Timestamp, E164, withDescription } from '../../../contract/schema/shapes.ts'
import { Message, MessageInput } from '../schema.ts'

const { to, from } = MessageInput.properties
const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })

export const PreviewInput = Type.Object(
  {
    to: Type.Optional(to),
    from,
    text: Type.String({
      maxLength: limits.message_text_characters_max,
      description: 'The text so far; it may be empty.',
      examples: ['Your order is ready.'],
    }),
  },
  { additionalProperties: false },
)
export type PreviewInput = Static<typeof PreviewInput>

export const MessagePreview = Type.Object({
  encoding: Message.properties.encoding,
  segments: Type.Integer({ minimum: 0, description: 'Segments; 0 for no text.', examples: [1] }),
  segments_max: Type.Integer({ description: 'The most that one message may take.', examples: [6] }),
  characters: count('Characters of the text as it would be sent; some count twice.'),
  characters_left: count('Characters that the last segment still has room for.'),
  cost_eur: Type.Number({ minimum: 0, description: 'What it would cost.', examples: [0.084] }),
  problem: orNull(
    Type.Object({
      slug: Type.String({ description: 'The error.', examples: ['destination_not_allowed'] }),
      detail: Type.String({
        description: 'One sentence.',
        examples: ['+31201234567 is not the number of a mobile phone.'],
      }),
    }),
    'Why it would be refused; null if it would be sent.',
  ),
})
export type MessagePreview = Static<typeof MessagePreview>

export const OverviewQuery = Type.Object(
  {
    days: Type.Integer({
      minimum: 1,
      maximum: limits.message_chart_days_max,
      default: 30,
      description: 'Days of the chart, up to today.',
    }),
  },
  { additionalProperties: false },
)

const DayOfMessages = Type.Object({
  day: Type.String({ format: 'date', description: 'The day.', examples: ['2026-11-21'] }),
  delivered: count('Messages that reached the phone.'),
  failed: count('Messages that failed.'),
  pending: count('Messages without a final status.'),
  received: count('Messages that people sent.'),
})

export const MessagesOverview = Type.Object({
  test: Type.Boolean({ description: 'Whether new messages are simulated.', examples: [true] }),
  days: Type.Array(DayOfMessages, { description: 'Every day of the period, oldest first.' }),
  sent_today: count('Messages sent today, which count towards the limit.'),
  per_day_max: count('The most that may be sent in a day.'),
  segment_price_eur: Type.Number({
    description: 'Price of a segment, in euro.',
    examples: [0.084],
  }),
  senders: Type.Array(E164, { description: 'Numbers that messages can be sent from.' }),
  opted_out: count('People who opted out.'),
})
export type MessagesOverview = Static<typeof MessagesOverview>

export const OptOuts = Type.Object({
  data: Type.Array(
    Type.Object({
      phone: withDescription(E164, 'The number of the person.'),
      opted_out_at: withDescription(Timestamp, 'When they opted out.'),
    }),
    { description: 'People who opted out, the newest first; at most 100.' },
  ),
})
export type OptOuts = Static<typeof OptOuts>
