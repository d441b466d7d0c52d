/** Checks a company in the business register. Without an answer it asks again, then leaves it to the operator. */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { registerOf, type RegisterReply } from '../../../providers/register/register.ts'
import * as projects from '../../projects/service.ts'
import { enqueueOperatorNotice } from '../mail-jobs.ts'
import { decideReview } from '../reviews/decide.ts'
import * as reviews from '../reviews/review-store.ts'
import { compareCompany } from './compare.ts'
import { noCompany } from './reasons.ts'

/** Pauses between requests without an answer; after the last one the operator decides. */
const PAUSES_S = [60, 300, 1_800, 7_200, 21_600, 43_200]

interface Check {
  project_id: string
  review_id: string
  asked: number
}

export const checkRegister = job({
  name: 'verification.check_register',
  payload: Type.Object({ review_id: Type.String(), asked: Type.Integer({ minimum: 0 }) }),
  retry_after_s: [60, 600, 3_600, 21_600, 86_400],
  async run({ runtime, project_id, payload, finish }) {
    if (project_id === null) return finish()
    const check = { project_id, ...payload }
    const company = await projects.findCompany(runtime.db, project_id)
    const number = company?.kvk_number
    const register = registerOf(runtime)
    if (!company || !number || !register) {
      await finish((tx) => leaveToOperator(tx, runtime, check))
      return
    }
    const reply = await register.read(number)
    await finish((tx) => applyReply(tx, runtime, { check, company, reply }))
  },
})

interface Checked {
  check: Check
  /** The details that were compared. A change of name or number ends the review. */
  company: projects.CompanyRow
  reply: RegisterReply
}

async function applyReply(
  tx: Transaction,
  runtime: Runtime,
  { check, company, reply }: Checked,
): Promise<void> {
  const { project_id, review_id: id, asked } = check
  if (reply.answer === 'no_answer') {
    const pause_s = PAUSES_S[asked]
    if (pause_s === undefined) return leaveToOperator(tx, runtime, check)
    const payload = { review_id: id, asked: asked + 1 }
    const run_at = new Date(runtime.clock.now_ms() + pause_s * 1000)
    return enqueue(tx, runtime, checkRegister, { project_id, payload, run_at })
  }
  const found =
    reply.answer === 'found' ? compareCompany(company, reply.company) : { reason: noCompany }
  if (found === 'unknown_address') return leaveToOperator(tx, runtime, check)
  const { reason } = found
  const status = reason === null ? 'approved' : 'rejected'
  await decideReview(tx, runtime, { project_id, id, status, reason, ask_again: [] })
}

async function leaveToOperator(
  tx: Transaction,
  runtime: Runtime,
  { project_id, review_id: id }: Check,
): Promise<void> {
  const project = await projects.findLocked(tx, project_id)
  const review = await reviews.lock(tx, { project_id, id })
  if (!project || review?.status !== 'pending') return
  await reviews.decide(tx, { project_id, id, way: 'operator' })
  await enqueueOperatorNotice(tx, runtime, { project, level: review.level })
}
