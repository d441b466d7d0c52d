/** Shapes of conversations in the API. */
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { Type, type Static, type TProperties } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'
import { CitedSource, ConversationSummary } from '../assistant/schema.ts'

/** Length of the latest message in a list, in characters. */
export const PREVIEW_CHARACTERS = 200
const channels = ['api', 'widget', 'portal'] as const
const statuses = ['active', 'handed_off', 'closed'] as const
const answerKinds = ['model', 'extracted', 'suggestion', 'handoff', 'fallback'] as const

const closed = <Properties extends TProperties>(properties: Properties, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

const contact = (description: string, examples: string[], maxLength = 200) =>
  Type.Union([Type.String({ minLength: 1, maxLength, examples }), Type.Null()], { description })

const VisitorInput = closed(
  {
    external_id: Type.Optional(contact('Your own id of the visitor.', ['customer-42'])),
    name: Type.Optional(contact('Name.', ['Anna de Vries'])),
    email: Type.Optional(contact('Email address.', ['anna@example.com'], 254)),
    phone: Type.Optional(contact('Phone number.', ['+31612345678'], 40)),
  },
  { description: 'What you know about the visitor. The assistant is not told.' },
)

const Visitor = Type.Object(
  {
    external_id: markAsOutsiders(contact('Your own id of the visitor.', ['customer-42'])),
    name: markAsOutsiders(contact('Name.', ['Anna de Vries'])),
    email: markAsOutsiders(contact('Email address.', ['anna@example.com'], 254)),
    phone: markAsOutsiders(contact('Phone number.', ['+31612345678'], 40)),
  },
  { description: 'What is known about the visitor.' },
)

const Metadata = Type.Record(
  Type.String({ pattern: String.raw`^[A-Za-z0-9_.-]{1,40}$` }),
  Type.String({ maxLength: 500 }),
  {
    maxProperties: limits.conversation_metadata_max,
    description: 'Your own data, returned as it is: names and texts.',
    examples: [{ order: '1042' }],
  },
)

export const Text = Type.String({
  minLength: 1,
  maxLength: limits.chat_message_characters_max,
  pattern: String.raw`\S`,
  description: 'The text of a message.',
  examples: ['Can I park at your shop?'],
})

export const Language = Type.String({
  minLength: 2,
  maxLength: 35,
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  description: 'Language in which the conversation begins; default: the first of the assistant.',
  examples: ['en'],
})

const Usage = Type.Object({
  input_tokens: Type.Integer({ description: 'Tokens read.', examples: [812] }),
  cached_tokens: Type.Integer({ description: 'Part of them that was cached.', examples: [0] }),
  output_tokens: Type.Integer({ description: 'Tokens written.', examples: [31] }),
  estimated: Type.Boolean({
    description: 'Whether the provider reported no plausible counts.',
    examples: [false],
  }),
})

const visibleMessage = {
  id: Uuid,
  conversation_id: withDescription(Uuid, 'The conversation.'),
  role: Type.Enum(['visitor', 'assistant', 'human', 'system'], {
    description: 'Who wrote it; human: a person of the business.',
  }),
  text: markAsOutsiders(
    Type.String({ description: 'Plain text.', examples: ['Yes, behind the shop.'] }),
    { unless: { field: 'role', is: ['human', 'system'] } },
  ),
  sources: Type.Array(CitedSource, { description: 'Where an answer comes from.' }),
  answer_kind: Type.Union([Type.Enum(answerKinds), Type.Null()], {
    description:
      'How the reply was made. model: by a language model; extracted: a stored text or a fixed ' +
      'sentence; suggestion: it asks which question is meant; handoff: a person takes over; ' +
      'fallback: there is no answer, or the model failed and the built-in one replied. null for ' +
      'other roles.',
  }),
  created_at: Timestamp,
}

const UsedTool = Type.Object({
  name: markAsOutsiders(
    Type.String({
      description:
        'Name of the tool, such as look_up; identify for a look-up whose values identified no ' +
        'record. Of a refused use: the name that the model gave.',
      examples: ['look_up'],
    }),
    { unless: { field: 'outcome', is: ['done', 'nothing', 'limit'] } },
  ),
  subject: markAsOutsiders(
    orNull(
      Type.String({ examples: ['products'] }),
      'The collection or the date; null for other tools.',
    ),
    { unless: { field: 'outcome', is: ['done', 'nothing', 'limit'] } },
  ),
  outcome: Type.Enum(['done', 'nothing', 'refused', 'limit'], {
    description:
      'nothing: no record was found. refused: it is not allowed. limit: the limit of the ' +
      'conversation or the day was reached.',
  }),
  count: Type.Integer({
    description: 'Records that were found; 1 for other tools, 0 for a refused use.',
    examples: [2],
  }),
})

export const Message = nameSchema(
  'ChatMessage',
  Type.Object({
    ...visibleMessage,
    person_id: orNull(
      Uuid,
      'The member of the team who wrote it; null for other roles and for replies over the API.',
    ),
    tools: Type.Array(UsedTool, {
      description: 'The tools that the assistant used for this reply, and those it was refused.',
    }),
    model: orNull(Type.String({ examples: ['builtin'] }), 'The model; null for other roles.'),
    usage: Type.Union([Usage, Type.Null()], {
      description: 'Tokens of the reply; null without a request to a model.',
    }),
    cost_eur: Type.Number({ description: 'What the reply cost.', examples: [0.0021] }),
  }),
)
export type Message = Static<typeof Message>

/** The fields that the page of a visitor gets. */
export const PublicMessage = nameSchema(
  'PublicChatMessage',
  Type.Object({
    ...visibleMessage,
    suggestions: Type.Array(Type.String({ examples: ['Can I park at your shop?'] }), {
      description: 'Questions that the reply offers, to send as they are; usually empty.',
    }),
    client_message_id: orNull(
      Type.String({ examples: ['m-1'] }),
      'The id that the page gave the message; null for others.',
    ),
  }),
)
export type PublicMessage = Static<typeof PublicMessage>

const Handoff = Type.Object({
  reason: Type.Enum(['visitor', 'no_answer', 'person', 'api'], {
    description:
      'visitor: they asked for a person; no_answer: two replies in a row had no answer; person: a ' +
      'person replied; api: by a request.',
  }),
  requested_at: Timestamp,
  assigned_to: orNull(Uuid, 'Id of the person who took it over; null while nobody has.'),
})

const visibleConversation = {
  id: Uuid,
  status: Type.Enum(statuses, {
    description: 'handed_off: a person replies, and the assistant is silent.',
  }),
  turn_state: Type.Enum(['idle', 'answering'], {
    description: 'answering: a reply is being generated.',
  }),
  language: Type.String({ description: 'Language of the conversation.', examples: ['en'] }),
  turns: Type.Integer({ description: 'Messages of the visitor.', examples: [2] }),
  max_turns: Type.Integer({ description: 'Most messages of the visitor.', examples: [30] }),
  created_at: Timestamp,
  last_message_at: Timestamp,
  closed_at: orNull(Timestamp, 'null while it is open.'),
  closed_reason: Type.Union([Type.Enum(['visitor', 'idle', 'turn_limit', 'api']), Type.Null()], {
    description: 'Why it was closed; null while it is open.',
  }),
}

export const PublicConversation = nameSchema('PublicConversation', Type.Object(visibleConversation))
export type PublicConversation = Static<typeof PublicConversation>

const { text, topics, action_items, next_step } = ConversationSummary.properties
const Summary = Type.Object({
  ...ConversationSummary.properties,
  text: markAsOutsiders(text),
  topics: { ...topics, items: markAsOutsiders(topics.items) },
  action_items: { ...action_items, items: markAsOutsiders(action_items.items) },
  next_step: markAsOutsiders(next_step),
})

export const Conversation = nameSchema(
  'Conversation',
  Type.Object({
    ...visibleConversation,
    channel: Type.Enum(channels, { description: 'Where it was started.' }),
    visitor: Visitor,
    metadata: markAsOutsiders(Metadata),
    handoff: Type.Union([Handoff, Type.Null()], {
      description: 'The last hand-over to a person; null if there was none.',
    }),
    waiting_since: orNull(
      Timestamp,
      'Since when the visitor waits for a reply of a person; null if nobody waits.',
    ),
    resolution: Type.Union(
      [Type.Enum(['assumed', 'confirmed', 'handed_off', 'abandoned']), Type.Null()],
      {
        description:
          'Whether the visitor was helped: confirmed by them, assumed after an answer, handed_off ' +
          'to a person, or abandoned without an answer; null while it is open.',
      },
    ),
    messages_left: Type.Array(
      Type.Object({
        text: markAsOutsiders(
          Type.String({ description: 'The words of the visitor.', examples: ['Call me.'] }),
        ),
        left_at: Timestamp,
      }),
      {
        description:
          'Messages for the business: noted by the assistant, or left with the contact details. The ' +
          `newest ${limits.conversation_messages_left_max}; all are among the messages.`,
      },
    ),
    summary: Type.Union([Summary, Type.Null()], {
      description: 'Follows soon after the conversation was closed; null before.',
    }),
    cost_eur: Type.Number({ description: 'Cost of all replies.', examples: [0.0042] }),
    chat_token_id: orNull(Uuid, 'Public token of the widget; null for other channels.'),
    page_url: markAsOutsiders(
      orNull(
        Type.String({ examples: ['https://bakery.example/contact'] }),
        'Page on which it was started; null if unknown.',
      ),
    ),
    test: Type.Boolean({ description: 'Whether it was started in test mode.', examples: [true] }),
  }),
)
export type Conversation = Static<typeof Conversation>

export const ConversationInput = closed(
  {
    message: Type.Optional(withDescription(Text, 'The first message; it is answered at once.')),
    language: Type.Optional(Language),
    visitor: Type.Optional(VisitorInput),
    metadata: Type.Optional(Metadata),
  },
  { examples: [{ message: 'Can I park at your shop?', visitor: { name: 'Anna de Vries' } }] },
)
export type ConversationInput = Static<typeof ConversationInput>

export const Started = Type.Object({
  conversation: withDescription(Conversation, 'The new conversation.'),
  messages: Type.Array(Message, {
    description: 'The greeting, and the first message with its reply if there was one.',
  }),
})
export type Started = Static<typeof Started>

const clientId = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[!-~]+$',
      description,
      examples: ['m-1'],
    }),
  )

