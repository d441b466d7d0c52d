/**
 * The work of projects that is done after the reply: asking again about a VAT number that got no
 * answer, for as long as it takes.
 */
import { Type } from 'typebox'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { enqueue, job } from '../../kernel/jobs/jobs.ts'
import { vatCheckerOf } from '../../providers/vat/vat.ts'
import * as store from './company-store.ts'

/** The pause before each further question; the last one repeats. */
const PAUSES_S = [60, 300, 1_800, 7_200, 21_600, 86_400]
/** For faults of our own, after which the job is run again as it is. */
const RETRY_AFTER_S = [60, 600, 3_600, 21_600, 86_400]

export interface LaterQuestion extends store.VatQuestion {
  /** How often the service was asked in vain. */
  asked: number
}

export const checkVatNumber = job({
  name: 'company.check_vat_number',
  payload: Type.Object({ vat_number: Type.String(), asked: Type.Integer({ minimum: 1 }) }),
  retry_after_s: RETRY_AFTER_S,
  async run({ runtime, project_id, payload: { vat_number, asked }, finish }) {
    if (project_id === null) return finish()
    const question = { project_id, vat_number }
    // Meanwhile the number may have been replaced, or checked with another PUT.
    if (!(await store.awaitsVatAnswer(runtime.db, question))) return finish()
    const answer = await vatCheckerOf(runtime).check(vat_number)
    await finish((tx) =>
      answer === 'no_answer'
        ? planVatCheck(tx, runtime, { ...question, asked: asked + 1 })
        : store.saveVatAnswer(tx, question, {
            vat_status: answer,
            vat_checked_at: runtime.clock.now(),
          }),
    )
  },
})

/**
 * Asks again after a pause. Every question in vain plans the next one as a job of its own, because
 * one that only failed would some day be given up. A number has one such job at a time.
 */
export function planVatCheck(
  tx: Transaction,
  runtime: Runtime,
  { project_id, vat_number, asked }: LaterQuestion,
): Promise<void> {
  const pause_s = PAUSES_S[Math.min(asked, PAUSES_S.length) - 1] ?? 0
  return enqueue(tx, runtime, checkVatNumber, {
    payload: { vat_number, asked },
    project_id,
    run_at: new Date(runtime.clock.now_ms() + pause_s * 1000),
    dedupe_key: vat_number,
  })
}
