/** Shapes of the portal assistant in the API of the portal. */
import { Type, type Static } from 'typebox'
import { ProblemSchema } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'

const closed = { additionalProperties: false }
const anyObject = Type.Object({}, { additionalProperties: true })

export const ConversationId = Type.Object({
  conversation_id: withDescription(Uuid, 'Id of the conversation.'),
})
export const ProposalId = Type.Object({
  proposal_id: withDescription(Uuid, 'Id of the proposal.'),
})
export const ConversationsQuery = PageQuery

const PortalSource = nameSchema(
  'PortalSource',
  Type.Object({
    kind: Type.Enum(['docs', 'record', 'page'], {
      description:
        'docs: a passage of the documentation. record: a record of the project. page: a page of the ' +
        'portal.',
    }),
    title: Type.String({ description: 'Its title.', examples: ['Webhooks'] }),
    about: Type.String({
      description: 'The passage, or the kind of the record.',
      examples: ['Signed events for calls and documents.'],
    }),
    href: Type.String({
      description: 'For docs, the path on this server; otherwise the path below the project.',
      examples: ['/docs/guides/verify-signatures'],
    }),
  }),
)
export type PortalSource = Static<typeof PortalSource>

const operationName = Type.String({
  description: 'Name of the operation.',
  examples: ['webhooks.create'],
})
const effect = Type.Enum(['read', 'write', 'outside', 'money'], {
  description: 'Kind of its effect.',
})
const about = Type.String({
  description: 'What the operation does.',
  examples: ['Creates a webhook endpoint.'],
})
const given = {
  ...anyObject,
  description: 'The arguments.',
  examples: [{ url: 'https://shop.example/hooks', events: ['call.completed'] }],
}
const page = orNull(
  Type.String({ examples: ['/webhooks'] }),
  'Path of its page in the portal, below the project; null if it has none.',
)

const PortalForm = nameSchema(
  'PortalForm',
  Type.Object({
    operation: operationName,
    title: Type.String({ description: 'Its name in words.', examples: ['Webhooks: create'] }),
    about,
    effect,
    shape: {
      ...anyObject,
      description: 'JSON Schema of its arguments.',
      examples: [{ type: 'object' }],
    },
    values: { ...given, description: 'Values that were taken from the sentence.' },
    page,
  }),
)
export type PortalForm = Static<typeof PortalForm>

