/**
 * Stripe for customers of a project: a Checkout Session per order, on the account of the project. The
 * reference of an order is the id of its session, or of a PaymentIntent for a later charge.
 */
import { Type, type Static } from 'typebox'
import type { Runtime } from '../../kernel/runtime.ts'
import { askAccount, readReply, type AccountReply } from './account-request.ts'
import type {
  ChargeRequest,
  CheckoutAccount,
  CheckoutRequest,
  ExternalCheckout,
  PaymentState,
  ProviderPayment,
} from './checkout-contract.ts'

const API_VERSION = '2026-10-28.endive'

const optional = <S extends Type.TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Intent = Type.Object({
  id: Type.String(),
  status: Type.String(),
  amount: Type.Integer(),
  customer: optional(Type.String()),
  payment_method: optional(Type.String()),
  setup_future_usage: optional(Type.String()),
  metadata: optional(Type.Record(Type.String(), Type.String())),
  latest_charge: optional(
    Type.Object({ amount_refunded: Type.Integer(), disputed: Type.Boolean() }),
  ),
})
type Intent = Static<typeof Intent>

const Session = Type.Object({
  id: Type.String(),
  url: optional(Type.String()),
  status: optional(Type.String()),
  payment_status: Type.String(),
  amount_total: Type.Integer(),
  client_reference_id: optional(Type.String()),
  payment_intent: optional(Type.Union([Intent, Type.String()])),
})
type Session = Static<typeof Session>

const Account = Type.Object({
  charges_enabled: Type.Boolean(),
  payouts_enabled: Type.Boolean(),
  capabilities: optional(Type.Record(Type.String(), Type.Unknown())),
  requirements: optional(Type.Object({ currently_due: optional(Type.Array(Type.String())) })),
})

const callbackEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
]

type Fields = Record<string, string>
/** A request such as `POST refunds`. */
type Ask = (route: string, fields?: Fields, key?: string) => Promise<AccountReply>

