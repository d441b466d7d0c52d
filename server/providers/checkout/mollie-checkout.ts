/**
 * Mollie for customers of a project: a payment per order, on the account of the project. Callbacks name
 * a payment only, so nothing in them can be believed.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { cutText } from '../../kernel/values/cut-text.ts'
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

const Amount = Type.Object({ currency: Type.Literal('EUR'), value: Type.String() })
const Payment = Type.Object({
  id: Type.String(),
  status: Type.String(),
  amount: Amount,
  amountRefunded: Type.Optional(Amount),
  amountChargedBack: Type.Optional(Amount),
  customerId: Type.Optional(Type.String()),
  sequenceType: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.Unknown()),
  _links: Type.Object({
    checkout: Type.Optional(Type.Object({ href: Type.String() })),
  }),
})
type Payment = Static<typeof Payment>
const Payments = Type.Object({
  _embedded: Type.Object({
    payments: Type.Array(
      Type.Object({ id: Type.String(), metadata: Type.Optional(Type.Unknown()) }),
    ),
  }),
})
const Named = Type.Object({ id: Type.String() })
const DESCRIPTION_CHARACTERS_MAX = 255
const OrderMetadata = Type.Object({ order_id: Type.String() })
const Refund = Type.Object({
  id: Type.String(),
  status: Type.String(),
  metadata: Type.Optional(
    Type.Union([
      Type.Object({ refund_id: Type.Optional(Type.String()) }),
      Type.Null(),
      Type.String(),
    ]),
  ),
})
const Refunds = Type.Object({ _embedded: Type.Object({ refunds: Type.Array(Refund) }) })

type Ask = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  sent?: { body: object; key: string },
) => Promise<AccountReply>

export function mollieCheckout(
  runtime: Runtime,
  account: CheckoutAccount & { callback_url: string },
): ExternalCheckout {
  const ask: Ask = (method, path, sent) =>
    askAccount(runtime, account, {
      method,
      path: `/v2/${path}`,
      ...(sent && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent.body),
        idempotency_key: sent.key,
      }),
    })
  const { callback_url } = account
  return {
    open: (request) => open(ask, request, callback_url),
    async read({ reference }) {
      const payment = await find(ask, reference)
      return payment && paymentOf(payment)
    },
    async close({ reference }) {
      // A payment that cannot be canceled answers 422; it ends by itself.
      await ask('DELETE', `payments/${encodeURIComponent(reference)}`)
    },
    refund: (request) => refund(ask, request),
    charge: (request) => charge(ask, request, callback_url),
    async inspect() {
      const Profile = Type.Object({ status: Type.String() })
      const { status } = readReply(Profile, await ask('GET', 'profiles/me'))
      const Methods = Type.Object({ _embedded: Type.Object({ methods: Type.Array(Named) }) })
      const { _embedded } = readReply(Methods, await ask('GET', 'methods'))
      const methods = _embedded.methods.map(({ id }) => id)
      const is_verified = status === 'verified'
      return {
        status: is_verified ? 'active' : status === 'blocked' ? 'restricted' : 'pending',
        methods,
        missing: [
          ...(is_verified ? [] : ['profile verification']),
          ...(methods.length > 0 ? [] : ['payment methods']),
        ],
      }
    },
    subscribe: async () => null,
    async locate(name) {
      const metadata = (await find(ask, name))?.metadata
      if (!schemaChecks().Check(OrderMetadata, metadata)) return null
      return { reference: name, order_id: metadata.order_id }
    },
  }
}

function amountOf(cents: bigint): Static<typeof Amount> {
  return { currency: 'EUR', value: `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}` }
}

function centsOf(amount: Static<typeof Amount> | undefined): bigint {
  return BigInt((amount?.value ?? '0.00').replace('.', ''))
}

async function open(ask: Ask, request: CheckoutRequest, webhookUrl: string) {
  const { reference, order_id, amount_cents, description, return_url, keeps_method } = request
  if (reference !== null) {
    const known = await find(ask, reference)
    return { reference, url: known?._links.checkout?.href ?? return_url }
  }
  const customerId = keeps_method && (await createCustomer(ask, order_id, keeps_method))
  const body = {
    amount: amountOf(amount_cents),
    description,
    redirectUrl: return_url,
    webhookUrl,
    metadata: { order_id },
    ...(customerId !== null && { customerId, sequenceType: 'first' }),
  }
  const made = await ask('POST', 'payments', { body, key: `order:${order_id}` })
  const { id, _links } = readReply(Payment, made)
  return { reference: id, url: _links.checkout?.href ?? return_url }
}

async function createCustomer(
  ask: Ask,
  order_id: string,
  { name, email }: { name: string | null; email: string | null },
): Promise<string> {
  const body = { ...(name !== null && { name }), ...(email !== null && { email }) }
  return readReply(Named, await ask('POST', 'customers', { body, key: `customer:${order_id}` })).id
}

/** Mollie forgets idempotency keys after an hour, so the payments of the customer are read first. */
async function charge(ask: Ask, request: ChargeRequest, webhookUrl: string) {
  const { order_id, amount_cents, description, mandate: customerId } = request
  const made = await ask('GET', `customers/${encodeURIComponent(customerId)}/payments?limit=250`)
  // Such as a customer of another account, or one that was deleted.
  if (made.status >= 400) return null
  const known = readReply(Payments, made)._embedded.payments.find(
    ({ metadata }) =>
      schemaChecks().Check(OrderMetadata, metadata) && metadata.order_id === order_id,
  )
  if (known) return known.id
  const body = {
    amount: amountOf(amount_cents),
    description,
    customerId,
    sequenceType: 'recurring',
    webhookUrl,
    metadata: { order_id },
  }
  const reply = await ask('POST', 'payments', { body, key: `order:${order_id}` })
  return reply.status >= 400 ? null : readReply(Payment, reply).id
}

