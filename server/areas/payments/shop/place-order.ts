/**
 * Places the order of a visitor of a website. The visitor sends ids and quantities only; names and prices
 * come from the catalogue. The order holds its pieces until it is paid or ends.
 */
import { mayBeReal } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import {
  findSingleReply,
  runSingle,
  type SingleRun,
} from '../../../kernel/idempotency/single-run.ts'
import * as data from '../../data/service.ts'
import { euroFromCents } from '../orders/amounts.ts'
import { createCheckoutUrl } from '../orders/checkout-url.ts'
import { readDraft, type Draft } from '../orders/draft.ts'
import { insertOrder } from '../orders/insert-order.ts'
import type { OrderRow } from '../orders/order-store.ts'
import { presentFacts } from '../orders/present.ts'
import { countRefusals, Refusal } from '../refusals.ts'
import { newRefusal, requireOrderRate, requireLowRisk, requireProofOfWork } from './guard.ts'
import { readOrderForm } from './order-form.ts'
import { readProduct, type Product } from './product.ts'
import type { PlacedOrder, PublicOrderInput } from './shop-schema.ts'
import { reserve, type Reserved } from './stock-store.ts'

const PLAIN_REPEAT_MS = 2 * 60_000
const REPEAT_MS = 24 * 3_600_000

export async function placeOrder(guest: GuestCaller): Promise<PlacedOrder> {
  const { runtime, project } = guest
  const input = await readOrderForm(guest)
  const once = singleRunOf(guest, input)
  const earlier = once && (await findSingleReply(runtime, once))
  if (earlier !== null) return JSON.parse(earlier)
  const test = !mayBeReal({ mode: 'live', project }, 'payments')
  return countRefusals(runtime, { project_id: project.id, test }, async () => {
    requireOrderRate(guest)
    if (input.hp_website?.trim()) throw newRefusal('robot')
    await requireProofOfWork(guest, input.hp_challenge ?? '')
    const insert = (tx: Transaction) => insertVisitorOrder(tx, guest, { input, test })
    if (once === null) return runtime.db.transact(insert)
    const { reply } = await runSingle(runtime, once, async (tx) => JSON.stringify(await insert(tx)))
    return JSON.parse(reply)
  })
}

/**
 * Identifies a repeat by hp_submission or, for a form without a script, by the browser. Null for a
 * script that sends no hp_submission.
 */
function singleRunOf(guest: GuestCaller, input: PublicOrderInput): SingleRun | null {
  const { runtime, project, token_id, browser } = guest
  const { hp_submission = '', hp_challenge: _spent, ...content } = input
  const sender = hp_submission === '' ? browser : [hp_submission]
  if (sender === null) return null
  const mac = runtime.seal.mac(JSON.stringify([token_id, sender, content]), 'shop-order')
  return {
    project_id: project.id,
    key: `order ${mac.toString('base64url')}`,
    lifetime_ms: hp_submission === '' ? PLAIN_REPEAT_MS : REPEAT_MS,
  }
}

interface RequestedOrder {
  input: PublicOrderInput
  test: boolean
}

async function insertVisitorOrder(
  tx: Transaction,
  guest: GuestCaller,
  { input, test }: RequestedOrder,
): Promise<PlacedOrder> {
  const { runtime, project, token_id, site_id } = guest
  // Locks the stock before reading the products, so that they include every earlier sale.
  const reserved = await reserve(tx, project.id, input.items)
  const products = await requireProducts(tx, guest, { input, reserved })
  const draft = readDraftOf(guest, input, products)
  const shop = { project_id: project.id, test }
  const order = { ...shop, draft: { ...draft, site_id }, public_token_id: token_id }
  const row = await insertOrder(tx, runtime, order).catch(hideAccount)
  await requireLowRisk(tx, runtime, shop)
  return present(guest, row)
}

/** Hides from visitors that no payment account is connected. */
function hideAccount(error: unknown): never {
  if (error instanceof Problem && error.slug === 'payment_account_missing') {
    throw newRefusal('account_missing')
  }
  throw error
}

/** Returns the products in the order of the lines. Throws if one is not for sale in its quantity. */
async function requireProducts(
  tx: Transaction,
  { project }: GuestCaller,
  { input, reserved }: { input: PublicOrderInput; reserved: Reserved },
): Promise<Product[]> {
  const ids = input.items.map(({ product_id }) => product_id)
  const documents = await data.findProductDocuments(tx, project.id, ids)
  const errors: { path: string; message: string }[] = []
  const products = input.items.flatMap(({ product_id, quantity }, index) => {
    const document = documents.find(({ id }) => id === product_id)
    const read = document && readProduct(document)
    const product = read && 'product' in read ? read.product : null
    const held = (reserved.get(product_id) ?? 0) - quantity
    const message = product ? shortage(product, { quantity, held }) : 'is not for sale'
    if (message !== null) errors.push({ path: `/items/${index}`, message })
    return product ? [product] : []
  })
  if (errors.length === 0) return products
  const detail = `${errors[0]?.path} ${errors[0]?.message}.`
  throw new Refusal('product_unavailable', new Problem('product_unavailable', detail, { errors }))
}

/** Returns why the quantity cannot be sold; null if it can. */
function shortage(
  { stock }: Product,
  { quantity, held }: { quantity: number; held: number },
): string | null {
  if (quantity > limits.shop_item_quantity_max) {
    return `can be ordered ${limits.shop_item_quantity_max} times at most`
  }
  if (stock === null || quantity <= stock - held) return null
  const left = Math.max(0, stock - held)
  return left === 0 ? 'is sold out' : `has only ${left} left`
}

function readDraftOf(
  { runtime }: GuestCaller,
  input: PublicOrderInput,
  products: readonly Product[],
): Draft {
  const now = runtime.clock.now()
  const { customer, note, success_url, cancel_url } = input
  const cents = input.items.map(
    ({ quantity }, index) => quantity * (products[index]?.price_cents ?? 0),
  )
  const amount_cents = cents.reduce((sum, one) => sum + one, 0)
  if (amount_cents > limits.shop_order_amount_eur_max * 100) throw newRefusal('amount_too_high')
  const draft = readDraft(
    {
      items: products.map(({ name, price_cents, vat_percent }, index) => ({
        name,
        vat_percent,
        unit_price_eur: euroFromCents(price_cents),
        quantity: input.items[index]?.quantity ?? 0,
      })),
      expires_at: new Date(now.getTime() + limits.shop_order_lifetime_s * 1000).toISOString(),
      ...(customer && { customer }),
      ...(note !== undefined && { metadata: { note } }),
      ...(success_url !== undefined && { success_url }),
      ...(cancel_url !== undefined && { cancel_url }),
    },
    now,
  )
  const items = draft.items.map((item, index) => ({ ...item, product_id: products[index]!.id }))
  return { ...draft, items }
}

function present({ runtime }: GuestCaller, row: OrderRow): PlacedOrder {
  const { id, number, amount_eur, vat_eur, currency, items, expires_at, test } = presentFacts(row)
  return {
    order: { id, number, amount_eur, vat_eur, currency, items, expires_at, test },
    checkout_url: createCheckoutUrl(runtime, row),
  }
}
