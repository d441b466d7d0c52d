/** Background job that rechecks unverified VAT numbers until VIES answers. */
import { Type } from 'typebox'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { enqueue, job } from '../../kernel/jobs/jobs.ts'
import { vatCheckerOf } from '../../providers/vat/vat.ts'
import * as store from './company/company-store.ts'

/** Pauses between rechecks; the last one repeats. */
const PAUSES_S = [60, 300, 1_800, 7_200, 21_600, 86_400]
/** Retries after internal errors. */
const RETRY_AFTER_S = [60, 600, 3_600, 21_600, 86_400]

export interface VatRecheck extends store.VatCheckKey {
  /** Number of requests to VIES so far that got no answer. */
  asked: number
}

export const recheckVatNumber = job({
  name: 'company.check_vat_number',
  payload: Type.Object({ vat_number: Type.String(), asked: Type.Integer({ minimum: 1 }) }),
  retry_after_s: RETRY_AFTER_S,
  async run({ runtime, project_id, payload: { vat_number, asked }, finish }) {
    if (project_id === null) return finish()
    const question = { project_id, vat_number }
    // The number may have been replaced or verified by another PUT.
    if (!(await store.isVatUnverified(runtime.db, question))) return finish()
    const answer = await vatCheckerOf(runtime).check(vat_number)
    await finish((tx) =>
      answer === 'no_answer'
        ? enqueueVatRecheck(tx, runtime, { ...question, asked: asked + 1 })
        : store.saveVatResult(tx, question, {
            vat_status: answer,
            vat_checked_at: runtime.clock.now(),
          }),
    )
  },
})

/**
 * Enqueues the next recheck. Each recheck is a new job, because retries of one job are limited. A
 * number has one such job at a time.
 */
export function enqueueVatRecheck(
  tx: Transaction,
  runtime: Runtime,
  { project_id, vat_number, asked }: VatRecheck,
): Promise<void> {
  const pause_s = PAUSES_S[Math.min(asked, PAUSES_S.length) - 1] ?? 0
  return enqueue(tx, runtime, recheckVatNumber, {
    payload: { vat_number, asked },
    project_id,
    run_at: new Date(runtime.clock.now_ms() + pause_s * 1000),
    dedupe_key: vat_number,
  })
}
