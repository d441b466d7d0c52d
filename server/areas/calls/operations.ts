/** The operations of calls. */
import { operation } from '../../contract/operation.ts'
import { Call, CallDetail, CallId, CallPage, CallsQuery, TestCallInput } from './schema.ts'
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
  errors: ['not_found'],
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
    'plan and talks to the assistant. The reply is the ended call; the same events are ' +
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
  reply: Call,
  errors: ['not_found', 'test_free_replies_used'],
  run: ({ body }, caller) => calls.runTestCall(caller, body),
})
