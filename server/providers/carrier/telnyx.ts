/**
 * Adapter for Telnyx, API v2. An order there is a list of numbers; ours have one. Telnyx has no
 * Idempotency-Key for orders, so each order carries our reference, by which it is found again.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  CarrierError,
  soldCountry,
  type Carrier,
  type CarrierOffer,
  type CarrierOrder,
  type CarrierOrderState,
  type CarrierSearch,
  type CodeMessage,
} from './carrier-contract.ts'
import {
  askCarrier,
  carrierApi,
  optionalOrNull,
  readReply,
  refusalError,
  type CarrierAddress,
  type CarrierApi,
} from './carrier-request.ts'
import { telnyxCalls } from './calls/telnyx-calls.ts'
import { telnyxMessages } from './messages/telnyx-messages.ts'

/**
 * Minimum number of results to request: Telnyx returns numbers in stock at any position of the
 * list.
 */
const SEARCHED_MIN = 50
/** Error code for a number that is purchased or held by another account. */
const TAKEN_CODE = '85001'
const takenWords = /already (?:been )?(?:purchased|ordered|reserved|taken)|no longer available/i

const ErrorReply = Type.Object({
  errors: Type.Array(
    Type.Object({
      code: Type.Union([Type.String(), Type.Number()]),
      title: optionalOrNull(Type.String()),
      detail: optionalOrNull(Type.String()),
    }),
    { minItems: 1 },
  ),
})

const SearchReply = Type.Object({
  data: Type.Array(
    Type.Object({
      phone_number: Type.String(),
      quickship: optionalOrNull(Type.Boolean()),
      best_effort: optionalOrNull(Type.Boolean()),
    }),
  ),
})

const Order = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.String(),
  customer_reference: optionalOrNull(Type.String()),
  requirements_met: optionalOrNull(Type.Boolean()),
  phone_numbers: Type.Array(
    Type.Object({
      phone_number: Type.String(),
      status: optionalOrNull(Type.String()),
      requirements_met: optionalOrNull(Type.Boolean()),
      requirements_status: optionalOrNull(Type.String()),
    }),
  ),
})
type Order = Static<typeof Order>
const OrderReply = Type.Object({ data: Order })
const OrderListReply = Type.Object({ data: Type.Array(Order) })

const AccountNumber = Type.Object({
  id: Type.String({ minLength: 1 }),
  phone_number: Type.String(),
  status: Type.String(),
  customer_reference: optionalOrNull(Type.String()),
})
type AccountNumber = Static<typeof AccountNumber>
const NumberListReply = Type.Object({ data: Type.Array(AccountNumber) })

export function telnyxCarrier(runtime: Runtime, address: CarrierAddress): Carrier {
  const { code_sender = '', public_key = () => '' } = address
  const api = carrierApi(runtime, {
    name: 'Telnyx',
    address,
    authorization: `Bearer ${address.key}`,
    reasonIn: readReason,
  })
  return {
    search: (search) => searchNumbers(api, search),
    order: (order) => orderNumber(api, order),
    find: (order) => findOrder(api, order),
    release: (order) => releaseNumber(api, order),
    sendCode: code_sender === '' ? null : (message) => sendCode(api, code_sender, message),
    messages: telnyxMessages(api, public_key),
    calls: telnyxCalls(api, public_key),
  }
}

function readReason(json: unknown): { code: string; detail: string } | null {
  if (!schemaChecks().Check(ErrorReply, json)) return null
  const [{ code, title, detail } = { code: '' }] = json.errors
  return { code: String(code), detail: detail || title || 'it gave no reason' }
}

async function searchNumbers(
  api: CarrierApi,
  { type, area, count }: CarrierSearch,
): Promise<CarrierOffer[]> {
  const destination = area?.replace(/^0/, '') ?? ''
  const reply = await askCarrier(api, {
    method: 'GET',
    path: '/available_phone_numbers',
    query: {
      'filter[country_code]': soldCountry.iso,
      'filter[phone_number_type]': type === 'national' ? 'national' : 'local',
      ...(destination === '' ? {} : { 'filter[national_destination_code]': destination }),
      'filter[features]': 'voice',
      'filter[limit]': String(Math.max(count, SEARCHED_MIN)),
    },
  })
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, SearchReply, reply)
    .data.filter((found) => found.best_effort !== true)
    .map((found) => ({ e164: found.phone_number, from_stock: found.quickship === true }))
    .filter(({ e164 }) => e164.startsWith(`+${soldCountry.calling_code}${destination}`))
    .toSorted((a, b) => Number(b.from_stock) - Number(a.from_stock))
    .slice(0, count)
}

type OurOrder = { e164: string; reference: string }

async function orderNumber(api: CarrierApi, { e164, reference }: OurOrder): Promise<CarrierOrder> {
  const { account } = api.runtime.config.carrier
  const reply = await askCarrier(api, {
    method: 'POST',
    path: '/number_orders',
    body: {
      phone_numbers: [{ phone_number: e164 }],
      customer_reference: reference,
      ...(account === '' ? {} : { connection_id: account }),
    },
  })
  const reason = reply.status >= 400 ? readReason(reply.json) : null
  if (reason && (reason.code === TAKEN_CODE || takenWords.test(reason.detail))) {
    return orderOfOurs(api, { e164, reference })
  }
  if (reply.status >= 400) throw refusalError(api, reply)
  const order = readReply(api, OrderReply, reply).data
  const state = stateOf(order, e164)
  if (state === null) {
    throw new CarrierError('unknown', `Telnyx answered with an order that is not for ${e164}.`)
  }
  if (state !== 'active') return { carrier_id: order.id, e164, state }
  // If the account cannot be read now, the order is pending, and `find` decides later.
  const confirmed = await confirm(api, { e164, reference }).catch(pendingIfUnanswered)
  return { carrier_id: order.id, e164, state: confirmed }
}

