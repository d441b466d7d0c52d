/**
 * A simulated Stripe: payments by saved cards, their list, and the cards. Like Stripe, it stores
 * each reply under its Idempotency-Key for a day and replays it, also a 500. Payments are kept
 * forever. No money moves.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import { randomBase62 } from '../../../../kernel/values/ids.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import * as records from '../../../../kernel/simulator-records.ts'
import type { SimulatedReply, SimulatedRequest, Simulator } from '../simulator.ts'
import { simulatedCards, type SimulatedCard } from './simulated-cards.ts'
import { answerPayer, createSession, showSession } from './simulated-checkout.ts'

const SIMULATOR = 'stripe'
const KEY_LASTS_MS = 24 * 3600 * 1000
const ID_CHARACTERS = 24
const LIST_STANDARD = 10
const LIST_MAX = 100

const ErrorBody = Type.Object({
  type: Type.String(),
  code: Type.Optional(Type.String()),
  decline_code: Type.Optional(Type.String()),
  message: Type.String(),
  param: Type.Optional(Type.String()),
})
type ErrorBody = Static<typeof ErrorBody>

const Intent = Type.Object({
  id: Type.String(),
  object: Type.Literal('payment_intent'),
  amount: Type.Integer(),
  amount_received: Type.Integer(),
  currency: Type.String(),
  customer: Type.Union([Type.String(), Type.Null()]),
  payment_method: Type.Union([Type.String(), Type.Null()]),
  description: Type.Union([Type.String(), Type.Null()]),
  metadata: Type.Record(Type.String(), Type.String()),
  status: Type.String(),
  last_payment_error: Type.Union([ErrorBody, Type.Null()]),
  created: Type.Integer(),
  livemode: Type.Literal(false),
})
type Intent = Static<typeof Intent>

const SavedReply = Type.Object({
  made_at_ms: Type.Number(),
  /** The original request; another request with the same key is refused. */
  asked: Type.String(),
  status: Type.Integer(),
  json: Type.Unknown(),
})
type SavedReply = Static<typeof SavedReply>

export const stripeSimulator: Simulator = {
  name: SIMULATOR,
  answer: async (runtime, request) =>
    (await answerPayer(runtime, request)) ?? answerKey(runtime, request),
}

async function answerKey(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  if (!/^Bearer \S+$/.test(request.headers['authorization'] ?? '')) {
    return refuse(401, { message: 'You did not provide an API key.' })
  }
  const [, kind, id] =
    /^\/v1\/(payment_intents|payment_methods|checkout\/sessions)(?:\/(\w+))?$/.exec(request.path) ??
    []
  const question = `${request.method} ${kind}${id === undefined ? '' : '/id'}`
  switch (question) {
    case 'POST payment_intents':
      return createIntent(runtime, request)
    case 'GET payment_intents':
      return { status: 200, json: await listIntents(runtime, request.query) }
    case 'GET payment_intents/id':
      return showIntent(runtime, id ?? '')
    case 'POST checkout/sessions':
      return createSession(runtime, request)
    case 'GET checkout/sessions/id':
      return showSession(runtime, id ?? '')
    case 'GET payment_methods/id':
      return showCard(runtime, id ?? '')
    default:
      return refuse(404, { message: `Unrecognized request URL (${request.path}).` })
  }
}

async function createIntent(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  const key = request.headers['idempotency-key']
  const saved = key === undefined ? null : await findSaved(runtime, key)
  if (saved !== null) return repeat(saved, request)
  const form = new URLSearchParams(request.body)
  const fault = faultOf(form)
  if (fault !== null) return refuse(400, fault)
  const card = simulatedCards.get(form.get('payment_method') ?? '')
  if (!card) return refuse(400, noCard(form.get('payment_method') ?? ''))
  const intent = newIntent(runtime, form, card)
  const reply = replyTo(intent, card)
  if (key !== undefined && !(await save(runtime, key, { asked: request.body, ...reply }))) {
    return refuse(409, {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message: 'There is currently another in-progress request using this Idempotent Key.',
    })
  }
  await records.insertRecord(runtime, { simulator: SIMULATOR, id: intent.id, record: intent })
  return card.after_taking === 'silence' ? 'silence' : reply
}

const known = new RegExp(
  '^(?:amount|currency|payment_method|customer|confirm|off_session|description|' +
    String.raw`metadata\[[^\]]+\]|allowed_payment_method_types\[0\])$`,
)

function faultOf(form: URLSearchParams): Partial<ErrorBody> | null {
  const unknown = [...form.keys()].find((name) => !known.test(name))
  if (unknown !== undefined) {
    const message = `Received unknown parameter: ${unknown}`
    return { code: 'parameter_unknown', param: unknown, message }
  }
  const amount = Number(form.get('amount'))
  if (!Number.isInteger(amount) || amount < 50) {
    return { code: 'amount_too_small', param: 'amount', message: 'The amount is too small.' }
  }
  if (form.get('currency') !== 'eur') {
    return { param: 'currency', message: 'This simulator takes euro.' }
  }
  if (form.get('confirm') !== 'true' || form.get('off_session') !== 'true') {
    return { param: 'confirm', message: 'This simulator confirms at once, off session.' }
  }
  return null
}

