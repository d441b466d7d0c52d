/**
 * Checks the records of sending domains again: verified ones daily, others every hour, and those that were
 * added within a day every minute, because somebody is setting their records.
 */
import { limits } from '../../../contract/limits.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { checkDomain } from './domains.ts'
import { listDue } from './domain-store.ts'

const EVERY_S = 60
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const COUNT = 100
const AT_ONCE = 10

export const recheckDomains = reconciler({
  name: 'email.recheck_domains',
  every_s: EVERY_S,
  async run(runtime: Runtime) {
    const now_ms = runtime.clock.now_ms()
    const due = await listDue(runtime.db, {
      verified_before: new Date(now_ms - limits.sending_domain_check_interval_s * 1000),
      others_before: new Date(now_ms - HOUR_MS),
      created_after: new Date(now_ms - DAY_MS),
      count: COUNT,
    })
    // A name server that does not answer holds up its own check only.
    const work = due.values()
    const check = async () => {
      for (const row of work) await checkDomain(runtime, row)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, check))
  },
})
