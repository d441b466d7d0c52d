/** Runs all checks. One that fails makes its conditions unknown, so that their alerts stay as they are. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { AlertKind, Condition, Findings } from '../condition.ts'
import { checkBackups } from './backups.ts'
import { checkCertificate } from './certificate.ts'
import { checkDisks, onThisMachine } from './disks.ts'
import { checkProviders } from './providers.ts'
import { checkWork } from './work.ts'

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
