/** The shapes of text messages that a client sees. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import {
  E164,
  orNull,
  RequestTime,
  Timestamp,
  Uuid,
  withDescription,
  withExample,
} from '../../contract/schema/shapes.ts'

const statuses = ['queued', 'sent', 'delivered', 'failed', 'received'] as const
const failureReasons = [
  'unreachable',
  'unknown_number',
  'landline',
  'blocked_by_carrier',
  'refused_by_carrier',
  'carrier_unavailable',
  'expired',
  'unknown',
] as const

const direction = Type.Enum(['outbound', 'inbound'], {
  description: 'outbound: sent by the project. inbound: sent by a person to one of its numbers.',
})
const status = Type.Enum([...statuses], {
  description:
    'queued: accepted, on its way to the carrier. sent: the carrier has it. delivered: it is on ' +
    'the phone. failed: it will not arrive. received: an inbound message. A status never goes back.',
})
const from = Type.String({
  description: 'The sender: a number in E.164 format, or a name of letters.',
  examples: ['+31850001234'],
})
const to = withExample(withDescription(E164, 'The recipient, in E.164 format.'), '+31612345678')

/** The payload of webhooks about a message: every field but its text. */
export const MessageFacts = nameSchema(
  'MessageFacts',
  Type.Object({
    id: withDescription(Uuid, 'Id of the message.'),
    direction,
    from,
    to,
    status,
    failure_reason: orNull(
      Type.Enum([...failureReasons], {
        description: 'Why it failed. More reasons may be added.',
        examples: ['unreachable'],
      }),
      'Why it failed; null otherwise.',
    ),
    encoding: Type.Enum(['gsm7', 'ucs2'], {
      description: 'ucs2 if a character is outside the SMS alphabet; a segment then holds less.',
    }),
    segments: Type.Integer({
      minimum: 1,
      description: 'How many segments it takes, each charged.',
      examples: [1],
    }),
    cost_eur: Type.Number({
      minimum: 0,
      description:
        'Its cost in euro; 0 in test mode, for inbound messages, and if it was never sent.',
      examples: [0.084],
    }),
    created_at: withDescription(Timestamp, 'When it was accepted or received.'),
    sent_at: orNull(Timestamp, 'When the carrier took it; null before.'),
    delivered_at: orNull(Timestamp, 'When it reached the phone; null before.'),
    failed_at: orNull(Timestamp, 'When it failed; null if it did not.'),
    test: Type.Boolean({ description: 'true for a simulated message.' }),
  }),
)

export const Message = nameSchema(
  'Message',
  Type.Object({
    ...MessageFacts.properties,
    text: markAsOutsiders(
      Type.String({
        description: 'The text as it was sent, or as it arrived.',
        examples: ['Your order is ready. You can pick it up until 17:00.'],
      }),
      { unless: { field: 'direction', is: ['outbound'] } },
    ),
  }),
)
export type Message = Static<typeof Message>

export const MessagePage = PageReply(Message)
export type MessagePage = Static<typeof MessagePage>

export const MessageId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the message.' }),
})

const text = Type.String({
  minLength: 1,
  maxLength: limits.message_text_characters_max,
  description:
    `The text: at most ${limits.sms_segments_max} segments. Typographic quotes and dashes become ` +
    'plain ones if the text then fits the SMS alphabet.',
  examples: ['Your order is ready. You can pick it up until 17:00.'],
})
const closed = { additionalProperties: false }

export const MessageInput = Type.Object(
  {
    to: withExample(
      withDescription(
        E164,
        'A mobile number, in E.164 format. Test mode also takes +447700900xxx.',
      ),
      '+31612345678',
    ),
    text,
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        description:
          'An active number of the project, or a name of 3 to 11 letters and digits, to which ' +
          'nobody can reply. Without it, the oldest active number.',
        examples: ['MillBakery'],
      }),
    ),
  },
  closed,
)
export type MessageInput = Static<typeof MessageInput>

export const TestMessageInput = Type.Object(
  {
    from: Type.Optional(
      withDescription(E164, 'The number of the person; +447700900001 without it.'),
    ),
    to: withDescription(E164, 'A test number of the project.'),
    text: Type.String({
      minLength: 1,
      maxLength: 1_600,
      description: 'The text of the person. STOP opts them out, START in again.',
      examples: ['Can I pick it up tomorrow?'],
    }),
  },
  closed,
)
export type TestMessageInput = Static<typeof TestMessageInput>

export const MessagesQuery = Type.Object(
  {
    ...PageQuery.properties,
    direction: Type.Optional({ ...direction, description: 'Only messages in this direction.' }),
    status: Type.Optional({ ...status, description: 'Only messages with this status.' }),
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        description: 'Only messages from this number or name.',
        examples: ['+31612345678'],
      }),
    ),
    to: Type.Optional(withDescription(E164, 'Only messages to this number, in E.164 format.')),
    test: Type.Optional(
      Type.Boolean({ description: 'true: only simulated messages. false: only real messages.' }),
    ),
    since: Type.Optional(withDescription(RequestTime, 'Only messages at or after this time.')),
    until: Type.Optional(withDescription(RequestTime, 'Only messages before this time.')),
  },
  closed,
)
export type MessagesQuery = Static<typeof MessagesQuery>
