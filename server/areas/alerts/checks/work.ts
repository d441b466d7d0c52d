/** Jobs and deliveries that wait too long, and jobs that failed for good. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import * as operator from '../../operator/service.ts'
import type { Condition } from '../condition.ts'

const ERROR_CHARACTERS_MAX = 200

export async function checkWork(runtime: Runtime): Promise<Condition[]> {
  const { queue_minutes, failed_jobs } = runtime.config.alerts
  const {
    jobs,
    deliveries,
    failed_jobs: listed,
  } = await operator.readWork({
    db: runtime.db,
    runtime,
  })
  const found: Condition[] = []
  for (const [subject, { oldest_s }] of Object.entries({ jobs, deliveries })) {
    const minutes = Math.floor((oldest_s ?? 0) / 60)
    if (queue_minutes > 0 && minutes >= queue_minutes)
      found.push({ kind: 'queue', subject, detail: { minutes } })
  }
  if (failed_jobs > 0 && jobs.failed >= failed_jobs) {
    const [newest] = listed
    const job = newest?.job ?? ''
    const error = cutText(newest?.last_error ?? '', ERROR_CHARACTERS_MAX)
    found.push({ kind: 'failed_jobs', subject: '', detail: { count: jobs.failed, job, error } })
  }
  return found
}
