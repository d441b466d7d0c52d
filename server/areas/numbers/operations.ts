/** The operations of phone numbers and of their call plans. */
import { operation } from '../../contract/operation.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { CallPlanReply, SentPlan } from '../call-plans/schema.ts'
import * as callPlans from '../call-plans/service.ts'
import {
  AvailableNumberList,
  NumberId,
  NumberList,
  NumberOrder,
  NumberSearch,
  OrderedNumber,
  ReleasedNumber,
} from './schema.ts'
import * as numbers from './service.ts'

export const list = operation({
  name: 'numbers.list',
  route: 'GET /numbers',
  about: 'The phone numbers of the project, oldest first. Released numbers are left out.',
  keywords:
    'our number, telephone, lines, DIDs, which number do we have, active numbers, phone lines, ' +
    'overview of numbers',
  scope: 'numbers:read',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: NumberList,
  errors: [],
  run: async (_input, caller) => ({ data: await numbers.list(caller) }),
})

export const available = operation({
  name: 'numbers.available',
  route: 'GET /numbers/available',
  about:
    'Numbers available to order now, numbers from stock first. A test key gets free ' +
    'numbers of the test range.',
  keywords:
    'area code, local number, search, find, free, pick, choose, inventory, DID, city, ' +
    'landline, nice number, easy to remember, prefix, city code',
  scope: 'numbers:read',
  reach: 'project',
  effect: 'read',
  query: NumberSearch,
  status: 200,
  reply: AvailableNumberList,
  errors: ['validation_failed', 'upstream_error', 'telephony_unavailable'],
  run: ({ query }, caller) => numbers.search(caller, query),
})

export const order = operation({
  name: 'numbers.order',
  route: 'POST /numbers',
  about:
    'Orders a phone number; without area, a national one. With a test key it is a ' +
    'number of the test range, free and active at once. A retry with the same ' +
    'Idempotency-Key returns the same number and never orders a second one.',
  keywords:
    'buy, purchase, get a local number, provision, new line, landline, DID, telephone number, ' +
    'claim, rent, allocate, second line, for the shop',
  consent: {
    about: 'Orders a phone number for the project, charged monthly.',
    costs: (given) => `number.${numbers.findOrderedType(given)}`,
  },
  scope: 'numbers:write',
  reach: 'project',
  effect: 'money',
  body: NumberOrder,
  status: 201,
  reply: OrderedNumber,
  headers: { idempotency_key: 'required' },
  errors: [
    'plan_limit_reached',
    'payment_mandate_missing',
    'billing_blocked',
    'insufficient_balance',
    'verification_required',
    'phone_verification_required',
    'number_limit_reached',
    'number_unavailable',
    'number_already_yours',
    'company_details_missing',
    'business_required',
    'spend_cap_missing',
    'regulatory_documents_missing',
    'no_numbers_available',
    'test_number_limit_reached',
    'order_status_unknown',
    'upstream_error',
    'telephony_unavailable',
  ],
  run: ({ body }, caller) => numbers.order(caller, body),
})

export const release = operation({
  name: 'numbers.release',
  route: 'DELETE /numbers/{id}',
  about:
    'Releases a test number to make room for another. Its call plan is deleted; its ' +
    'calls and messages are kept. Live numbers cannot be released here.',
  keywords:
    'give up, get rid of line, cancel, no longer needed, unused, hand back, stop paying, ' +
    'terminate, close, ditch, contract, second phone',
  consent: {
    about:
      'Releases a test phone number. Its call plan is deleted; its calls and messages are kept.',
    subject: async ({ params }, caller) =>
      (await numbers.find(caller.db, caller.project.id, params.id))?.e164 ?? null,
  },
  scope: 'numbers:write',
  reach: 'project',
  effect: 'write',
  params: NumberId,
  status: 200,
  reply: ReleasedNumber,
  errors: ['not_found', 'number_release_not_supported'],
  run: ({ params }, caller) => numbers.release(caller, params.id),
})

export const showPlan = operation({
  name: 'numbers.get_call_plan',
  route: 'GET /numbers/{id}/call-plan',
  about: 'The call plan in force for the number. Its version is also in the ETag header.',
  keywords:
    'call flow, IVR, routing, what callers get, who rings first, after hours, steps, incoming ' +
    'calls, phone menu, forwarding, at night, what happens when somebody calls, settings',
  scope: 'numbers:read',
  reach: 'project',
  effect: 'read',
  params: NumberId,
  status: 200,
  reply: CallPlanReply,
  headers: { etag: 'version' },
  errors: ['not_found'],
  run: async ({ params }, caller) =>
    callPlans.showPlan(caller, await numbers.requireNumber(caller, params.id)),
})

export const putPlan = operation({
  name: 'numbers.put_call_plan',
  route: 'PUT /numbers/{id}/call-plan',
  about:
    "Replaces the number's call plan. The body is the plan, stored exactly as sent; " +
    'keys without effect are listed in warnings. With If-Match, the request is refused ' +
    'if the plan has changed.',
  keywords:
    'call flow, IVR, menu, press 1, keypad, ring my mobile, forward, divert, voicemail, after ' +
    'hours, business hours, opening hours, block caller, spam calls, salesman getting through, ' +
    'no answer, pick up, route incoming calls, handset, machine, tape, connect through, ' +
    'holiday, at night, straight to mobile, ring in turn, ring too, seconds, phone menu, ' +
    'mailbox, calls go first, pause the receptionist',
  scope: 'numbers:write',
  reach: 'project',
  effect: 'write',
  params: NumberId,
  body: SentPlan,
  status: 200,
  reply: CallPlanReply,
  headers: { etag: 'version' },
  errors: [
    'not_found',
    'version_conflict',
    'voice_ai_not_enabled',
    'assistant_not_configured',
    'team_targets_not_allowed',
    'forward_target_not_allowed',
  ],
  async run({ params, body, text, if_match }, caller) {
    const number = await numbers.requireNumber(caller, params.id)
    const facts = await numbers.readPlanFacts(caller)
    const hold = (tx: Transaction) => numbers.holdNumber(tx, number)
    const voice_ai = numbers.hasVoiceAi(caller.runtime, number)
    const input = { number, ...facts, plan: body, text, if_match, hold, voice_ai }
    return callPlans.putPlan(caller, input)
  },
})
