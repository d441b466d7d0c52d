/** Runs all checks. One that fails makes its conditions unknown, so that their alerts stay as they are. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { AlertKind, Condition, Findings } from '../condition.ts'
import { checkCertificate } from './certificate.ts'
import { checkDisks, onThisMachine } from './disks.ts'
import { checkProviders } from './providers.ts'
import { checkWork } from './work.ts'
import * as backups from '../../backups/service.ts'

const HOUR_MS = 3_600_000

/** Whether backups are too old, or the last restore test failed. */
async function checkBackups({ config, clock, db }: Runtime): Promise<Condition[]> {
  if (config.backups.address === '') return []
  const { newest_at, first_at, tested } = await backups.readFacts(db)
  const hours_max = config.alerts.backup_hours
  const found: Condition[] = []
  const since = newest_at ?? first_at
  if (since !== null && hours_max > 0) {
    const hours = Math.floor((clock.now_ms() - since.getTime()) / HOUR_MS)
    const detail = { hours, newest_at: newest_at?.toISOString() ?? '' }
    if (hours >= hours_max) found.push({ kind: 'backup', subject: 'age', detail })
  }
  if (tested?.test_error) {
    const detail = { name: tested.name, error: tested.test_error }
    found.push({ kind: 'backup', subject: 'test', detail })
  }
  return found
}

/** Null: nothing is known. */
type Check = (runtime: Runtime) => Promise<Condition[] | null>

const checks: readonly [kinds: readonly AlertKind[], check: Check][] = [
  [['provider'], checkProviders],
  [['queue', 'failed_jobs'], checkWork],
  [['disk'], checkDisks],
  [['certificate'], checkCertificate],
  [['backup'], checkBackups],
]

export async function findConditions(runtime: Runtime): Promise<Findings> {
  const unknown = new Set<AlertKind>()
  const found = await Promise.all(
    checks.map(async ([kinds, check]) => {
      const conditions = await tryCheck(runtime, check)
      if (conditions === null) for (const kind of kinds) unknown.add(kind)
      return conditions ?? []
    }),
  )
  return {
    holding: found.flat(),
    isUnknown: ({ kind, subject }) =>
      unknown.has(kind) || (kind === 'disk' && !subject.endsWith(onThisMachine(''))),
  }
}

async function tryCheck(runtime: Runtime, check: Check): Promise<Condition[] | null> {
  try {
    return await check(runtime)
  } catch (err) {
    runtime.log.warn({ err, check: check.name }, 'a check for alerts failed')
    return null
  }
}
