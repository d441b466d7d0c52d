/**
 * A simulated Telnyx: number search, number orders and phone numbers of its API v2, so that
 * development runs the production adapter. telnyx-stock.ts defines the numbers, telnyx-memory.ts
 * stores sales.
 */
import { Type } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedRoute, Simulator } from '../simulator.ts'
import { soldCountry } from '../../../../providers/carrier/carrier-contract.ts'
import {
  findOrdered,
  findSold,
  listFreeNumbers,
  listSold,
  markDeleted,
  sellNumber,
  type SoldNumber,
} from './telnyx-memory.ts'
import { callRoutes } from './telnyx-calls.ts'
import { receiveSimulated, sendSimulated } from './telnyx-messages.ts'
import { noteCode, VerificationRequest } from './telnyx-codes.ts'
import {
  findOrderBehaviour,
  magicSearches,
  prefixes,
  findPrefix,
  numberTaken,
} from './telnyx-stock.ts'
import type { Prefix, TelnyxFault } from './telnyx-stock.ts'

const LIMIT_MAX = 250
const PAGE_SIZE = 20

export const telnyxSimulator: Simulator = {
  name: 'telnyx',
  async answer(runtime, request) {
    if (!/^Bearer \S/.test(request.headers['authorization'] ?? '')) return refuse(noKey)
    const route = routes.find(({ method, path }) => {
      return method === request.method && path.test(request.path)
    })
    if (route === undefined) return refuse(notFound)
    const [, ...parts] = route.path.exec(request.path) ?? []
    return route.answer(runtime, request, ...parts)
  },
}

const routes: readonly SimulatedRoute[] = [
  { method: 'POST', path: /^\/v2\/verifications\/(sms|call)$/, answer: verify },
  {
    method: 'POST',
    path: /^\/v2\/messages(?:\/alphanumeric_sender_id)?$/,
    answer: (runtime, { body }) => sendSimulated(runtime, readJson(body)),
  },
  {
    method: 'POST',
    path: /^\/inbound_messages$/,
    answer: (runtime, { body }) => receiveSimulated(runtime, readJson(body)),
  },
  ...callRoutes,
  { method: 'GET', path: /^\/v2\/available_phone_numbers$/, answer: search },
  { method: 'POST', path: /^\/v2\/number_orders$/, answer: order },
  { method: 'GET', path: /^\/v2\/number_orders$/, answer: listOrders },
  { method: 'GET', path: /^\/v2\/number_orders\/([^/]+)$/, answer: retrieveOrder },
  { method: 'GET', path: /^\/v2\/phone_numbers$/, answer: listNumbers },
  { method: 'GET', path: /^\/v2\/phone_numbers\/([^/]+)$/, answer: retrieveNumber },
  { method: 'DELETE', path: /^\/v2\/phone_numbers\/([^/]+)$/, answer: deleteNumber },
]

const noKey: TelnyxFault = {
  status: 401,
  code: '10009',
  title: 'Authentication failed',
  detail: 'The required authentication headers were either invalid or not included.',
}
const notFound: TelnyxFault = {
  status: 404,
  code: '10005',
  title: 'Resource not found',
  detail: 'The requested resource or URL could not be found.',
}

function badRequest(detail: string): SimulatedReply {
  return refuse({ status: 400, code: '10015', title: 'Bad Request', detail })
}

function refuse({ status, ...error }: TelnyxFault): SimulatedReply {
  return { status, json: { errors: [error] } }
}

/** A number that ends in 9008 is refused, and one that ends in 9004 gets no reply. */
async function verify(
  runtime: Runtime,
  { body }: SimulatedRequest,
  channel: string,
): Promise<SimulatedReply> {
  const request = readJson(body)
  if (!schemaChecks().Check(VerificationRequest, request))
    return badRequest('The request is incomplete.')
  const { phone_number, verify_profile_id, custom_code } = request
  if (phone_number.endsWith('9004')) return 'silence'
  if (phone_number.endsWith('9008')) return badRequest('This number cannot be reached.')
  const { id } = await noteCode(runtime, { to: phone_number, code: custom_code, channel })
  const data = {
    id,
    record_type: 'verification',
    phone_number,
    verify_profile_id,
    type: channel,
    status: 'pending',
    created_at: runtime.clock.now().toISOString(),
  }
  return { status: 200, json: { data } }
}

