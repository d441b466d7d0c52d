/** The operations of calls. */
import type { JsonRecord } from '../../contract/manifest/state-section.ts'
import { operation, type BriefReply } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/schema/pages.ts'
import { withDescription, Uuid } from '../../contract/schema/shapes.ts'
import { Type } from 'typebox'
import {
  Call,
  CallDetail,
  CallId,
  CallPage,
  CallsQuery,
  Consent,
  ConsentInput,
  ConsentPage,
  OutboundCallInput,
  TestCallInput,
  TransferInput,
} from './schema.ts'
import * as calls from './service.ts'

export const list = operation({
  name: 'calls.list',
  route: 'GET /calls',
  about: 'The calls of the project, newest first, without transcripts.',
  keywords:
    'who rang, phoned, called today, missed, inbound, call history, call log, voicemail, leave ' +
    'a message, did anyone phone, how many people rang, search transcripts, goes dead, ' +
    'handled, duration, outcome, period, reached, this morning, who was that',
  scope: 'calls:read',
  reach: 'project',
  effect: 'read',
  query: CallsQuery,
  status: 200,
  reply: CallPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => calls.list(caller, query),
})

export const get = operation({
  name: 'calls.get',
  route: 'GET /calls/{id}',
  about: 'One call with its transcript, messages and summary.',
  keywords:
    'transcript, recording, what was said, word for word, gist, caller wanted, conversation by ' +
    'id, what exactly did they say, promise, agree, details, voicemail as text, result of a ' +
    'test call',
  scope: 'calls:read',
  reach: 'project',
  effect: 'read',
  params: CallId,
  status: 200,
  reply: CallDetail,
  errors: ['not_found'],
  run: ({ params }, caller) => calls.find(caller, params.id),
})

export const remove = operation({
  name: 'calls.delete',
  route: 'DELETE /calls/{id}',
  about: 'Deletes a call with its transcript, summary and messages.',
  keywords:
    'erase transcript, remove recording, wipe call, privacy, conversation, confidential, voicemail',
  consent: { about: 'Deletes a call with its transcript, summary and messages.' },
  scope: 'calls:write',
  reach: 'project',
  effect: 'write',
  params: CallId,
  status: 204,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => calls.remove(caller, params.id),
})

export const removeSummary = operation({
  name: 'calls.delete_summary',
  route: 'DELETE /calls/{id}/summary',
  about:
    'Deletes the summary of a call; its transcript and messages stay. No other summary is made. ' +
    'Repeating it changes nothing.',
  keywords: 'remove the summary, wrong summary, keep transcript',
  consent: { about: 'Deletes the summary of a call. Its transcript and messages stay.' },
  scope: 'calls:write',
  reach: 'project',
  effect: 'write',
  params: CallId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => calls.removeSummary(caller, params.id),
})

export const simulate = operation({
  name: 'calls.simulate',
  route: 'POST /test/calls',
  about:
    'Simulates an inbound call to a test number: a scripted caller follows the call ' +
    'plan and talks to the assistant. The reply is the ended call with its transcript; the same events are ' +
    'sent as for a real call, with test: true. A target whose number ends in 000 ' +
    'answers, 001 does not answer, 002 is busy, 003 is unreachable; any other target ' +
    'rings without an answer.',
  keywords:
    'test call, trial, try out, dry run, pretend to be a customer, rehearse, demo, hear how it ' +
    'answers, receptionist, fake call, before it goes live, role play, check the menu',
  scope: 'calls:read',
  reach: 'project',
  effect: 'write',
  waits_for_others: true,
  body: TestCallInput,
  status: 201,
  reply: CallDetail,
  brief: briefCall,
  errors: ['not_found', 'test_free_replies_used'],
  run: ({ body }, caller) => calls.runTestCall(caller, body),
})

