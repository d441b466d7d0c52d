/** Providers that do not answer, or refuse requests. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { listProviderResults, type ProviderResult } from '../../../kernel/provider-results.ts'
import * as operator from '../../operator/service.ts'
import type { Condition } from '../condition.ts'

/** Failed requests without one that worked between them. */
const FAILURES_MIN = 3
/** Without requests nothing is known. */
const RECENT_MS = 3_600_000

export async function checkProviders(runtime: Runtime): Promise<Condition[]> {
  const { db, clock } = runtime
  const results = await listProviderResults(db)
  const failing = new Map(
    results
      .filter((one) => isFailing(one, clock.now_ms()))
      .map(({ provider, message }) => [provider, message ?? '']),
  )
  const { data } = await operator.listProviders({ db, runtime })
  for (const { interface: name, status } of data) {
    if ((status === 'down' || status === 'degraded') && !failing.has(name)) failing.set(name, '')
  }
  return [...failing].map(([subject, message]) => ({
    kind: 'provider',
    subject,
    detail: { message },
  }))
}

function isFailing({ failing_since, failed_at, failures }: ProviderResult, now_ms: number) {
  if (failing_since === null || failed_at === null || failures < FAILURES_MIN) return false
  return now_ms - failed_at.getTime() < RECENT_MS
}
