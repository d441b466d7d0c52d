/** Operations of the portal assistant, for signed-in people in the portal. */
import { peopleStream } from '../../contract/operations/people-streams.ts'
import { peopleOperation } from '../../contract/people.ts'
import * as schema from './schema.ts'
import * as assistant from './service.ts'

const root = '/projects/{project_id}/portal-assistant'
const shared = { access: 'viewer', reach: 'selection' } as const

export const ask = peopleStream({
  ...shared,
  name: 'portal_messages.send',
  route: `POST ${root}/messages`,
  about:
    'Asks the portal assistant, which answers from the documentation and the project with the rights ' +
    'of the person. Operations that change something are only proposed. With Accept: ' +
    'text/event-stream the answer is streamed: message.started, message.tool and message.delta {at, ' +
    'text}, then message.completed with this reply. Without a configured language model it finds ' +
    'pages and records and fills in a form, free of charge; otherwise its tokens are charged.',
  keywords: 'ask the portal, help chat, copilot',
  effect: 'write',
  body: schema.PortalQuestion,
  status: 200,
  reply: schema.PortalAnswer,
  errors: [
    'not_found',
    'conflict',
    'conversation_busy',
    'rate_limited',
    'insufficient_balance',
    'billing_blocked',
    'test_free_replies_used',
    'validation_failed',
  ],
  run: ({ body, ...flow }, caller) => assistant.ask(caller, body, flow),
})

export const list = peopleOperation({
  ...shared,
  name: 'portal_conversations.list',
  route: `GET ${root}/conversations`,
  about: 'Your own conversations with the portal assistant in this project and mode.',
  keywords: 'help chats',
  effect: 'read',
  query: schema.ConversationsQuery,
  status: 200,
  reply: schema.PortalConversations,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => assistant.list(caller, query),
})

export const get = peopleOperation({
  ...shared,
  name: 'portal_conversations.get',
  route: `GET ${root}/conversations/{conversation_id}`,
  about: 'One of your conversations with the portal assistant, with its messages.',
  keywords: 'help chat history',
  effect: 'read',
  params: schema.ConversationId,
  status: 200,
  reply: schema.PortalTranscript,
  errors: ['not_found'],
  run: ({ params }, caller) => assistant.show(caller, params.conversation_id),
})

export const remove = peopleOperation({
  ...shared,
  name: 'portal_conversations.delete',
  route: `DELETE ${root}/conversations/{conversation_id}`,
  about: 'Deletes one of your conversations with the portal assistant.',
  keywords: 'remove help chat',
  effect: 'write',
  params: schema.ConversationId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => assistant.remove(caller, params.conversation_id),
})

export const submit = peopleOperation({
  ...shared,
  name: 'portal_proposals.create',
  route: `POST ${root}/proposals`,
  about:
    'Submits the form of an operation. One that only reads runs at once; any other is checked and ' +
    'waits for its confirmation.',
  keywords: 'submit form',
  effect: 'write',
  body: schema.ProposalInput,
  status: 200,
  reply: schema.PortalProposal,
  errors: [
    'not_found',
    'conflict',
    'forbidden',
    'missing_scope',
    'bad_request',
    'validation_failed',
    'invalid_parameter',
  ],
  run: ({ body }, caller) => assistant.submit(caller, body),
})

const decision = {
  ...shared,
  params: schema.ProposalId,
  status: 200,
  reply: schema.PortalProposal,
} as const
const decisionErrors = ['not_found', 'conflict', 'forbidden', 'missing_scope'] as const

export const run = peopleOperation({
  ...decision,
  name: 'portal_proposals.run',
  route: `POST ${root}/proposals/{proposal_id}/run`,
  about:
    'Runs a proposed operation once, as the person, with the arguments and the cost of this hash. ' +
    'Rights and limits are checked again.',
  keywords: 'yes, confirm suggestion',
  effect: 'outside',
  body: schema.ProposalDecision,
  errors: decisionErrors,
  run: ({ params, body }, caller) => assistant.run(caller, params.proposal_id, body),
})

export const edit = peopleOperation({
  ...decision,
  name: 'portal_proposals.edit',
  route: `PUT ${root}/proposals/{proposal_id}/arguments`,
  about: 'Replaces the arguments of a proposal that was not run, which changes its hash.',
  keywords: 'change suggestion',
  effect: 'write',
  body: schema.ProposalEdit,
  errors: [...decisionErrors, 'bad_request', 'validation_failed', 'invalid_parameter'],
  run: ({ params, body }, caller) => assistant.edit(caller, params.proposal_id, body),
})

export const decline = peopleOperation({
  ...decision,
  name: 'portal_proposals.decline',
  route: `POST ${root}/proposals/{proposal_id}/decline`,
  about: 'Declines a proposed operation. Nothing is done.',
  keywords: 'no, cancel suggestion',
  effect: 'write',
  body: schema.ProposalDecision,
  errors: ['not_found', 'conflict'],
  run: ({ params, body }, caller) => assistant.decline(caller, params.proposal_id, body),
})