export const MessageInput = closed(
  {
    text: Text,
    client_message_id: clientId(
      'Your id of the message, unique in the conversation: a repeated request gets the same ' +
        'reply, and a message whose answer was lost is answered then.',
    ),
  },
  { examples: [{ text: 'Can I park at your shop?', client_message_id: 'm-1' }] },
)
export type MessageInput = Static<typeof MessageInput>

export const Exchange = Type.Object({
  message: withDescription(Message, 'The message of the visitor.'),
  reply: Type.Union([Message, Type.Null()], {
    description: 'The reply; null after a hand-over, because a person replies later.',
  }),
  conversation: withDescription(Conversation, 'The conversation after the reply.'),
})
export type Exchange = Static<typeof Exchange>

export const ConversationId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the conversation.' }),
})

const { limit, cursor } = PageQuery.properties

const Search = Type.String({
  minLength: 1,
  maxLength: limits.conversation_search_characters_max,
  description:
    'Only those whose visitor, messages or summary contain all of these words. Searches the newest ' +
    `${limits.conversation_search_max} conversations that match the other parameters.`,
  examples: ['parking'],
})

export const ConversationsQuery = closed({
  limit,
  cursor,
  status: Type.Optional(Type.Enum(statuses, { description: 'Only those in this state.' })),
  channel: Type.Optional(Type.Enum(channels, { description: 'Only those of this channel.' })),
  chat_token_id: Type.Optional(withDescription(Uuid, 'Only those of this public token.')),
  language: Type.Optional(withDescription(Language, 'Only those in this language.')),
  waiting: Type.Optional(
    Type.Boolean({
      description: 'true: only those whose visitor waits for a person. false: only the others.',
    }),
  ),
  test: Type.Optional(Type.Boolean({ description: 'Only those of this mode.' })),
  q: Type.Optional(Search),
})
export type ConversationsQuery = Static<typeof ConversationsQuery>

