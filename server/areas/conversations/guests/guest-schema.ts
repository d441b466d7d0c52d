/** Shapes of the routes for chat widgets. */
import { Type, type Static } from 'typebox'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'
import { ChallengeKind, Theme } from '../../public-tokens/schema.ts'
import {
  CloseInput,
  ConversationId,
  Language,
  MessageInput,
  PublicConversation,
  PublicMessage,
  Text,
} from '../schema.ts'

export { CloseInput, ConversationId, MessageInput, PublicConversation }

export const ConfigQuery = Type.Object(
  {
    language: Type.Optional(
      withDescription(Language, 'Language of the greeting; default: that of the theme.'),
    ),
  },
  { additionalProperties: false },
)

export const ChatConfig = Type.Object({
  available: Type.Boolean({
    description: 'Whether a conversation can be started now, as far as is known.',
    examples: [true],
  }),
  name: Type.String({ description: 'Name of the assistant.', examples: ['Bakery De Molen'] }),
  greeting: Type.String({ description: 'First message of a conversation.', examples: ['Hello.'] }),
  language: Type.String({ description: 'Language of the greeting.', examples: ['en'] }),
  languages: Type.Array(Type.String({ examples: ['en'] }), {
    description: 'Languages of the assistant.',
  }),
  theme: Theme,
  challenge: Type.Object(
    {
      kind: ChallengeKind,
      site_key: orNull(
        Type.String({ examples: ['0x4AAAAAAADnPIDROrmt1Wwj'] }),
        'Public key of the provider; null for altcha.',
      ),
    },
    { description: 'The human verification that starts a conversation.' },
  ),
  phone: orNull(
    Type.String({ examples: ['+31201234567'] }),
    'Phone number that visitors can call: active and live; null if the project has none.',
  ),
  sms: orNull(
    Type.String({ examples: ['+31201234567'] }),
    'Phone number to which visitors can send an SMS; null if the project has none.',
  ),
  suggestions: Type.Array(Type.String({ examples: ['Can I park at your shop?'] }), {
    description:
      'Questions to offer before the first message: those of the first facts; at most 3.',
  }),
  max_turns: Type.Integer({ description: 'Most messages of a visitor.', examples: [30] }),
})
export type ChatConfig = Static<typeof ChatConfig>

export const ChatChallenge = Type.Object({
  algorithm: Type.String({ description: 'Hash function.', examples: ['SHA-256'] }),
  challenge: Type.String({ description: 'Hash to find, in hexadecimal.', examples: ['a1b2'] }),
  maxnumber: Type.Integer({ description: 'Highest number to try.', examples: [16_000] }),
  salt: Type.String({ description: 'Text before the number.', examples: ['3f?expires=1'] }),
  signature: Type.String({ description: 'Signature of the challenge.', examples: ['c3d4'] }),
})
export type ChatChallenge = Static<typeof ChatChallenge>

export const GuestStart = Type.Object(
  {
    challenge: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description:
        'Result of the human verification: for altcha the solution as base64 of JSON, else the ' +
        'token of the provider.',
      examples: ['eyJhbGdvcml0aG0iOiJTSEEtMjU2In0='],
    }),
    language: Type.Optional(Language),
    page_url: Type.Optional(
      Type.String({
        maxLength: 2_048,
        pattern: '^https?://',
        description: 'Address of the page.',
        examples: ['https://www.example.nl/contact'],
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ challenge: 'eyJhbGdvcml0aG0iOiJTSEEtMjU2In0=', language: 'en' }],
  },
)
export type GuestStart = Static<typeof GuestStart>

export const GuestStarted = Type.Object({
  conversation: withDescription(PublicConversation, 'The new conversation.'),
  messages: Type.Array(PublicMessage, { description: 'The greeting.' }),
  conversation_token: Type.String({
    description: 'For the header X-Conversation-Token of the other requests.',
    examples: ['019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20.mi5k2o.q3VtT0xJc2Rf'],
  }),
  expires_at: Timestamp,
})
export type GuestStarted = Static<typeof GuestStarted>

export const GuestExchange = Type.Object({
  message: withDescription(PublicMessage, 'The message of the visitor.'),
  reply: Type.Union([PublicMessage, Type.Null()], {
    description: 'The reply; null if a person replies later.',
  }),
  conversation: withDescription(PublicConversation, 'The conversation after the reply.'),
})
export type GuestExchange = Static<typeof GuestExchange>

export const GuestHandoff = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: String.raw`\S`,
        description: 'Name of the visitor.',
        examples: ['Anna de Vries'],
      }),
    ),
    email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 254,
        description: 'Email address for the reply; needed without a phone number.',
        examples: ['anna@example.com'],
      }),
    ),
    phone: Type.Optional(
      Type.String({
        pattern: String.raw`^\+?[0-9(][0-9 ()./-]{4,37}$`,
        description: 'Phone number for the reply; needed without an email address.',
        examples: ['+31612345678'],
      }),
    ),
    message: Type.Optional(withDescription(Text, 'What the person should know.')),
    client_message_id: MessageInput.properties.client_message_id,
  },
  {
    additionalProperties: false,
    examples: [
      { name: 'Anna de Vries', email: 'anna@example.com', message: 'Please call me about a cake.' },
    ],
  },
)
export type GuestHandoff = Static<typeof GuestHandoff>

export const GuestHandedOff = Type.Object({
  conversation: withDescription(PublicConversation, 'The conversation after the hand-off.'),
  message: Type.Union([PublicMessage, Type.Null()], {
    description: 'The message as it is stored; null without one.',
  }),
})
export type GuestHandedOff = Static<typeof GuestHandedOff>

export const SinceQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({ ...Uuid, description: 'Id of the last message that the page has.' }),
    ),
  },
  { additionalProperties: false },
)

export const GuestMessages = Type.Object({
  data: Type.Array(PublicMessage, {
    description: 'The messages after it, the oldest first; at most 100.',
  }),
  conversation: withDescription(PublicConversation, 'The conversation now.'),
})
export type GuestMessages = Static<typeof GuestMessages>
