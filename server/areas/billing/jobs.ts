/** Background work of billing: automatic top-ups, card details and expired holds. */
import { Type } from 'typebox'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { enqueue, job, reconciler } from '../../kernel/jobs/jobs.ts'
import { paymentsOf } from '../../providers/payments/payments.ts'
import { releaseExpiredHolds } from './ledger/holds.ts'
import { toMonth } from './ledger/ledger.ts'
import * as store from './reload/reload-store.ts'
import { reload } from './reload/reload.ts'

/**
 * Pauses between retries: short ones first, then half an hour, for longer than an outcome can stay
 * unknown.
 */
const RELOAD_RETRY_S = [10, 30, 60, 120, 300, 600, ...Array<number>(12).fill(1800)]
const DUE_AT_A_TIME = 100
const CARD_RETRY_S = [5, 30, 300, 1800, 7200, 21_600, 86_400]

/** Tops up from the saved card if the balance is low and the settings allow it. */
export const autoReload = job({
  name: 'billing.auto_reload',
  payload: Type.Object({ project_id: Type.String() }),
  retry_after_s: RELOAD_RETRY_S,
  run: reload,
})

/**
 * Reads the displayed details and the customer of a saved card from the payment provider. The card
 * is charged only after that. A card unknown to the provider disables automatic top-up.
 */
export const fetchSavedCard = job({
  name: 'billing.read_card',
  payload: Type.Object({ project_id: Type.String(), payment_method: Type.String() }),
  retry_after_s: CARD_RETRY_S,
  async run({ runtime, payload: { project_id, payment_method }, finish }) {
    const card = await paymentsOf(runtime)?.readCard(payment_method)
    if (card === undefined) return
    await finish(async (tx) => {
      if (card === null) {
        return store.disable(tx, { project_id, payment_method, reason: 'card_unusable' })
      }
      await store.saveCard(tx, { project_id, payment_method, card })
      await enqueueReload(tx, runtime, project_id)
    })
  },
})

/**
 * Enqueues top-ups that no charge triggers: at the start of a month after max_per_month was
 * reached, and for a balance too low to be charged. It also resumes pending top-ups.
 */
export const resumeDueReloads = reconciler({
  name: 'billing.due_reloads',
  every_s: 900,
  async run(runtime) {
    if (paymentsOf(runtime) === null) return
    const month = toMonth(runtime.clock.now(), runtime.config.billing_timezone)
    let after: string | null = null
    do {
      const due: string[] = await store.listDue(runtime.db, { month, after, limit: DUE_AT_A_TIME })
      await runtime.db.transact(async (tx) => {
        for (const project_id of due) await enqueueReload(tx, runtime, project_id)
      })
      after = due.length === DUE_AT_A_TIME ? (due.at(-1) ?? null) : null
    } while (after !== null)
  },
})

/** Releases expired holds. */
export const releaseHoldsWhenExpired = reconciler({
  name: 'billing.expired_holds',
  every_s: 60,
  async run(runtime) {
    await releaseExpiredHolds(runtime)
  },
})

/**
 * Enqueues an automatic top-up. The dedupe key limits a project to one running and one waiting job.
 */
export function enqueueReload(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<void> {
  const payload = { project_id }
  return enqueue(tx, runtime, autoReload, { payload, project_id, dedupe_key: 'auto_reload' })
}

export function enqueueCardReading(
  tx: Transaction,
  runtime: Runtime,
  saved: { project_id: string; payment_method: string },
): Promise<void> {
  const { project_id, payment_method } = saved
  return enqueue(tx, runtime, fetchSavedCard, {
    payload: { project_id, payment_method },
    project_id,
    dedupe_key: payment_method,
  })
}
