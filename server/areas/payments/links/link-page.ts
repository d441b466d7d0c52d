/** What the page of a payment link does: show the link, and create the order of the customer. */
import { renderSVG } from 'uqr'
import { mayBeReal } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import { readDraft } from '../orders/draft.ts'
import { euroFromCents, percentFromHundredths } from '../orders/amounts.ts'
import { insertOrder } from '../orders/insert-order.ts'
import type { OrderRow } from '../orders/order-store.ts'
import { isPayable } from '../orders/transitions.ts'
import * as store from './link-store.ts'
import { readLinkToken } from './link-url.ts'
import { statusOf } from './present-link.ts'

const HOUR_MS = 3_600_000

export interface OpenedLink {
  link: store.LinkRow
  business: string
  /** Whether a customer can order now. */
  is_open: boolean
  /** Of a link that is not reusable: the order that was paid, or that can be paid. */
  order: OrderRow | null
}

/** Throws not_found for a token that this server did not issue, and for deleted projects. */
export async function findLinkByToken(runtime: Runtime, token: string): Promise<OpenedLink> {
  const key = readLinkToken(runtime, token)
  const link = key && (await store.find(runtime.db, key))
  const project = link && (await projects.find(runtime.db, link.project_id))
  if (!link || !project) throw new Problem('not_found', 'There is no such payment link.')
  const latest = link.reusable ? undefined : await store.findLatestOrder(runtime.db, link)
  const is_active = statusOf(link, runtime.clock.now()) === 'active'
  const works = link.test || mayBeReal({ mode: 'live', project }, 'payments')
  return {
    link,
    business: project.name,
    is_open: is_active && works,
    order: latest && isTaken(runtime, latest) ? latest : null,
  }
}

/** Whether the order was paid, or can still be paid. */
function isTaken({ clock }: Runtime, order: OrderRow): boolean {
  if (order.paid_at !== null || order.status === 'pending') return true
  return isPayable(order.status) && order.expires_at > clock.now()
}

export interface LinkOrder {
  /** For a link whose customer chooses the amount. */
  amount_cents: number | null
  name: string | null
  email: string | null
}

/**
 * Creates the order of a customer. A link that is not reusable keeps one order: the next customer gets
 * the same one until it has ended unpaid.
 */
export async function orderByLink(
  runtime: Runtime,
  { link }: OpenedLink,
  wanted: LinkOrder,
): Promise<OrderRow> {
  return runtime.db.transact(async (tx) => {
    const locked = await store.lock(tx, link)
    if (!locked || statusOf(locked, runtime.clock.now()) !== 'active') {
      throw new Problem('conflict', 'This payment link does not work any more.')
    }
    const latest = locked.reusable ? undefined : await store.findLatestOrder(tx, locked)
    if (latest && isTaken(runtime, latest)) return latest
    await requireLinkRate(tx, runtime, locked)
    const draft = readDraft(
      {
        items: [
          {
            name: locked.description,
            quantity: 1,
            unit_price_eur: euroFromCents(locked.amount_cents ?? wanted.amount_cents ?? 0),
            vat_percent: percentFromHundredths(locked.vat_hundredths),
          },
        ],
        customer: {
          ...(wanted.name !== null && { name: wanted.name }),
          ...(wanted.email !== null && { email: wanted.email }),
        },
      },
      runtime.clock.now(),
    )
    const { project_id, test, id: payment_link_id } = locked
    return insertOrder(tx, runtime, { project_id, test, draft, payment_link_id })
  })
}

async function requireLinkRate(tx: Transaction, { clock }: Runtime, link: store.LinkRow) {
  const max = limits.payment_link_orders_per_hour_max
  const since = new Date(clock.now_ms() - HOUR_MS)
  if ((await store.countOrders(tx, link, { since, max })) < max) return
  throw new Problem('rate_limited', 'Too many orders were made by this payment link in an hour.')
}

/** The QR code of a page, as SVG. */
export function renderQr(url: string): string {
  return renderSVG(url, { border: 2 })
}
