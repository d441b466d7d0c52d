/**
 * Advances an order to the state that its provider reports: the new state, the timeline and the events
 * are one transaction, so order.paid is sent exactly once.
 */
import type { EventType } from '../../../contract/event-types.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { ProviderPayment } from '../../../providers/checkout/checkout-contract.ts'
import * as webhooks from '../../webhooks/service.ts'
import { settleStock } from '../shop/stock.ts'
import { issue } from '../invoices/invoices.ts'
import { followOrder } from '../subscriptions/follow-order.ts'
import * as links from '../links/link-store.ts'
import * as store from './order-store.ts'
import { listSteps, type Step } from './transitions.ts'

/** `row` is locked. Does nothing if the provider reports an older state. */
export async function advance(
  tx: Transaction,
  runtime: Runtime,
  { row, seen }: { row: store.OrderRow; seen: ProviderPayment },
): Promise<void> {
  const now = runtime.clock.now()
  if (seen.amount_cents !== row.amount_cents) {
    const amounts = { order_id: row.id, expected: row.amount_cents, reported: seen.amount_cents }
    runtime.log.error({ ...toText(amounts) }, 'a payment has another amount than its order')
    return
  }
  let refunded_cents = row.refunded_cents
  for (const step of listSteps(row, seen)) {
    await store.change(tx, row, changesOf(step, row, now))
    const part = 'refunded_cents' in step ? step.refunded_cents - refunded_cents : null
    if ('refunded_cents' in step) ({ refunded_cents } = step)
    if (step.to === 'paid' && row.payment_link_id !== null) {
      const link = { project_id: row.project_id, id: row.payment_link_id }
      await links.countPaid(tx, link, row.amount_cents)
    }
    await note(tx, runtime, { row, event: eventOf(step), amount_cents: part })
    if (step.to === 'paid') await issue(tx, runtime, { row, refunded: null })
    if (part !== null) {
      const refunded = { before: refunded_cents - part, after: refunded_cents }
      await issue(tx, runtime, { row, refunded })
    }
    await followOrder(tx, runtime, { row, to: step.to, mandate: seen.mandate })
    await settle(tx, runtime, row, step)
    await emit(tx, runtime, row, step)
  }
  await store.change(tx, row, { checked_at: now })
}

/** Releases the pieces of an order that ended unpaid, or lowers the stock by those that were paid. */
// oxlint-disable-next-line max-params -- where, of what, and which step
async function settle(
  tx: Transaction,
  runtime: Runtime,
  row: store.OrderRow,
  { to }: Step,
): Promise<void> {
  const settled = await settleStock(tx, runtime, { row, to })
  if (settled === null) return
  await store.change(tx, row, { stock: settled.stock })
  if (settled.missing > 0) await note(tx, runtime, { row, event: 'stock_short' })
}

function toText(values: Record<string, string | bigint>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
}

function changesOf(step: Step, row: store.OrderRow, now: Date): store.OrderChange {
  switch (step.to) {
    case 'pending':
      return { status: step.to }
    case 'paid':
      return { status: step.to, paid_at: row.paid_at ?? now, ended_at: null }
    case 'partially_refunded':
    case 'refunded':
      return { status: step.to, refunded_cents: step.refunded_cents }
    case 'charged_back':
      return { status: step.to }
    default:
      return { status: step.to, ended_at: now }
  }
}

type TimelineEvent = store.TimelineRow['event']

function eventOf({ to }: Step): TimelineEvent {
  return to === 'partially_refunded' ? 'refunded' : to
}

const eventTypes: Readonly<Record<Step['to'], Exclude<EventType, 'webhook.test'> | null>> = {
  pending: null,
  paid: 'order.paid',
  failed: 'order.failed',
  expired: 'order.expired',
  canceled: 'order.canceled',
  partially_refunded: 'order.refunded',
  refunded: 'order.refunded',
  charged_back: 'order.charged_back',
}

// oxlint-disable-next-line max-params -- where, of what, and which step
async function emit(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id }: store.OrderKey,
  { to }: Step,
): Promise<void> {
  const type = eventTypes[to]
  if (type === null) return
  await webhooks.emit(tx, runtime, { project_id, type, subject: { order_id: id } })
}

export interface Noted {
  row: store.OrderKey
  event: TimelineEvent
  amount_cents?: bigint | null
}

/** Adds an entry to the timeline of an order. */
export async function note(
  tx: Transaction,
  runtime: Runtime,
  { row, event, amount_cents = null }: Noted,
): Promise<void> {
  await store.insertTimeline(tx, {
    project_id: row.project_id,
    id: newId(runtime.clock),
    order_id: row.id,
    event,
    amount_cents,
    happened_at: runtime.clock.now(),
  })
  announceRecordsAfter(tx, runtime, row.project_id, 'orders')
}
