/** The operations of chat widgets in visitors' pages. */
import { guestOperation, type GuestCaller } from '../../../contract/operations/guests.ts'
import { withEvents } from '../../../contract/operations/event-replies.ts'
import { exampleEvents } from '../turns/turn-events.ts'
import {
  ChatChallenge,
  ChatConfig,
  CloseInput,
  ConfigQuery,
  ConversationId,
  GuestExchange,
  GuestHandedOff,
  GuestHandoff,
  GuestMessages,
  GuestStart,
  GuestStarted,
  MessageInput,
  PublicConversation,
  SinceQuery,
} from '../guests/guest-schema.ts'
import * as guests from '../guests/guest-service.ts'
import { handOff } from '../guests/handoff.ts'
import { createChallenge } from '../guests/verify.ts'

export const config = guestOperation({
  name: 'public_chat.config',
  route: 'GET /public/chat/config',
  about:
    'What a chat widget shows before a conversation: greeting, theme, suggestions, human ' +
    'verification, and the phone number of the project.',
  effect: 'read',
  query: ConfigQuery,
  status: 200,
  reply: ChatConfig,
  errors: ['invalid_parameter'],
  run: ({ query }, guest) => guests.showConfig(guest, query.language),
})

export const challenge = guestOperation({
  name: 'public_chat.challenge',
  route: 'GET /public/chat/challenge',
  about:
    "Creates a proof-of-work challenge for the visitor's browser. Its solution starts one " +
    'conversation, with this public token and on this origin.',
  effect: 'read',
  status: 200,
  reply: ChatChallenge,
  errors: [],
  run: (_input, guest) => createChallenge(guest),
})

export const start = guestOperation({
  name: 'public_conversations.create',
  route: 'POST /public/conversations',
  about:
    'Starts a conversation after the human verification. The reply has the token for the header ' +
    'X-Conversation-Token.',
  effect: 'write',
  rate: 'chat_starts',
  body: GuestStart,
  status: 201,
  reply: GuestStarted,
  errors: ['challenge_failed', 'public_chat_limit_reached', 'chat_unavailable'],
  run: ({ body }, guest) => guests.start(guest, body),
})

export const list = guestOperation({
  name: 'public_conversations.messages',
  route: 'GET /public/conversations/{id}/messages',
  about: 'The messages of the conversation after the one in `after`, replies of people included.',
  effect: 'read',
  rate: 'chat_reads',
  in_conversation: true,
  params: ConversationId,
  query: SinceQuery,
  status: 200,
  reply: GuestMessages,
  errors: ['invalid_conversation_token', 'invalid_parameter'],
  run: ({ params, query }, guest) => guests.listMessages(guest, params.id, query.after),
})

export const send = withEvents(
  guestOperation({
    name: 'public_conversations.send',
    route: 'POST /public/conversations/{id}/messages',
    about:
      'Sends a message of the visitor and returns the reply. With Accept: text/event-stream the ' +
      'reply arrives as events, as for POST /conversations/{id}/messages.',
    effect: 'write',
    rate: 'chat_messages',
    in_conversation: true,
    params: ConversationId,
    body: MessageInput,
    status: 201,
    reply: GuestExchange,
    errors: [
      'invalid_conversation_token',
      'conversation_closed',
      'conversation_busy',
      'conversation_turn_limit_reached',
      'conversation_awaits_person',
      'public_chat_limit_reached',
      'chat_unavailable',
    ],
    run: ({ params, body }, guest) => guests.send(guest, params.id, body),
  }),
  {
    shapes: { params: ConversationId, body: MessageInput },
    example: exampleEvents,
    run: ({ params, body }, guest: GuestCaller) => guests.sendStreamed(guest, params.id, body),
  },
)

export const handoff = guestOperation({
  name: 'public_conversations.handoff',
  route: 'POST /public/conversations/{id}/handoff',
  about:
    'Hands the conversation over to a person, with the email address or phone number for the ' +
    'reply, and a message if the visitor wrote one.',
  effect: 'write',
  rate: 'chat_messages',
  in_conversation: true,
  params: ConversationId,
  body: GuestHandoff,
  status: 200,
  reply: GuestHandedOff,
  errors: [
    'invalid_conversation_token',
    'conversation_closed',
    'conversation_turn_limit_reached',
    'conversation_awaits_person',
  ],
  run: ({ params, body }, guest) => handOff(guest, params.id, body),
})

export const close = guestOperation({
  name: 'public_conversations.close',
  route: 'POST /public/conversations/{id}/close',
  about: 'Ends the conversation for the visitor. Repeating it changes nothing.',
  effect: 'write',
  rate: 'chat_messages',
  in_conversation: true,
  params: ConversationId,
  body: CloseInput,
  status: 200,
  reply: PublicConversation,
  errors: ['invalid_conversation_token'],
  run: ({ params, body }, guest) => guests.close(guest, params.id, body),
})