function newIntent(runtime: Runtime, form: URLSearchParams, card: SimulatedCard): Intent {
  const amount = Number(form.get('amount'))
  const metadata = [...form].flatMap(([name, value]) => {
    const field = /^metadata\[([^\]]+)\]$/.exec(name)?.[1]
    return field === undefined ? [] : [[field, value] as const]
  })
  return {
    id: `pi_${randomBase62(ID_CHARACTERS)}`,
    object: 'payment_intent',
    amount,
    amount_received: card.error ? 0 : amount,
    currency: 'eur',
    customer: form.get('customer'),
    // A payment that failed has no payment method, as at Stripe.
    payment_method: card.error ? null : form.get('payment_method'),
    description: form.get('description'),
    metadata: Object.fromEntries(metadata),
    status: card.error ? 'requires_payment_method' : 'succeeded',
    last_payment_error: card.error ? { type: 'card_error', ...card.error } : null,
    created: Math.floor(runtime.clock.now_ms() / 1000),
    livemode: false,
  }
}

function replyTo(intent: Intent, card: SimulatedCard): { status: number; json: unknown } {
  if (card.after_taking === 'trouble') {
    return { status: 500, json: { error: { type: 'api_error', message: 'Something went wrong.' } } }
  }
  if (!intent.last_payment_error) return { status: 200, json: intent }
  return {
    status: 402,
    json: { error: { ...intent.last_payment_error, payment_intent: intent } },
  }
}

/** Returns the stored reply of an Idempotency-Key; null after a day. */
async function findSaved(runtime: Runtime, key: string): Promise<SavedReply | null> {
  const found = await records.findRecord(runtime, SIMULATOR, recordOfKey(key))
  if (!found || !schemaChecks().Check(SavedReply, found.record)) return null
  const { record } = found
  return record.made_at_ms + KEY_LASTS_MS > runtime.clock.now_ms() ? record : null
}

/** Stores the reply. Returns false if a concurrent request with the same key was first. */
async function save(
  runtime: Runtime,
  key: string,
  reply: Omit<SavedReply, 'made_at_ms'>,
): Promise<boolean> {
  const now_ms = runtime.clock.now_ms()
  const id = recordOfKey(key)
  const record: SavedReply = { made_at_ms: now_ms, ...reply }
  if (await records.insertRecord(runtime, { simulator: SIMULATOR, id, record })) return true
  if ((await findSaved(runtime, key)) !== null) return false
  await records.updateRecord(runtime, { simulator: SIMULATOR, id, record })
  return true
}

function recordOfKey(key: string): string {
  return `key:${key}`
}

function repeat({ asked, status, json }: SavedReply, request: SimulatedRequest): SimulatedReply {
  if (asked === request.body) return { status, json }
  return refuse(400, {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters.',
  })
}

async function listIntents(runtime: Runtime, query: URLSearchParams) {
  const intents = await readIntents(runtime)
  const since_s = Number(query.get('created[gte]') ?? 0)
  const customer = query.get('customer')
  const limit = Math.min(Number(query.get('limit') ?? LIST_STANDARD), LIST_MAX)
  const matching = intents.filter(
    (intent) => intent.created >= since_s && (customer === null || intent.customer === customer),
  )
  const begin = matching.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const data = matching.slice(begin, begin + limit)
  const has_more = begin + limit < matching.length
  return { object: 'list', url: '/v1/payment_intents', data, has_more }
}

/** Newest first. */
async function readIntents(runtime: Runtime): Promise<Intent[]> {
  const rows = await records.listRecords(runtime, SIMULATOR)
  return rows
    .flatMap(({ record }) => (schemaChecks().Check(Intent, record) ? [record] : []))
    .toReversed()
}

async function showIntent(runtime: Runtime, id: string): Promise<SimulatedReply> {
  const found = await records.findRecord(runtime, SIMULATOR, id)
  if (found && schemaChecks().Check(Intent, found.record))
    return { status: 200, json: found.record }
  return refuse(404, {
    code: 'resource_missing',
    param: 'intent',
    message: `No such payment_intent: '${id}'`,
  })
}

function showCard(runtime: Runtime, id: string): SimulatedReply {
  const card = simulatedCards.get(id)
  if (!card) return refuse(404, noCard(id))
  const { brand, last4 } = card
  const exp_year = runtime.clock.now().getUTCFullYear() + 1
  const json = {
    id,
    object: 'payment_method',
    type: 'card',
    customer: null,
    card: { brand, last4, exp_month: 12, exp_year },
    livemode: false,
  }
  return { status: 200, json }
}

function noCard(id: string): Partial<ErrorBody> {
  return {
    code: 'resource_missing',
    param: 'payment_method',
    message: `No such PaymentMethod: '${id}'`,
  }
}

function refuse(status: number, error: Partial<ErrorBody>): SimulatedReply {
  return { status, json: { error: { type: 'invalid_request_error', ...error } } }
}