export const place = operation({
  name: 'calls.place',
  route: 'POST /calls',
  about:
    'The assistant calls a person who expects it, and follows the instructions. The reply shows the ' +
    'call as queued; GET /calls/{id} shows how it goes, and call.completed tells the end. In test ' +
    'mode nobody is called, it is free, and the last digits of to choose the outcome: 001 no ' +
    'answer, 002 busy, 003 failed, 004 answering machine, 005 outside the calling hours.',
  keywords:
    'ring somebody, phone a customer, outbound, call back, dial, remind by phone, confirm an ' +
    'appointment, telephone, make a call, ask by phone',
  consent: {
    about: 'The assistant calls a person. Each minute is charged.',
    costs: () => 'call.outbound',
  },
  scope: 'calls:write',
  reach: 'project',
  effect: 'money',
  body: OutboundCallInput,
  status: 201,
  reply: Call,
  headers: { idempotency_key: 'required' },
  errors: [
    'assistant_not_configured',
    'number_required',
    'outside_calling_hours',
    'consent_required',
    'verification_required',
    'concurrent_call_limit',
    'call_limit_reached',
    'billing_blocked',
    'insufficient_balance',
    'telephony_unavailable',
  ],
  run: ({ body }, caller) => calls.place(caller, body),
})

export const hangUp = operation({
  name: 'calls.hang_up',
  route: 'POST /calls/{id}/hangup',
  about: 'Ends a call that is running. A simulated call ends by itself.',
  keywords: 'stop the call, disconnect, end call, cancel call, cut off',
  consent: { about: 'Hangs up a call that is running.' },
  scope: 'calls:write',
  reach: 'project',
  effect: 'outside',
  waits_for_others: true,
  params: CallId,
  status: 200,
  reply: Call,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => calls.hangUp(caller, params.id),
})

export const transfer = operation({
  name: 'calls.transfer',
  route: 'POST /calls/{id}/transfer',
  about:
    'Puts a running call through to a phone: the assistant stops, and the phone rings. If nobody ' +
    'answers, the assistant goes on.',
  keywords: 'take over, forward the call, connect me, put through, speak to the caller myself',
  consent: { about: 'Puts a call that is running through to another phone.' },
  scope: 'calls:write',
  reach: 'project',
  effect: 'outside',
  waits_for_others: true,
  params: CallId,
  body: TransferInput,
  status: 200,
  reply: Call,
  errors: ['not_found', 'conflict', 'forward_target_not_allowed'],
  run: ({ params, body }, caller) => calls.transfer(caller, params.id, body.to),
})

const ConsentId = Type.Object({ id: withDescription(Uuid, 'Id of the consent.') })

export const listConsents = operation({
  name: 'calls.list_consents',
  route: 'GET /call-consents',
  about: 'The people who agreed to be called for marketing, newest first.',
  keywords: 'opt-in, permission to call, agreed, marketing calls, telemarketing',
  scope: 'calls:read',
  reach: 'project',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: ConsentPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => calls.listConsents(caller, query),
})

export const recordConsent = operation({
  name: 'calls.record_consent',
  route: 'POST /call-consents',
  about:
    'Records that a person agreed to marketing calls, and how. Recording it again keeps the first ' +
    'record.',
  keywords: 'opt-in, permission to call, agreed to be called, marketing consent',
  consent: { about: 'Records that a person agreed to be called for marketing.' },
  scope: 'calls:write',
  reach: 'project',
  // Assistants must not invent a consent, so a person approves it.
  effect: 'outside',
  body: ConsentInput,
  status: 201,
  reply: Consent,
  errors: [],
  run: ({ body }, caller) => calls.recordConsent(caller, body),
})

export const withdrawConsent = operation({
  name: 'calls.withdraw_consent',
  route: 'DELETE /call-consents/{id}',
  about: 'Deletes the consent of a person: they get no more marketing calls.',
  keywords: 'opt-out, withdraw permission, do not call, stop calling',
  consent: { about: 'Deletes the consent of a person to be called for marketing.' },
  scope: 'calls:write',
  reach: 'project',
  effect: 'write',
  params: ConsentId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => calls.withdrawConsent(caller, params.id),
})

/** How a call went: its transcript as one text, a line for each turn. */
function briefCall({
  id,
  status,
  duration_sec,
  path,
  messages,
  transcript,
}: JsonRecord): BriefReply {
  const lines = Array.isArray(transcript)
    ? transcript.map(({ role, text }) => `${role}: ${text}`)
    : []
  const left = Array.isArray(messages) ? messages.map(({ text }) => `message: ${text}`) : []
  return {
    reply: { id, status, duration_sec, path },
    outsiders: { transcript: [...lines, ...left].join('\n') },
  }
}