function pendingIfUnanswered(error: unknown): CarrierOrderState {
  if (error instanceof CarrierError) return 'pending'
  throw error
}

/**
 * Returns the order of this reference if it has the taken number; throws number_taken otherwise.
 */
async function orderOfOurs(api: CarrierApi, order: OurOrder): Promise<CarrierOrder> {
  const found = await findOrder(api, order).catch((error: unknown) => {
    const message = `Telnyx reports ${order.e164} as taken without its owner.`
    throw new CarrierError('unknown', message, error)
  })
  if (found?.e164 === order.e164) return found
  throw new CarrierError('number_taken', `Telnyx no longer has ${order.e164}.`)
}

async function findOrder(
  api: CarrierApi,
  { e164, reference }: OurOrder,
): Promise<CarrierOrder | null> {
  const reply = await askCarrier(api, {
    method: 'GET',
    path: '/number_orders',
    query: { 'filter[customer_reference]': reference },
  })
  if (reply.status >= 400) throw refusalError(api, reply)
  const found = readReply(api, OrderListReply, reply)
    .data.filter((order) => order.customer_reference === reference)
    .flatMap(numbersOrdered)
  const best = mostLikely(found, e164)
  if (best?.state !== 'active') return best
  return { ...best, state: await confirm(api, { e164: best.e164, reference }) }
}

function numbersOrdered(order: Order): CarrierOrder[] {
  return order.phone_numbers.flatMap(({ phone_number }) => {
    const state = stateOf(order, phone_number)
    return state === null ? [] : [{ carrier_id: order.id, e164: phone_number, state }]
  })
}

/** Prefers orders of the requested number, then orders that did not fail. */
function mostLikely(found: readonly CarrierOrder[], e164: string): CarrierOrder | null {
  const rank = (order: CarrierOrder) =>
    (order.e164 === e164 ? 0 : 2) + (order.state === 'failed' ? 1 : 0)
  return found.toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}

const lostRequirements: readonly unknown[] = ['cancelled', 'deleted']

/**
 * The state of a number according to its order, before the account is checked; null if it is not in
 * the order.
 */
function stateOf(order: Order, e164: string): CarrierOrderState | null {
  const number = order.phone_numbers.find(({ phone_number }) => phone_number === e164)
  if (number === undefined) return null
  const statuses = [order.status, number.status ?? order.status]
  if (statuses.includes('failure')) return 'failed'
  if (lostRequirements.includes(number.requirements_status)) return 'failed'
  const is_waiting = order.requirements_met === false || number.requirements_met === false
  return !is_waiting && statuses.every((status) => status === 'success') ? 'active' : 'pending'
}

/**
 * Confirms a successful order by the account: the number may not have arrived yet, or may have been
 * released since and sold to another order.
 */
async function confirm(api: CarrierApi, { e164, reference }: OurOrder): Promise<CarrierOrderState> {
  const number = await accountNumber(api, e164)
  if (number === undefined) return 'pending'
  if (number.customer_reference && number.customer_reference !== reference) return 'failed'
  if (number.status === 'purchase-failed') return 'failed'
  return number.status === 'active' ? 'active' : 'pending'
}

async function accountNumber(api: CarrierApi, e164: string) {
  const reply = await askCarrier(api, {
    method: 'GET',
    path: '/phone_numbers',
    // The filter matches digits only.
    query: { 'filter[phone_number]': e164.replace('+', '') },
  })
  if (reply.status >= 400) throw refusalError(api, reply)
  const { data } = readReply(api, NumberListReply, reply)
  return data.find(({ phone_number, status }) => phone_number === e164 && status !== 'deleted')
}

async function releaseNumber(
  api: CarrierApi,
  { carrier_id, e164 }: { carrier_id: string; e164: string },
): Promise<void> {
  const number = await accountNumber(api, e164)
  if (number === undefined || (await isOfLaterOrder(api, carrier_id, number))) return
  const reply = await askCarrier(api, {
    method: 'DELETE',
    path: `/phone_numbers/${encodeURIComponent(number.id)}`,
  })
  if (reply.status >= 400 && reply.status !== 404) throw refusalError(api, reply)
}

/** Whether the number now belongs to another order, which must keep it. */
async function isOfLaterOrder(
  api: CarrierApi,
  carrier_id: string,
  { customer_reference }: AccountNumber,
): Promise<boolean> {
  const reply = await askCarrier(api, {
    method: 'GET',
    path: `/number_orders/${encodeURIComponent(carrier_id)}`,
  })
  if (reply.status === 404) return false
  if (reply.status >= 400) throw refusalError(api, reply)
  const order = readReply(api, OrderReply, reply).data
  if (!customer_reference || !order.customer_reference) return false
  return customer_reference !== order.customer_reference
}

/** Sends our own code by Telnyx Verify. The language is that of the Verify profile. */
async function sendCode(
  api: CarrierApi,
  verify_profile_id: string,
  { to, code, channel }: CodeMessage,
): Promise<void> {
  const reply = await askCarrier(api, {
    method: 'POST',
    path: `/verifications/${channel}`,
    body: { phone_number: to, verify_profile_id, custom_code: code },
  })
  if (reply.status >= 400) throw refusalError(api, reply)
}
