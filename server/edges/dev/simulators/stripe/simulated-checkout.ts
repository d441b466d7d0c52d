/**
 * Checkout pages of the simulated Stripe. A request with a key creates a session; the payer selects
 * a card and pays. No money moves.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import { randomBase62 } from '../../../../kernel/values/ids.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import * as records from '../../../../kernel/simulator-records.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderPlainPage } from '../../../html/plain-page.ts'
import type { SimulatedReply, SimulatedRequest } from '../simulator.ts'
import { simulatedCards, type SimulatedCard } from './simulated-cards.ts'

const SIMULATOR = 'stripe'
const style = `
  :root { color-scheme: light dark; }
  body { margin: 4rem auto; max-width: 28rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }
  main { padding: 1.5rem 2rem; border: 1px solid #8886; border-radius: 12px; }
  h1 { margin: 0; font-size: 1.5rem; }
  label, select { display: block; width: 100%; }
  select, button { margin-top: .3rem; padding: .6rem .8rem; border: 1px solid #8888; border-radius: 8px; font: inherit; }
  button { width: 100%; border: 0; background: #0b5d66; color: #fff; cursor: pointer; }
  [role=alert] { color: light-dark(#b1202c, #ff8a90); }
  .note { color: #7a7a7a; font-size: .9rem; }`
const ID_CHARACTERS = 24

const Session = Type.Object({
  id: Type.String(),
  object: Type.Literal('checkout.session'),
  url: Type.String(),
  amount_total: Type.Integer(),
  description: Type.String(),
  success_url: Type.String(),
  cancel_url: Type.String(),
  expires_at: Type.Integer(),
  saves_card: Type.Boolean(),
  /** The name of the card that paid; null while unpaid. */
  paid_by: Type.Union([Type.String(), Type.Null()]),
  customer: Type.String(),
})
type Session = Static<typeof Session>

const known = new RegExp(
  '^(?:mode|client_reference_id|customer_email|success_url|cancel_url|expires_at|' +
    'customer_creation|' +
    String.raw`payment_method_types\[0\]|payment_method_options\[card\]\[request_three_d_secure\]|` +
    String.raw`line_items\[0\]\[quantity\]|line_items\[0\]\[price_data\]\[(?:currency|unit_amount)\]|` +
    String.raw`line_items\[0\]\[price_data\]\[product_data\]\[name\]|` +
    String.raw`payment_intent_data\[(?:description|setup_future_usage|metadata\]\[\w+)\])$`,
)

export async function createSession(
  runtime: Runtime,
  request: SimulatedRequest,
): Promise<SimulatedReply> {
  const form = new URLSearchParams(request.body)
  const stray = [...form.keys()].find((name) => !known.test(name))
  if (stray !== undefined) return refuse(400, `Received unknown parameter: ${stray}`)
  const amount_total = Number(form.get('line_items[0][price_data][unit_amount]'))
  const expires_at = Number(form.get('expires_at'))
  if (!Number.isInteger(amount_total) || amount_total < 50) {
    return refuse(400, 'The amount is too small.')
  }
  // Stripe allows a lifetime between half an hour and a day.
  const open_s = expires_at - runtime.clock.now_ms() / 1000
  if (!(open_s >= 1799 && open_s <= 86_401)) return refuse(400, 'The expires_at is out of range.')
  const id = `cs_test_${randomBase62(ID_CHARACTERS)}`
  const session: Session = {
    id,
    object: 'checkout.session',
    url: `${runtime.config.public_url}/dev/simulators/stripe/pay/${id}`,
    amount_total,
    description: form.get('line_items[0][price_data][product_data][name]') ?? '',
    success_url: form.get('success_url') ?? '',
    cancel_url: form.get('cancel_url') ?? '',
    expires_at,
    saves_card: form.get('payment_intent_data[setup_future_usage]') === 'off_session',
    paid_by: null,
    customer: `cus_${randomBase62(ID_CHARACTERS)}`,
  }
  await records.insertRecord(runtime, { simulator: SIMULATOR, id, record: session })
  return { status: 200, json: shown(runtime, session) }
}

export async function showSession(runtime: Runtime, id: string): Promise<SimulatedReply> {
  const session = await find(runtime, id)
  return session
    ? { status: 200, json: shown(runtime, session) }
    : refuse(404, `No such checkout.session: '${id}'`)
}

