/** The operations of conversations, for API keys and for people of the project. */
import type { Caller } from '../../../contract/caller.ts'
import { operation } from '../../../contract/operation.ts'
import { withEvents } from '../../../contract/operations/event-replies.ts'
import {
  CloseInput,
  Conversation,
  ConversationDetail,
  ConversationId,
  ConversationInput,
  ConversationPage,
  ConversationsQuery,
  Exchange,
  HandoffInput,
  MessageInput,
  MessagesQuery,
  Replied,
  ReplyInput,
  Started,
  Transcript,
  TranscriptQuery,
} from '../schema.ts'
import * as conversations from '../service.ts'
import { exportTranscript } from '../turns/transcript.ts'
import { exampleEvents } from '../turns/turn-events.ts'

const unpaid = ['insufficient_balance', 'billing_blocked', 'test_free_replies_used'] as const

export const list = operation({
  name: 'conversations.list',
  route: 'GET /conversations',
  about:
    'The text conversations of the project, newest first, without messages. waiting=true lists ' +
    'those whose visitor waits for a person.',
  keywords:
    'chats, inbox, live chat, website visitors, waiting, threads, unanswered, unread, open ' +
    'chats, chat history, waiting for an answer, somebody wrote',
  scope: 'chat:read',
  reach: 'selection',
  effect: 'read',
  query: ConversationsQuery,
  status: 200,
  reply: ConversationPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => conversations.list(caller, query),
})

export const start = operation({
  name: 'conversations.create',
  route: 'POST /conversations',
  about:
    'Starts a text conversation with the assistant, from your own server. The reply has the ' +
    'greeting and, if a first message is given, its answer.',
  keywords: 'start chat, open session, talk to the bot from our app, chatbot backend',
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  waits_for_others: true,
  body: ConversationInput,
  status: 201,
  reply: Started,
  errors: [
    'assistant_not_configured',
    'conversation_limit_reached',
    'conversation_busy',
    ...unpaid,
  ],
  run: ({ body }, caller) => conversations.start(caller, body),
})

export const get = operation({
  name: 'conversations.get',
  route: 'GET /conversations/{id}',
  about: 'One conversation with a page of its messages, the newest first.',
  keywords: 'chat transcript, what did the visitor write, thread',
  scope: 'chat:read',
  reach: 'selection',
  effect: 'read',
  params: ConversationId,
  query: MessagesQuery,
  status: 200,
  reply: ConversationDetail,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => conversations.find(caller, params.id, query),
})

export const transcript = operation({
  name: 'conversations.transcript',
  route: 'GET /conversations/{id}/transcript',
  about: 'All messages of a conversation, the oldest first, as text or as JSON.',
  keywords: 'download chat log, full history, save as text',
  scope: 'chat:read',
  reach: 'selection',
  effect: 'read',
  params: ConversationId,
  query: TranscriptQuery,
  status: 200,
  reply: Transcript,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => exportTranscript(caller, params.id, query),
})

export const send = withEvents(
  operation({
    name: 'conversations.send',
    route: 'POST /conversations/{id}/messages',
    about:
      'Sends a message of the visitor and returns the reply of the assistant. With Accept: ' +
      'text/event-stream the reply arrives as events while it is generated: message.started, ' +
      'message.delta with the text so far, message.sources, message.completed; or ' +
      'message.aborted or problem. The reply is stored before message.completed, so events may ' +
      'be lost.',
    keywords: 'ask the assistant, chatbot message, stream answer, custom chat interface',
    scope: 'chat:write',
    reach: 'project',
    effect: 'write',
    waits_for_others: true,
    params: ConversationId,
    body: MessageInput,
    status: 201,
    reply: Exchange,
    errors: [
      'not_found',
      'conversation_closed',
      'conversation_busy',
      'conversation_turn_limit_reached',
      'conversation_awaits_person',
      ...unpaid,
    ],
    run: ({ params, body }, caller) => conversations.send(caller, params.id, body),
  }),
  {
    shapes: { params: ConversationId, body: MessageInput },
    example: exampleEvents,
    run: ({ params, body }, caller: Caller) => conversations.sendStreamed(caller, params.id, body),
  },
)

export const reply = operation({
  name: 'conversations.reply',
  route: 'POST /conversations/{id}/replies',
  about:
    'Writes to the visitor as a person of the business. It hands the conversation over, so that ' +
    'the assistant is silent. A repeated client_message_id stores no second reply.',
  keywords:
    'answer the visitor, tell that customer in the chat, respond, write back, human agent, ' +
    'write to the visitor myself',
  consent: { about: 'Sends this text to a visitor of the chat, as a person of the business.' },
  scope: 'chat:write',
  reach: 'project',
  effect: 'outside',
  params: ConversationId,
  body: ReplyInput,
  status: 201,
  reply: Replied,
  errors: ['not_found', 'conversation_closed', 'conversation_turn_limit_reached'],
  run: ({ params, body }, caller) => conversations.reply(caller, params.id, body),
})

export const handoff = operation({
  name: 'conversations.handoff',
  route: 'POST /conversations/{id}/handoff',
  about:
    'Hands a conversation over to a person, or with active false back to the assistant. ' +
    'Repeating it changes nothing.',
  keywords:
    'take over, human, live agent, pause bot, step in, escalate, back to the bot, takeover, ' +
    'silence the bot, myself',
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: ConversationId,
  body: HandoffInput,
  status: 200,
  reply: Conversation,
  errors: ['not_found', 'conversation_closed'],
  run: ({ params, body }, caller) => conversations.handOff(caller, params.id, body),
})

export const close = operation({
  name: 'conversations.close',
  route: 'POST /conversations/{id}/close',
  about:
    'Closes a conversation: it takes no more messages, and its summary follows with the event ' +
    'conversation.summary.ready.',
  keywords: 'end chat, finish, resolve, done, archive thread, inbox',
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: ConversationId,
  body: CloseInput,
  status: 200,
  reply: Conversation,
  errors: ['not_found', 'conversation_closed'],
  run: ({ params, body }, caller) => conversations.close(caller, params.id, body),
})

export const remove = operation({
  name: 'conversations.delete',
  route: 'DELETE /conversations/{id}',
  about: 'Deletes a conversation with its messages and summary.',
  keywords: 'erase chat, wipe thread, privacy',
  consent: { about: 'Deletes a chat conversation with its messages and summary.' },
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: ConversationId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => conversations.remove(caller, params.id),
})

export const removeSummary = operation({
  name: 'conversations.delete_summary',
  route: 'DELETE /conversations/{id}/summary',
  about:
    'Deletes the summary of a conversation; its messages stay. No other summary is made. ' +
    'Repeating it changes nothing.',
  keywords: 'remove chat summary',
  consent: { about: 'Deletes the summary of a chat conversation. Its messages stay.' },
  scope: 'chat:write',
  reach: 'project',
  effect: 'write',
  params: ConversationId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => conversations.removeSummary(caller, params.id),
})