/** Refuses an unsupported filter, instead of ignoring it. */
function unknownQuery({ query }: SimulatedRequest, known: readonly string[]): string | null {
  const allowed = [...known, 'page[number]', 'page[size]']
  return [...query.keys()].find((name) => !allowed.includes(name)) ?? null
}

const searchFilters = [
  'filter[country_code]',
  'filter[national_destination_code]',
  'filter[phone_number_type]',
  'filter[features]',
  'filter[limit]',
]

async function search(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  const stranger = unknownQuery(request, searchFilters)
  if (stranger !== null) return badRequest(`The simulator does not know ${stranger}.`)
  const limit = Number(request.query.get('filter[limit]') ?? LIMIT_MAX)
  if (!Number.isInteger(limit) || limit < 1) return badRequest('filter[limit] is not a number.')
  const area = request.query.get('filter[national_destination_code]')
  const magic = magicSearches.get(area ?? '')
  if (magic !== undefined) return magic === 'silence' ? 'silence' : refuse(magic)
  const count = Math.min(limit, LIMIT_MAX)
  const found: unknown[] = []
  for (const prefix of searchedPrefixes(request.query)) {
    const free = await listFreeNumbers(runtime, prefix, count - found.length)
    found.push(...free.map((e164) => availableNumber(e164, prefix)))
    if (found.length >= count) break
  }
  const meta = { total_results: found.length, best_effort_results: 0 }
  return { status: 200, json: { data: found, meta, metadata: meta } }
}

function searchedPrefixes(query: URLSearchParams): Prefix[] {
  const iso = query.get('filter[country_code]') ?? soldCountry.iso
  const type = query.get('filter[phone_number_type]')
  const area = query.get('filter[national_destination_code]')
  if (iso !== soldCountry.iso) return []
  return prefixes.filter((prefix) => {
    return (
      (type ?? telnyxType(prefix)) === telnyxType(prefix) &&
      (area ?? prefix.digits) === prefix.digits
    )
  })
}

function telnyxType(prefix: Prefix | undefined): 'national' | 'local' {
  return prefix?.type === 'national' ? 'national' : 'local'
}

function availableNumber(e164: string, prefix: Prefix) {
  return {
    record_type: 'available_phone_number',
    phone_number: e164,
    vanity_format: null,
    best_effort: false,
    quickship: prefix.from_stock,
    reservable: true,
    region_information: [{ region_type: 'country_code', region_name: soldCountry.iso }],
    cost_information: { upfront_cost: '1.00000', monthly_cost: '1.00000', currency: 'EUR' },
    features: [{ name: 'voice' }],
  }
}

const OrderRequest = Type.Object({
  phone_numbers: Type.Array(Type.Object({ phone_number: Type.String() }), { minItems: 1 }),
  customer_reference: Type.Optional(Type.String()),
  connection_id: Type.Optional(Type.String()),
})

