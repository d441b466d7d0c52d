/** The operations of text messages. */
import { operation } from '../../contract/operation.ts'
import {
  Message,
  MessageId,
  MessageInput,
  MessagePage,
  MessagesQuery,
  TestMessageInput,
} from './schema.ts'
import * as messages from './service.ts'

export const send = operation({
  name: 'messages.send',
  route: 'POST /messages',
  about:
    'Sends a transactional SMS to a mobile phone, charged per segment. Not for marketing. In test ' +
    'mode nothing is sent, and the last three digits of to choose the outcome: 000 delivered, 001 ' +
    'unreachable, 002 landline, 003 blocked, 004 never confirmed; see the guide for all.',
  keywords: 'SMS, text a customer, reminder, mobile, notify by text, one-time code',
  consent: {
    about: 'Sends a text message to a mobile phone, charged per segment.',
    costs: () => 'sms.segment',
  },
  scope: 'messages:write',
  reach: 'project',
  effect: 'money',
  body: MessageInput,
  status: 201,
  reply: Message,
  headers: { idempotency_key: 'optional' },
  errors: [
    'destination_not_allowed',
    'message_too_long',
    'sender_not_allowed',
    'message_limit_reached',
    'billing_blocked',
    'insufficient_balance',
    'telephony_unavailable',
  ],
  run: ({ body }, caller) => messages.send(caller, body),
})

export const list = operation({
  name: 'messages.list',
  route: 'GET /messages',
  about: 'The text messages that the project sent and received, newest first, with their status.',
  keywords: 'SMS, texts, inbox, received, sent, history, who texted',
  scope: 'messages:read',
  reach: 'project',
  effect: 'read',
  query: MessagesQuery,
  status: 200,
  reply: MessagePage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => messages.list(caller, query),
})

export const get = operation({
  name: 'messages.get',
  route: 'GET /messages/{id}',
  about: 'One text message with its status.',
  keywords: 'SMS, text, delivered, delivery status, receipt',
  scope: 'messages:read',
  reach: 'project',
  effect: 'read',
  params: MessageId,
  status: 200,
  reply: Message,
  errors: ['not_found'],
  run: ({ params }, caller) => messages.find(caller, params.id),
})

export const simulate = operation({
  name: 'messages.simulate',
  route: 'POST /test/messages',
  about:
    'Simulates a text message of a person to a test number. The reply is the received message; ' +
    'message.received is sent as for a real one, with test: true. The text STOP opts the person out.',
  keywords: 'test SMS, incoming text, fake inbound, STOP',
  scope: 'messages:write',
  reach: 'project',
  effect: 'write',
  body: TestMessageInput,
  status: 201,
  reply: Message,
  errors: ['not_found'],
  run: ({ body }, caller) => messages.simulateReceived(caller, body),
})