async function find(ask: Ask, id: string): Promise<Payment | null> {
  const reply = await ask('GET', `payments/${encodeURIComponent(id)}`)
  return reply.status === 404 ? null : readReply(Payment, reply)
}

/** Mollie forgets idempotency keys after an hour, so the refunds of the payment are read first. */
async function refund(ask: Ask, request: RefundRequest): Promise<RefundOutcome> {
  const { reference, refund_id, amount_cents, reason } = request
  const path = `payments/${encodeURIComponent(reference)}/refunds`
  const listed = await ask('GET', path)
  // A payment of another account.
  if (listed.status === 404) return { state: 'failed' }
  const made = readReply(Refunds, listed)._embedded.refunds.find(
    ({ metadata }) => metadata && typeof metadata === 'object' && metadata.refund_id === refund_id,
  )
  if (made) return outcomeOf(made)
  const body = {
    amount: amountOf(amount_cents),
    description: cutText(reason ?? '', DESCRIPTION_CHARACTERS_MAX),
    metadata: { refund_id },
  }
  const reply = await ask('POST', path, { body, key: `refund:${refund_id}` })
  return reply.status >= 400 ? { state: 'failed' } : outcomeOf(readReply(Refund, reply))
}

/** One that Mollie accepted is on its way; it can still fail or be canceled there. */
function outcomeOf({ id, status }: Static<typeof Refund>): RefundOutcome {
  if (status === 'failed' || status === 'canceled') return { state: 'failed' }
  return { state: 'succeeded', reference: id }
}

const states: Readonly<Record<string, PaymentState>> = {
  open: 'open',
  pending: 'pending',
  authorized: 'pending',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  canceled: 'canceled',
}

function paymentOf(payment: Payment): ProviderPayment {
  const { status, amount, amountRefunded, amountChargedBack, customerId, sequenceType } = payment
  return {
    state: states[status] ?? 'open',
    amount_cents: centsOf(amount),
    refunded_cents: centsOf(amountRefunded),
    charged_back: centsOf(amountChargedBack) > 0n,
    mandate: sequenceType === 'first' && customerId !== undefined ? customerId : null,
  }
}