export const PortalProposal = nameSchema(
  'PortalProposal',
  Type.Object({
    id: withDescription(Uuid, 'Id of the proposal.'),
    status: Type.Enum(['pending', 'running', 'executed', 'failed', 'declined', 'expired'], {
      description:
        'pending: waits for the person. running: begun. executed: done, see reply. failed: see ' +
        'problem. declined: by the person. expired: it can no longer be run.',
    }),
    operation: operationName,
    title: Type.String({ description: 'Its name in words.', examples: ['Webhooks: create'] }),
    about,
    effect,
    cost: orNull(
      Type.String({ examples: ['It costs 3 euro a month without VAT.'] }),
      'The cost in a sentence; null if it is free.',
    ),
    subject: orNull(Type.String({ examples: ['Bookings'] }), 'Name of its target; null if none.'),
    loss: orNull(
      Type.String({ examples: ['38 documents would be deleted.'] }),
      'What it deletes; null if nothing.',
    ),
    arguments: given,
    shape: {
      ...anyObject,
      description: 'JSON Schema of the arguments.',
      examples: [{ type: 'object' }],
    },
    hash: Type.String({
      description: 'Identifies operation, arguments and cost. Running it requires this value.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    page,
    reply: orNull({ ...anyObject, examples: [{ id: '…' }] }, 'The reply; null if there is none.'),
    problem: orNull(ProblemSchema, 'Why it failed; null unless it did.'),
    created_at: withDescription(Timestamp, 'When it was proposed.'),
    expires_at: withDescription(Timestamp, 'Until when it can be run.'),
  }),
)
export type PortalProposal = Static<typeof PortalProposal>

export const PortalMessage = nameSchema(
  'PortalMessage',
  Type.Object({
    id: withDescription(Uuid, 'Id of the message.'),
    role: Type.Enum(['person', 'assistant'], { description: 'Who says it.' }),
    made_by: Type.Enum(['person', 'model', 'search'], {
      description: 'search: found in the documentation and the project, without a language model.',
    }),
    state: Type.Enum(['complete', 'stopped', 'failed'], {
      description:
        'stopped: the person ended the answer. failed: the language model did not finish it.',
    }),
    text: Type.String({ description: 'Plain text.', examples: ['You have two webhooks.'] }),
    sources: Type.Array(PortalSource, { description: 'What the answer is based on or found.' }),
    form: orNull(PortalForm, 'An operation to fill in; null if there is none.'),
    proposals: Type.Array(PortalProposal, { description: 'Operations that it proposes.' }),
    model: orNull(
      Type.String({ examples: ['openai:gpt-5-mini'] }),
      'The language model; null without one.',
    ),
    cost_eur: Type.Number({
      minimum: 0,
      description: 'What was charged for it.',
      examples: [0.0021],
    }),
    created_at: withDescription(Timestamp, 'When it was written.'),
  }),
)
export type PortalMessage = Static<typeof PortalMessage>

const conversation = {
  id: withDescription(Uuid, 'Id of the conversation.'),
  title: Type.String({
    description: 'Beginning of the first message.',
    examples: ['Create a webhook for finished calls'],
  }),
  messages_count: Type.Integer({
    minimum: 0,
    description: 'Number of messages.',
    examples: [4],
  }),
  answering: Type.Boolean({ description: 'Whether an answer is under way.', examples: [false] }),
  created_at: withDescription(Timestamp, 'When it began.'),
  last_message_at: withDescription(Timestamp, 'Time of the last message.'),
}
export const PortalConversation = nameSchema('PortalConversation', Type.Object(conversation))
export type PortalConversation = Static<typeof PortalConversation>

export const PortalConversations = Type.Object({
  ...PageReply(PortalConversation).properties,
  model: orNull(
    Type.String({ examples: ['openai:gpt-5-mini'] }),
    'The language model that answers; null if none is configured or the role may not spend money.',
  ),
})

export const PortalTranscript = nameSchema(
  'PortalTranscript',
  Type.Object({
    ...conversation,
    messages: Type.Array(PortalMessage, { description: 'All messages, oldest first.' }),
    proposals: Type.Array(PortalProposal, {
      description: 'Operations of forms that the person submitted, oldest first.',
    }),
  }),
)
export type PortalTranscript = Static<typeof PortalTranscript>

export const PortalQuestion = Type.Object(
  {
    conversation_id: Type.Optional(
      withDescription(Uuid, 'The conversation to continue; without it, a new one begins.'),
    ),
    text: Type.String({
      minLength: 1,
      maxLength: limits.portal_message_characters_max,
      pattern: '\\S',
      description: 'What the person says.',
      examples: ['Which webhooks do we have?'],
    }),
    page: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Path of the page that the person sees, below the project.',
        examples: ['/webhooks'],
      }),
    ),
    language: Type.Optional(
      Type.Enum(['en', 'nl'], { description: 'Language of the portal; English by default.' }),
    ),
  },
  closed,
)
export type PortalQuestion = Static<typeof PortalQuestion>

export const PortalAnswer = Type.Object({
  conversation: withDescription(PortalConversation, 'The conversation after the answer.'),
  question: withDescription(PortalMessage, 'The message of the person.'),
  answer: withDescription(PortalMessage, 'The answer of the assistant.'),
})
export type PortalAnswer = Static<typeof PortalAnswer>

export const ProposalInput = Type.Object(
  {
    conversation_id: withDescription(Uuid, 'The conversation with the form.'),
    operation: operationName,
    arguments: given,
  },
  closed,
)
export type ProposalInput = Static<typeof ProposalInput>

const hash = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The hash of the proposal as it was read.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
export const ProposalDecision = Type.Object({ hash }, closed)
export type ProposalDecision = Static<typeof ProposalDecision>
export const ProposalEdit = Type.Object({ hash, arguments: given }, closed)
export type ProposalEdit = Static<typeof ProposalEdit>