export function stripeCheckout(runtime: Runtime, account: CheckoutAccount): ExternalCheckout {
  const ask: Ask = (route, fields = {}, idempotency_key) => {
    const method = route.startsWith('GET ') ? 'GET' : 'POST'
    const path = route.slice(method.length + 1)
    const form = new URLSearchParams(fields).toString()
    const is_form = method === 'POST'
    return askAccount(runtime, account, {
      method,
      path: `/v1/${path}${is_form || form === '' ? '' : `?${form}`}`,
      headers: {
        'stripe-version': API_VERSION,
        ...(is_form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(is_form && { body: form }),
      ...(idempotency_key !== undefined && { idempotency_key }),
    })
  }
  return {
    open: (request) => open(ask, request),
    read: ({ reference }) => readPayment(ask, reference),
    async close({ reference }) {
      // A session that is complete or expired answers 400, which changes nothing.
      if (isSession(reference)) await ask(`POST checkout/sessions/${reference}/expire`)
    },
    async refund({ reference, refund_id, amount_cents }) {
      const intent = await readIntentOf(ask, reference)
      if (!intent) return { state: 'failed' }
      const fields = {
        payment_intent: intent.id,
        amount: String(amount_cents),
        'metadata[refund_id]': refund_id,
      }
      const reply = await ask('POST refunds', fields, `refund:${refund_id}`)
      if (reply.status >= 400) return { state: 'failed' }
      const { id, status } = readReply(
        Type.Object({ id: Type.String(), status: Type.String() }),
        reply,
      )
      const is_refused = status === 'failed' || status === 'canceled'
      return is_refused ? { state: 'failed' } : { state: 'succeeded', reference: id }
    },
    charge: (request) => charge(ask, request),
    async inspect() {
      const { charges_enabled, payouts_enabled, capabilities, requirements } = readReply(
        Account,
        await ask('GET account'),
      )
      const methods = Object.entries(capabilities ?? {}).flatMap(([name, state]) =>
        state === 'active' && name.endsWith('_payments')
          ? [name.slice(0, -'_payments'.length)]
          : [],
      )
      const working = payouts_enabled ? 'active' : 'restricted'
      const status = charges_enabled ? working : 'pending'
      return { status, methods, missing: requirements?.currently_due ?? [] }
    },
    async subscribe(url) {
      const events = callbackEvents.map((event, index) => [`enabled_events[${index}]`, event])
      const fields = { url, api_version: API_VERSION, ...Object.fromEntries(events) }
      const reply = await ask('POST webhook_endpoints', fields)
      // Stripe refuses addresses that are not public; the reconciliation still reads payments.
      if (reply.status >= 400) return null
      return readReply(Type.Object({ secret: Type.String() }), reply).secret
    },
    locate: (name) => locate(ask, name),
  }
}

const isSession = (reference: string) => reference.startsWith('cs_')

async function open(ask: Ask, request: CheckoutRequest) {
  const { reference, order_id, amount_cents, description, return_url, keeps_method } = request
  if (reference !== null) {
    const known = await findSession(ask, reference)
    return { reference, url: known?.url ?? return_url }
  }
  const price = 'line_items[0][price_data]'
  const reply = await ask(
    'POST checkout/sessions',
    // Without expires_at, because Stripe allows no time below half an hour: orders close the session.
    {
      mode: 'payment',
      client_reference_id: order_id,
      success_url: return_url,
      cancel_url: return_url,
      'line_items[0][quantity]': '1',
      [`${price}[currency]`]: 'eur',
      [`${price}[unit_amount]`]: String(amount_cents),
      [`${price}[product_data][name]`]: description,
      'payment_intent_data[description]': description,
      'payment_intent_data[metadata][order_id]': order_id,
      ...(keeps_method && {
        customer_creation: 'always',
        'payment_intent_data[setup_future_usage]': 'off_session',
      }),
      ...(keeps_method?.email && { customer_email: keeps_method.email }),
    },
    `order:${order_id}`,
  )
  const { id, url } = readReply(Session, reply)
  return { reference: id, url: url ?? return_url }
}

async function charge(ask: Ask, request: ChargeRequest): Promise<string | null> {
  const { order_id, amount_cents, description, mandate } = request
  const [customer = '', payment_method = ''] = mandate.split(' ')
  const fields = {
    amount: String(amount_cents),
    currency: 'eur',
    customer,
    payment_method,
    confirm: 'true',
    off_session: 'true',
    description,
    'metadata[order_id]': order_id,
  }
  const { status, json } = await ask('POST payment_intents', fields, `order:${order_id}`)
  if (status < 300) return readReply(Intent, { status, json }).id
  const Declined = Type.Object({
    error: Type.Object({ payment_intent: Type.Object({ id: Type.String() }) }),
  })
  // A declined card answers 402, with the payment.
  return status === 402 ? readReply(Declined, { status: 200, json }).error.payment_intent.id : null
}

async function findSession(ask: Ask, id: string): Promise<Session | null> {
  const fields = { 'expand[0]': 'payment_intent.latest_charge' }
  const reply = await ask(`GET checkout/sessions/${encodeURIComponent(id)}`, fields)
  return reply.status === 404 ? null : readReply(Session, reply)
}

async function findIntent(ask: Ask, id: string): Promise<Intent | null> {
  const path = `GET payment_intents/${encodeURIComponent(id)}`
  const reply = await ask(path, { 'expand[0]': 'latest_charge' })
  return reply.status === 404 ? null : readReply(Intent, reply)
}

async function readIntentOf(ask: Ask, reference: string): Promise<Intent | null> {
  if (!isSession(reference)) return findIntent(ask, reference)
  const intent = (await findSession(ask, reference))?.payment_intent
  return intent && typeof intent === 'object' ? intent : null
}

async function readPayment(ask: Ask, reference: string): Promise<ProviderPayment | null> {
  if (!isSession(reference)) {
    const intent = await findIntent(ask, reference)
    return intent && paymentOf(stateOf(intent.status), intent.amount, intent)
  }
  const session = await findSession(ask, reference)
  if (!session) return null
  const { payment_intent } = session
  const intent = payment_intent && typeof payment_intent === 'object' ? payment_intent : null
  return paymentOf(stateOfSession(session, intent), session.amount_total, intent)
}

function paymentOf(state: PaymentState, cents: number, intent: Intent | null): ProviderPayment {
  const { customer, payment_method, setup_future_usage, latest_charge } = intent ?? {}
  const is_kept = setup_future_usage === 'off_session' && customer && payment_method
  return {
    state,
    amount_cents: BigInt(cents),
    refunded_cents: BigInt(latest_charge?.amount_refunded ?? 0),
    charged_back: latest_charge?.disputed ?? false,
    mandate: is_kept ? `${customer} ${payment_method}` : null,
  }
}

/** A completed session is unpaid while a bank transfer or direct debit is on its way. */
function stateOfSession({ status, payment_status }: Session, intent: Intent | null): PaymentState {
  if (payment_status === 'paid') return 'paid'
  if (status === 'expired') return 'expired'
  if (status !== 'complete') return 'open'
  return intent === null ? 'pending' : stateOf(intent.status)
}

function stateOf(status: string): PaymentState {
  if (status === 'succeeded') return 'paid'
  return ['processing', 'requires_capture'].includes(status)
    ? 'pending'
    : status === 'canceled'
      ? 'canceled'
      : 'failed'
}

/** A callback names a session, or the PaymentIntent of a charge. */
async function locate(ask: Ask, name: string) {
  if (isSession(name)) {
    const session = await findSession(ask, name)
    const order_id = session?.client_reference_id
    return order_id ? { reference: name, order_id } : null
  }
  const intent = await findIntent(ask, name)
  const order_id = intent?.metadata?.['order_id']
  if (order_id === undefined) return null
  const reply = await ask('GET checkout/sessions', { payment_intent: name, limit: '1' })
  const found = readReply(
    Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) }),
    reply,
  )
  return { reference: found.data[0]?.id ?? name, order_id }
}