const ListedConversation = Type.Object({
  ...Conversation.properties,
  last_message: Type.Object(
    {
      role: visibleMessage.role,
      text: markAsOutsiders(
        Type.String({
          description: `Its first ${PREVIEW_CHARACTERS} characters.`,
          examples: ['Yes, behind the shop.'],
        }),
        { unless: { field: 'role', is: ['human', 'system'] } },
      ),
    },
    { description: 'The latest message.' },
  ),
})
export type ListedConversation = Static<typeof ListedConversation>
export const ConversationPage = PageReply(ListedConversation)
export type ConversationPage = Static<typeof ConversationPage>

export const MessagesQuery = closed({ limit, cursor })
export const ConversationDetail = Type.Object({
  ...Conversation.properties,
  messages: Type.Array(Message, { description: 'One page of the messages, the newest first.' }),
  next_cursor: PageReply(Message).properties.next_cursor,
})
export type ConversationDetail = Static<typeof ConversationDetail>

export const CloseInput = closed(
  {
    resolved: Type.Optional(
      Type.Boolean({
        description: 'Whether the visitor said that they were helped. Omitted: unknown.',
        examples: [true],
      }),
    ),
  },
  { examples: [{ resolved: true }] },
)
export type CloseInput = Static<typeof CloseInput>

