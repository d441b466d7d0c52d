/** Evaluates the alerts each minute, in one process at a time. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { findConditions } from './checks/find-conditions.ts'
import type { Findings } from './condition.ts'
import { evaluateAlerts } from './evaluate.ts'
import { HISTORY_MS } from './history.ts'
import { queueNotices } from './send/queue-notices.ts'
import * as store from './store.ts'

const EVERY_S = 60
const MINUTE_MS = 60_000

export const evaluate = reconciler({
  name: 'alerts.evaluate',
  every_s: EVERY_S,
  async run(runtime) {
    const findings = await findConditions(runtime)
    await runtime.db.transact((tx) => record(tx, runtime, findings))
  },
})

/** Evaluations that overlap run one after another, so each change is sent once. */
async function record(tx: Transaction, runtime: Runtime, findings: Findings): Promise<void> {
  const { clock, config, log } = runtime
  const now = clock.now()
  await store.lockEvaluation(tx, now)
  const { saved, deleted, notices } = evaluateAlerts({
    now,
    hold_ms: config.alerts.hold_minutes * MINUTE_MS,
    open: await store.listOpen(tx),
    findings,
    newId: () => newId(clock),
  })
  await store.saveAlerts(tx, saved)
  await store.deleteAlerts(tx, deleted)
  await store.deleteResolved(tx, new Date(now.getTime() - HISTORY_MS))
  await queueNotices(tx, runtime, notices)
  for (const { event, alert } of notices)
    log.warn({ kind: alert.kind, subject: alert.subject, ...alert.detail }, `alert: ${event}`)
}