async function order(runtime: Runtime, { body }: SimulatedRequest): Promise<SimulatedReply> {
  const request = readJson(body)
  if (!schemaChecks().Check(OrderRequest, request))
    return badRequest('The order names no phone numbers.')
  const [{ phone_number: e164 } = { phone_number: '' }, ...more] = request.phone_numbers
  if (more.length > 0) return badRequest('The simulator sells one number an order.')
  const { fate, answer } = findOrderBehaviour(e164)
  const sold = fate && {
    e164,
    fate,
    reference: request.customer_reference ?? null,
    connection_id: request.connection_id ?? null,
  }
  const kept = sold && (await sellNumber(runtime, sold))
  if (sold !== null && kept === null) return refuse(numberTaken)
  if (answer === 'silence') return 'silence'
  if (answer !== 'order' || kept === null) return refuse(answer === 'order' ? numberTaken : answer)
  return { status: 200, json: { data: numberOrder(kept) } }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function numberOrder(sold: SoldNumber) {
  const { e164, order_id, status } = sold
  const requirements_met = sold.fate !== 'awaits_documents'
  const number = {
    record_type: 'number_order_phone_number',
    id: numberId(sold),
    phone_number: e164,
    phone_number_type: telnyxType(findPrefix(e164)),
    country_code: soldCountry.iso,
    country_iso_alpha2: soldCountry.iso,
    bundle_id: null,
    regulatory_requirements: [],
    requirements_met,
    requirements_status: requirements_met ? 'approved' : 'requirement-info-pending',
    status,
  }
  return {
    record_type: 'number_order',
    id: order_id,
    status,
    requirements_met,
    phone_numbers: [number],
    phone_numbers_count: 1,
    sub_number_orders_ids: [],
    connection_id: sold.connection_id,
    customer_reference: sold.reference,
    messaging_profile_id: null,
    billing_group_id: null,
    created_at: sold.created_at.toISOString(),
    updated_at: sold.updated_at.toISOString(),
  }
}

/** Telnyx uses numeric ids for phone numbers; the simulator uses the digits of the number. */
function numberId({ e164 }: SoldNumber): string {
  return e164.slice(1)
}

async function listOrders(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  const stranger = unknownQuery(request, ['filter[customer_reference]', 'filter[status]'])
  if (stranger !== null) return badRequest(`The simulator does not know ${stranger}.`)
  const status = request.query.get('filter[status]')
  const sold = await listSold(runtime, request.query.get('filter[customer_reference]'))
  const orders = sold.filter((one) => (status ?? one.status) === one.status).map(numberOrder)
  return paged(request, orders)
}

function paged({ query }: SimulatedRequest, all: readonly unknown[]): SimulatedReply {
  const size = Number(query.get('page[size]') ?? PAGE_SIZE)
  const page = Number(query.get('page[number]') ?? 1)
  const are_counts = [size, page].every((count) => Number.isInteger(count) && count >= 1)
  if (!are_counts || size > LIMIT_MAX) return badRequest('The page is not a number.')
  const meta = {
    page_number: page,
    page_size: size,
    total_pages: Math.max(1, Math.ceil(all.length / size)),
    total_results: all.length,
  }
  return { status: 200, json: { data: all.slice((page - 1) * size, page * size), meta } }
}

async function retrieveOrder(
  runtime: Runtime,
  _request: SimulatedRequest,
  id: string,
): Promise<SimulatedReply> {
  const sold = await findOrdered(runtime, id)
  if (sold === null) return refuse(notFound)
  return { status: 200, json: { data: numberOrder(sold) } }
}

/** The account contains pending numbers, but not refused ones. */
function isListed({ status, is_deleted }: SoldNumber): boolean {
  return status !== 'failure' && !is_deleted
}

function phoneNumber(sold: SoldNumber) {
  const created_at = sold.created_at.toISOString()
  const is_active = sold.status === 'success'
  return {
    record_type: 'phone_number',
    id: numberId(sold),
    phone_number: sold.e164,
    phone_number_type: telnyxType(findPrefix(sold.e164)),
    country_iso_alpha2: soldCountry.iso,
    status: sold.is_deleted ? 'deleted' : is_active ? 'active' : 'purchase-pending',
    connection_id: sold.connection_id,
    customer_reference: sold.reference,
    source_type: 'number_order',
    tags: [],
    external_pin: null,
    deletion_lock_enabled: false,
    created_at,
    purchased_at: created_at,
    activated_at: is_active ? sold.updated_at.toISOString() : null,
    updated_at: sold.updated_at.toISOString(),
  }
}

async function listNumbers(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  const known = ['filter[phone_number]', 'filter[customer_reference]']
  const stranger = unknownQuery(request, known)
  if (stranger !== null) return badRequest(`The simulator does not know ${stranger}.`)
  const digits = request.query.get('filter[phone_number]') ?? ''
  const sold = await soldWith(runtime, digits, request.query.get('filter[customer_reference]'))
  // As at Telnyx, a plus or a space in the filter matches nothing.
  const numbers = sold.filter((one) => isListed(one) && numberId(one).includes(digits))
  return paged(request, numbers.map(phoneNumber))
}

/** Looks up a whole number; searches all sold numbers for a part. */
async function soldWith(runtime: Runtime, digits: string, reference: string | null) {
  if (reference !== null || !/^31\d{9}$/.test(digits)) return listSold(runtime, reference)
  const sold = await findSold(runtime, `+${digits}`)
  return sold === null ? [] : [sold]
}

async function retrieveNumber(
  runtime: Runtime,
  _request: SimulatedRequest,
  id: string,
): Promise<SimulatedReply> {
  const sold = await findSold(runtime, `+${id}`)
  if (sold === null || !isListed(sold)) return refuse(notFound)
  return { status: 200, json: { data: phoneNumber(sold) } }
}

async function deleteNumber(
  runtime: Runtime,
  _request: SimulatedRequest,
  id: string,
): Promise<SimulatedReply> {
  const sold = await findSold(runtime, `+${id}`)
  if (sold === null || !isListed(sold)) return refuse(notFound)
  await markDeleted(runtime, sold)
  return { status: 200, json: { data: phoneNumber({ ...sold, is_deleted: true }) } }
}