export const HandoffInput = closed(
  {
    active: Type.Optional(
      Type.Boolean({
        description: 'false: the assistant replies again. Default: true, a person takes over.',
        examples: [true],
      }),
    ),
  },
  { examples: [{ active: true }] },
)
export type HandoffInput = Static<typeof HandoffInput>

export const ReplyInput = closed(
  {
    text: withDescription(Text, 'The text that the visitor gets.'),
    client_message_id: clientId(
      'Your id of the reply, unique among the replies of people in the conversation: a repeated ' +
        'request stores no second one.',
    ),
  },
  { examples: [{ text: 'Good morning, I am Jan of the shop. How can I help?' }] },
)
export type ReplyInput = Static<typeof ReplyInput>

export const Replied = Type.Object({
  message: withDescription(Message, 'The reply of the person.'),
  conversation: withDescription(Conversation, 'The conversation after the reply.'),
})
export type Replied = Static<typeof Replied>

const transcriptFormats = ['json', 'text'] as const
export const TranscriptQuery = closed({
  format: Type.Enum(transcriptFormats, {
    default: 'text',
    examples: ['json'],
    description: 'text: one line per message; json: in `messages` only.',
  }),
})
export const Transcript = Type.Object({
  conversation_id: Uuid,
  text: markAsOutsiders(
    orNull(
      Type.String({ examples: ['2026-11-21 09:30 Visitor (Anna): Can I park at your shop?'] }),
      'One line per message, times in the zone of the assistant; null for the format json.',
    ),
  ),
  messages: Type.Array(
    Type.Object({
      role: visibleMessage.role,
      text: visibleMessage.text,
      created_at: Timestamp,
    }),
    { description: 'All messages, the oldest first.' },
  ),
})
export type Transcript = Static<typeof Transcript>