async function find(runtime: Runtime, id: string): Promise<Session | null> {
  const found = await records.findRecord(runtime, SIMULATOR, id)
  return found && schemaChecks().Check(Session, found.record) ? found.record : null
}

function isOpen({ clock }: Runtime, { paid_by, expires_at }: Session): boolean {
  return paid_by === null && expires_at * 1000 > clock.now_ms()
}

/** The session in Stripe's format, with payment and charge expanded. */
function shown(runtime: Runtime, session: Session): object {
  const { id, object, url, amount_total, expires_at, paid_by, saves_card, customer } = session
  const is_open = isOpen(runtime, session)
  return {
    id,
    object,
    amount_total,
    currency: 'eur',
    expires_at,
    livemode: false,
    url: is_open ? url : null,
    status: is_open ? 'open' : paid_by === null ? 'expired' : 'complete',
    payment_status: paid_by === null ? 'unpaid' : 'paid',
    customer: paid_by !== null && saves_card ? customer : null,
    payment_intent: paid_by === null ? null : paymentOf(session, paid_by),
  }
}

function paymentOf({ id, saves_card }: Session, payment_method: string): object {
  const three_d_secure = { result: 'authenticated' }
  return {
    id: `pi_${id.slice('cs_test_'.length)}`,
    object: 'payment_intent',
    status: 'succeeded',
    payment_method,
    setup_future_usage: saves_card ? 'off_session' : null,
    latest_charge: { payment_method_details: { card: { three_d_secure } } },
  }
}

/** Serves the payer's pages; null for other requests. */
export async function answerPayer(
  runtime: Runtime,
  { method, path, body }: SimulatedRequest,
): Promise<SimulatedReply | null> {
  const [, id = ''] = /^\/pay\/(\w+)$/.exec(path) ?? []
  if (id === '') return null
  const session = await find(runtime, id)
  if (!session || !isOpen(runtime, session))
    return page(404, 'This page is no longer open.', html``)
  if (method !== 'POST') return page(200, titleOf(session), cardForm(session))
  return takePayment(runtime, session, new URLSearchParams(body).get('card') ?? '')
}

async function takePayment(
  runtime: Runtime,
  session: Session,
  name: string,
): Promise<SimulatedReply> {
  const card = simulatedCards.get(name)
  // The payer can authenticate the payment on this page, so only other errors decline it.
  const refused = card?.error?.code === 'authentication_required' ? undefined : card?.error
  if (!card || refused) {
    const message = refused?.message ?? 'There is no such card.'
    return page(
      402,
      titleOf(session),
      html`<p role="alert">${message}</p>
        ${cardForm(session)}`,
    )
  }
  const record: Session = { ...session, paid_by: name }
  await records.updateRecord(runtime, { simulator: SIMULATOR, id: session.id, record })
  return { to: session.success_url }
}

function titleOf({ amount_total }: Session): string {
  return `Pay € ${(amount_total / 100).toFixed(2)}`
}

function cardForm({ description, cancel_url }: Session): Html {
  const cards = [...simulatedCards].map(
    ([name, card]) =>
      html`<option value="${name}">${card.brand} ${card.last4}, ${outcomeOf(card)}</option>`,
  )
  return html`<p>${description}</p>
    <form method="post">
      <p>
        <label
          >Card
          <select name="card">
            ${cards}
          </select></label
        >
      </p>
      <p><button type="submit">Pay</button></p>
      <p><a href="${cancel_url}">Back</a></p>
    </form>`
}

function outcomeOf({ error, after_taking }: SimulatedCard): string {
  if (after_taking === 'silence') return 'succeeds, but the provider does not reply'
  if (after_taking === 'trouble') return 'succeeds, but the provider replies with an error'
  if (error === undefined) return 'succeeds'
  return error.code === 'authentication_required'
    ? 'asks to confirm each later payment'
    : `declined: ${(error.decline_code ?? error.code).replaceAll('_', ' ')}`
}

function page(status: number, title: string, content: Html): SimulatedReply {
  const main = html`<h1>${title}</h1>
    ${content}
    <p class="note">This is a simulated payment provider: no money moves.</p>`
  return { status, page: renderPlainPage({ language: 'en', title, main, style }) }
}

function refuse(status: number, message: string): SimulatedReply {
  return { status, json: { error: { type: 'invalid_request_error', message } } }
}
