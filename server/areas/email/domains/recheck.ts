/** Checks the records of sending domains again: verified ones daily, others every hour. */
import { limits } from '../../../contract/limits.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { checkDomain } from './domains.ts'
import { listDue } from './domain-store.ts'

const EVERY_S = 600
const HOUR_MS = 3_600_000
const COUNT = 100

export const recheckDomains = reconciler({
  name: 'email.recheck_domains',
  every_s: EVERY_S,
  async run(runtime: Runtime) {
    const now_ms = runtime.clock.now_ms()
    const due = await listDue(runtime.db, {
      verified_before: new Date(now_ms - limits.sending_domain_check_interval_s * 1000),
      others_before: new Date(now_ms - HOUR_MS),
      count: COUNT,
    })
    for (const row of due) await checkDomain(runtime, row)
  },
})
