/** Protection of orders by visitors: rate limits, proof of work, open orders and card testing. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { createSlidingWindow, type SlidingWindow } from '../../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newChallenge, readSolution, spend, type Challenge } from '../../../kernel/challenge.ts'
import * as orders from '../orders/order-store.ts'
import { Refusal } from '../refusals.ts'
import type { RefusalReason } from './shop-schema.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** `plain` limits orders by forms without a script. */
interface Windows {
  addresses: SlidingWindow
  tokens: SlidingWindow
  plain: SlidingWindow
}

const windows = new WeakMap<Runtime, Windows>()

function windowsOf(runtime: Runtime): Windows {
  const known = windows.get(runtime)
  if (known) return known
  const windowOf = (limit: number, window_ms: number) =>
    createSlidingWindow(runtime.clock, { limit, window_ms })
  const made = {
    addresses: windowOf(limits.shop_orders_per_address_max, 10 * MINUTE_MS),
    tokens: windowOf(limits.shop_orders_per_token_max, MINUTE_MS),
    plain: windowOf(limits.shop_plain_orders_per_hour_max, HOUR_MS),
  }
  windows.set(runtime, made)
  return made
}

/** Throws rate_limited for the visitor, without the limits. */
export function requireOrderRate({
  runtime,
  project,
  address,
  token_id,
  browser,
}: GuestCaller): void {
  const { addresses, tokens, plain } = windowsOf(runtime)
  const count = (window: SlidingWindow, key: string, reason: RefusalReason) => {
    const { allowed, retry_after_s } = window.pass(key)
    if (allowed) return
    const detail = 'Too many orders in a short time.'
    throw new Refusal(reason, new Problem('rate_limited', detail, { retry_after_s }))
  }
  count(addresses, `${project.id} ${address}`, 'rate_limited_address')
  count(tokens, token_id, 'rate_limited_token')
  // A form without a script cannot solve a challenge.
  if (browser !== null) count(plain, project.id, 'too_many_without_script')
}

function purposeOf({ project }: GuestCaller) {
  return { project_id: project.id, purpose: 'order' }
}

export function createOrderChallenge(guest: GuestCaller): Promise<Challenge> {
  return newChallenge(guest.runtime, purposeOf(guest), {
    steps_max: limits.form_challenge_steps_max,
    lifetime_s: limits.form_challenge_lifetime_s,
  })
}

/** Verifies and spends the proof of work. Only forms without a script need none. */
export async function requireProofOfWork(guest: GuestCaller, solution: string): Promise<void> {
  if (guest.browser !== null) return
  const { runtime } = guest
  if (solution === '') throw proofRefused('is missing')
  const read = await readSolution(runtime, purposeOf(guest), solution)
  if ('fault' in read) throw proofRefused(read.fault)
  if (!(await spend(runtime, read))) throw proofRefused('was used before')
}

function proofRefused(what: string): Refusal {
  const problem = new Problem('challenge_failed', `The solution in hp_challenge ${what}.`)
  return new Refusal('challenge_failed', problem)
}

export function newRefusal(reason: RefusalReason): Refusal {
  return new Refusal(reason, new Problem('order_refused', 'This order cannot be placed now.'))
}

/**
 * Throws a Refusal if too many orders are open, the one just inserted included, or if so many payments
 * failed that it looks like card testing. The insert locked the counter of order numbers, so
 * the counts are exact.
 */
export async function requireLowRisk(
  tx: Transaction,
  { clock }: Runtime,
  shop: orders.VisitorShop,
): Promise<void> {
  const since = new Date(clock.now_ms() - HOUR_MS)
  const { open, failed, paid } = await orders.countOfVisitors(tx, shop, since)
  if (open > limits.shop_open_orders_max) throw newRefusal('too_many_open')
  const many = failed >= limits.shop_failed_payments_per_hour_max
  if (many && failed > 2 * paid) throw newRefusal('failed_payments')
}
