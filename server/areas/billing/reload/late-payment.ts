/**
 * Finds a payment after its top-up was given up because the provider did not respond or listed it
 * late. The owner paid, so the balance is credited. The payment is only searched for, never
 * requested again.
 */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import { PaymentUnknown } from '../../../providers/payments/payment-contract.ts'
import { paymentsOf } from '../../../providers/payments/payments.ts'
import { lockBooks } from '../ledger/record.ts'
import * as store from './reload-store.ts'
import { addReload } from '../ledger/top-up.ts'

/** The first search is half an hour after the top-up was given up; the last is three days later. */
const FIRST_LOOK_S = 1800
const LOOK_AGAIN_S = [3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400]

/** Searches for the payment of a top-up that was given up, and credits it once. */
export const findLatePayment = job({
  name: 'billing.late_payment',
  payload: Type.Object({ project_id: Type.String(), reload_id: Type.String() }),
  retry_after_s: LOOK_AGAIN_S,
  async run({ runtime, payload, attempt, finish }) {
    const { project_id, reload_id: id } = payload
    const reload = await store.findGivenUp(runtime.db, project_id, id)
    if (!reload) return
    const payments = paymentsOf(runtime)
    if (payments === null) throw new PaymentUnknown('There is no payment provider to ask.')
    const { customer, created_at } = reload
    const found = await payments.find({ reference: id, customer, since: created_at })
    if (found?.state === 'paid') {
      const { payment_id } = found
      await finish((tx) => payLate(tx, runtime, { reload, payment_id }))
    }
    if (found !== null || attempt > LOOK_AGAIN_S.length) return
    throw new PaymentUnknown('The provider does not have the payment, or not yet.')
  },
})

/**
 * Credits the payment. The state change ensures a single credit, even if another process finds the
 * payment too.
 */
async function payLate(
  tx: Transaction,
  runtime: Runtime,
  { reload, payment_id }: { reload: store.PendingReload; payment_id: string },
): Promise<void> {
  const { project_id, id } = reload
  await lockBooks(tx, runtime, project_id)
  if (!(await store.markPaidLate(tx, { project_id, id, payment_id }))) return
  await addReload(tx, runtime, reload)
}

export function enqueueLateSearch(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id: reload_id }: { project_id: string; id: string },
): Promise<void> {
  const run_at = new Date(runtime.clock.now_ms() + FIRST_LOOK_S * 1000)
  const payload = { project_id, reload_id }
  return enqueue(tx, runtime, findLatePayment, {
    payload,
    project_id,
    run_at,
    dedupe_key: reload_id,
  })
}
