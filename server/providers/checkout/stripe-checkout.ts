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
  RefundOutcome,
  RefundRequest,
} from './checkout-contract.ts'

const API_VERSION = '2026-10-28.endive'

const optional = <S extends Type.TSchema>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Banks whose payments leave a direct debit, with which later charges are made. */
const Bank = optional(Type.Object({ generated_sepa_debit: optional(Type.String()) }))

const Intent = Type.Object({
  id: Type.String(),
  status: Type.String(),
  currency: Type.String(),
  amount: Type.Integer(),
  customer: optional(Type.String()),
  payment_method: optional(Type.String()),
  setup_future_usage: optional(Type.String()),
  metadata: optional(Type.Record(Type.String(), Type.String())),
  latest_charge: optional(
    Type.Object({
      amount_refunded: Type.Integer(),
      disputed: Type.Boolean(),
      payment_method_details: optional(
        Type.Object({ ideal: Bank, bancontact: Bank, sofort: Bank }),
      ),
    }),
  ),
})
type Intent = Static<typeof Intent>
const Named = Type.Object({ id: Type.String() })

const Session = Type.Object({
  id: Type.String(),
  url: optional(Type.String()),
  status: optional(Type.String()),
  payment_status: Type.String(),
  amount_total: Type.Integer(),
  currency: optional(Type.String()),
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

const methods = ['GET', 'DELETE'] as const
type Fields = Record<string, string>
/** A request such as `POST refunds`. */
type Ask = (route: string, fields?: Fields, key?: string) => Promise<AccountReply>

export function stripeCheckout(runtime: Runtime, account: CheckoutAccount): ExternalCheckout {
  const ask: Ask = (route, fields = {}, idempotency_key) => {
    const method = methods.find((one) => route.startsWith(`${one} `)) ?? 'POST'
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
    refund: (request) => refund(ask, request),
    charge: (request) => charge(runtime, ask, request),
    async inspect() {
      const { charges_enabled, payouts_enabled, capabilities, requirements } = readReply(
        Account,
        await ask('GET account'),
      )
      const names = Object.entries(capabilities ?? {}).flatMap(([name, state]) =>
        state === 'active' && name.endsWith('_payments')
          ? [name.slice(0, -'_payments'.length)]
          : [],
      )
      const working = payouts_enabled ? 'active' : 'restricted'
      const status = charges_enabled ? working : 'pending'
      return { status, methods: names, missing: requirements?.currently_due ?? [] }
    },
    subscribe: (url) => subscribe(ask, url),
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

const Refund = Type.Object({
  id: Type.String(),
  status: optional(Type.String()),
  metadata: optional(Type.Record(Type.String(), Type.String())),
})

/** Stripe forgets idempotency keys after a day, so the refunds of the payment are read first. */
async function refund(
  ask: Ask,
  { reference, refund_id, amount_cents }: RefundRequest,
): Promise<RefundOutcome> {
  const intent = await readIntentOf(ask, reference)
  if (!intent) return { state: 'failed' }
  const listed = await ask('GET refunds', { payment_intent: intent.id, limit: '100' })
  const { data } = readReply(Type.Object({ data: Type.Array(Refund) }), listed)
  const known = data.find(({ metadata }) => metadata?.['refund_id'] === refund_id)
  if (known) return outcomeOf(known)
  const fields = {
    payment_intent: intent.id,
    amount: String(amount_cents),
    'metadata[refund_id]': refund_id,
  }
  const reply = await ask('POST refunds', fields, `refund:${refund_id}`)
  return reply.status >= 400 ? { state: 'failed' } : outcomeOf(readReply(Refund, reply))
}

function outcomeOf({ id, status }: Static<typeof Refund>): RefundOutcome {
  const is_refused = status === 'failed' || status === 'canceled'
  return is_refused ? { state: 'failed' } : { state: 'succeeded', reference: id }
}

const Endpoint = Type.Object({ id: Type.String(), url: Type.String() })

/** Replaces our older endpoint, whose secret only its creation returned. */
async function subscribe(ask: Ask, url: string): Promise<string | null> {
  const listed = await ask('GET webhook_endpoints', { limit: '100' })
  const { data } = readReply(Type.Object({ data: Type.Array(Endpoint) }), listed)
  for (const older of data.filter((one) => one.url === url)) {
    await ask(`DELETE webhook_endpoints/${encodeURIComponent(older.id)}`)
  }
  const events = callbackEvents.map((event, index) => [`enabled_events[${index}]`, event])
  const fields = { url, api_version: API_VERSION, ...Object.fromEntries(events) }
  const reply = await ask('POST webhook_endpoints', fields)
  // Stripe refuses addresses that are not public; the reconciliation still reads payments.
  if (reply.status >= 400) return null
  return readReply(Type.Object({ secret: Type.String() }), reply).secret
}

async function charge({ log }: Runtime, ask: Ask, request: ChargeRequest): Promise<string | null> {
  const { order_id, amount_cents, description, mandate } = request
  const [customer = '', payment_method = ''] = mandate.split(' ')
  const fields = {
    amount: String(amount_cents),
    currency: 'eur',
    customer,
    payment_method,
    confirm: 'true',
    off_session: 'true',
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
    description,
    'metadata[order_id]': order_id,
  }
  const { status, json } = await ask('POST payment_intents', fields, `order:${order_id}`)
  // Without its charge, which a reply to POST names only.
  if (status < 300) return readReply(Named, { status, json }).id
  const Declined = Type.Object({
    error: Type.Object({
      code: optional(Type.String()),
      payment_intent: optional(Named),
    }),
  })
  const { error } = readReply(Declined, { status: 200, json })
  log.warn({ order_id, status, code: error.code ?? null }, 'Stripe refused a charge')
  // A declined card answers 402, with the payment.
  return status === 402 ? (error.payment_intent?.id ?? null) : null
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
    return intent && paymentOf(inEuro(stateOf(intent.status), intent), intent.amount, intent)
  }
  const session = await findSession(ask, reference)
  if (!session) return null
  const { payment_intent } = session
  const intent = payment_intent && typeof payment_intent === 'object' ? payment_intent : null
  const state = stateOfSession(session, intent)
  return paymentOf(inEuro(state, session), session.amount_total, intent)
}

/** Orders are in euro, so money in another currency does not pay one. */
function inEuro(state: PaymentState, { currency }: Session | Intent): PaymentState {
  return currency === 'eur' || (state !== 'paid' && state !== 'pending') ? state : 'failed'
}

function paymentOf(state: PaymentState, cents: number, intent: Intent | null): ProviderPayment {
  const latest_charge = intent?.latest_charge
  return {
    state,
    amount_cents: BigInt(cents),
    refunded_cents: BigInt(latest_charge?.amount_refunded ?? 0),
    charged_back: latest_charge?.disputed ?? false,
    mandate: intent && mandateOf(intent),
  }
}

function mandateOf(intent: Intent): string | null {
  const { customer, payment_method, setup_future_usage, latest_charge } = intent
  const { ideal, bancontact, sofort } = latest_charge?.payment_method_details ?? {}
  const debit = (ideal ?? bancontact ?? sofort)?.generated_sepa_debit
  const method = debit ?? payment_method
  return setup_future_usage === 'off_session' && customer && method ? `${customer} ${method}` : null
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
  const found = readReply(Type.Object({ data: Type.Array(Named) }), reply)
  return { reference: found.data[0]?.id ?? name, order_id }
}
