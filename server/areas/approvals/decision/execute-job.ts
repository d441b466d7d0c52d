/**
 * Fallback job that executes an approved request if the process of the decision ended first.
 * Usually the approval has ended and the job does nothing.
 */
import { Type } from 'typebox'
import { job } from '../../../kernel/jobs/jobs.ts'
import { executeApproval, failApproval } from './execute.ts'

/**
 * The retries last long enough for a locked Idempotency-Key, an unreachable carrier or a slow
 * process.
 */
const RETRY_S = [5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400]

export const executeApprovalJob = job({
  name: 'approvals.carry_out',
  payload: Type.Object({ project_id: Type.String(), id: Type.String() }),
  retry_after_s: RETRY_S,
  async run({ runtime, payload, attempt }) {
    try {
      await executeApproval(runtime, payload)
    } catch (error) {
      if (attempt <= RETRY_S.length) throw error
      runtime.log.error(
        { err: error, approval_id: payload.id },
        'an approval failed after its last retry',
      )
      await failApproval(runtime, payload)
    }
  },
})
