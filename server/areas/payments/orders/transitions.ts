/**
 * The states of an order. Pure. A state never goes back, so repeated, late and out-of-order reports
 * change nothing. Money that arrives counts in every state before `paid`, also after the order has
 * expired.
 */
import type { ProviderPayment } from '../../../providers/checkout/checkout-contract.ts'

export const orderStatuses = [
  'open',
  'pending',
  'paid',
  'failed',
  'expired',
  'canceled',
  'partially_refunded',
  'refunded',
  'charged_back',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const statusRanks: Readonly<Record<OrderStatus, number>> = {
  open: 0,
  pending: 1,
  failed: 2,
  expired: 2,
  canceled: 2,
  paid: 3,
  partially_refunded: 4,
  refunded: 5,
  charged_back: 6,
}

export interface OrderState {
  status: OrderStatus
  amount_cents: bigint
  refunded_cents: bigint
}

export type Step =
  | { to: 'pending' | 'paid' | 'failed' | 'expired' | 'canceled' | 'charged_back' }
  | { to: 'partially_refunded' | 'refunded'; refunded_cents: bigint }

/** The steps from the state of an order to the one that the provider reports; none if it is older. */
export function listSteps(order: OrderState, seen: ProviderPayment): Step[] {
  const steps: Step[] = []
  let rank = statusRanks[order.status]
  const add = (step: Step) => {
    if (statusRanks[step.to] <= rank) return
    steps.push(step)
    rank = statusRanks[step.to]
  }
  if (seen.state !== 'open') add({ to: seen.state })
  if (seen.state !== 'paid') return steps
  const refunded_cents =
    seen.refunded_cents > order.amount_cents ? order.amount_cents : seen.refunded_cents
  if (refunded_cents > order.refunded_cents) {
    const is_whole = refunded_cents === order.amount_cents
    const step = { to: is_whole ? 'refunded' : 'partially_refunded', refunded_cents } as const
    // A further part of an order that is refunded in part keeps its status.
    if (statusRanks[step.to] === rank) steps.push(step)
    else add(step)
  }
  if (seen.charged_back) add({ to: 'charged_back' })
  return steps
}

/** Whether the order can still be paid. */
export function isPayable(status: OrderStatus): boolean {
  return status === 'open' || status === 'pending'
}

export function isRefundable(status: OrderStatus): boolean {
  return status === 'paid' || status === 'partially_refunded'
}
