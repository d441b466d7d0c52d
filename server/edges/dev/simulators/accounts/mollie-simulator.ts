/** A simulated Mollie: payments, refunds, customers and the profile, as its API version 2 shows them. */
import type { Runtime } from '../../../../kernel/runtime.ts'
import type { SimulatedReply, SimulatedRequest, Simulator } from '../simulator.ts'
import {
  answerPayer,
  findPayment,
  insertPayment,
  keepPayment,
  listPayments,
  newSimulatedId,
  sendCallback,
  type SimulatedPayment,
} from './simulated-payments.ts'

const NAME = 'mollie'
/** Charges of a customer with this name fail, as without money in the account. */
const POOR = 'cst_without_money'
/** A refund with this description fails at the bank. */
const FAILS = 'refund_that_fails'

export const mollieSimulator: Simulator = {
  name: NAME,
  async answer(runtime, request) {
    const call = (payment: SimulatedPayment) => callBack(runtime, payment)
    return (await answerPayer(runtime, NAME, { request, call })) ?? answerKey(runtime, request)
  },
}

function callBack(runtime: Runtime, { id, callback_url: url }: SimulatedPayment) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return sendCallback(runtime, { url, headers, body: new URLSearchParams({ id }).toString() })
}

async function answerKey(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply> {
  const key = /^Bearer ((?:live|test)_\w{10,})$/.exec(request.headers['authorization'] ?? '')?.[1]
  if (key === undefined) return fault(401, 'Missing authentication, or failed to authenticate')
  switch (`${request.method} ${request.path}`) {
    case 'GET /v2/profiles/me':
      return { status: 200, json: { resource: 'profile', status: statusOf(key) } }
    case 'GET /v2/methods':
      return list('methods', [{ id: 'ideal' }, { id: 'creditcard' }])
    case 'POST /v2/customers':
      return { status: 201, json: { resource: 'customer', id: newSimulatedId('cst') } }
    case 'POST /v2/payments':
      return create(runtime, request, key)
    default:
      if (request.method === 'GET' && request.path.startsWith('/v2/customers/')) {
        return listOfCustomer(runtime, request.path.split('/')[3] ?? '', key)
      }
      return answerPayment(runtime, request, key)
  }
}

async function listOfCustomer(runtime: Runtime, customer: string, key: string) {
  const payments = await listPayments(runtime, NAME)
  const own = payments.filter((one) => one.customer === customer && one.key === key)
  return list(
    'payments',
    own.map((payment) => show(runtime, payment)),
  )
}

async function answerPayment(
  runtime: Runtime,
  request: SimulatedRequest,
  key: string,
): Promise<SimulatedReply> {
  const [, id = '', part] = /^\/v2\/payments\/(\w+)(\/refunds)?$/.exec(request.path) ?? []
  const payment = await findPayment(runtime, NAME, id)
  // A payment of another account is unknown.
  if (!payment || payment.key !== key) return fault(404, 'No payment exists with token.')
  if (part !== undefined) return answerRefunds(runtime, request, payment)
  if (request.method !== 'DELETE') return { status: 200, json: show(runtime, payment) }
  if (payment.state !== 'open') return fault(422, 'The payment cannot be canceled')
  const canceled = { ...payment, state: 'canceled' } as const
  await keepPayment(runtime, NAME, canceled)
  return { status: 200, json: show(runtime, canceled) }
}

const statusOf = (key: string) => (key.includes('unverified') ? 'unverified' : 'verified')

async function create(runtime: Runtime, request: SimulatedRequest, key: string) {
  const sent = JSON.parse(request.body)
  if (!/^\d+\.\d{2}$/.test(sent.amount?.value) || sent.amount.currency !== 'EUR') {
    return fault(422, 'The amount contains an invalid value')
  }
  const is_charge = sent.sequenceType === 'recurring'
  if (!is_charge && !sent.redirectUrl) return fault(422, 'The redirect URL is missing')
  const payment = await insertPayment(runtime, NAME, {
    id: newSimulatedId('tr'),
    idempotency_key: request.headers['idempotency-key'] ?? '',
    key,
    order_id: String(sent.metadata?.order_id),
    amount_cents: Number(sent.amount.value.replace('.', '')),
    description: sent.description,
    return_url: sent.redirectUrl ?? '',
    callback_url: sent.webhookUrl,
    customer: sent.customerId ?? null,
    ...(is_charge && { state: sent.customerId === POOR ? 'failed' : 'paid' }),
  })
  return { status: 201, json: show(runtime, payment) }
}

async function answerRefunds(
  runtime: Runtime,
  request: SimulatedRequest,
  payment: SimulatedPayment,
): Promise<SimulatedReply> {
  if (request.method === 'GET') {
    const made = payment.refunds.map(({ id }) => ({
      id: `re_${id}`,
      status: 'refunded',
      metadata: { refund_id: id },
    }))
    return list('refunds', made)
  }
  const { amount, metadata, description } = JSON.parse(request.body)
  const refund = { resource: 'refund', id: `re_${metadata.refund_id}` }
  const cents = Number(amount.value.replace('.', ''))
  if (payment.state !== 'paid' || sumOf(payment) + cents > payment.amount_cents) {
    return fault(422, 'The amount is higher than the maximum')
  }
  if (description === FAILS) return { status: 201, json: { ...refund, status: 'failed' } }
  const refunds = [...payment.refunds, { id: metadata.refund_id, cents }]
  await keepPayment(runtime, NAME, { ...payment, refunds })
  return { status: 201, json: { ...refund, status: 'pending' } }
}

const sumOf = ({ refunds }: SimulatedPayment) => refunds.reduce((sum, { cents }) => sum + cents, 0)
const euro = (cents: number) => ({ currency: 'EUR', value: (cents / 100).toFixed(2) })

function show({ config }: Runtime, payment: SimulatedPayment): object {
  const { id, state, order_id, amount_cents, description, customer, return_url } = payment
  const href = `${config.simulators_url}/${NAME}/pay/${id}`
  return {
    resource: 'payment',
    id,
    status: state,
    description,
    amount: euro(amount_cents),
    metadata: { order_id },
    ...(state === 'paid' && {
      amountRefunded: euro(sumOf(payment)),
      ...(payment.charged_back && { amountChargedBack: euro(amount_cents) }),
    }),
    ...(customer !== null && {
      customerId: customer,
      sequenceType: return_url === '' ? 'recurring' : 'first',
    }),
    _links: state === 'open' ? { checkout: { href, type: 'text/html' } } : {},
  }
}

function list(name: string, rows: object[]): SimulatedReply {
  return { status: 200, json: { count: rows.length, _embedded: { [name]: rows } } }
}

function fault(status: number, detail: string): SimulatedReply {
  return { status, json: { status, title: 'Error', detail } }
}
