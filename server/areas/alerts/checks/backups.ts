/** Whether backups are too old, or the last restore test failed. */
import type { Runtime } from '../../../kernel/runtime.ts'
import * as backups from '../../backups/service.ts'
import type { Condition } from '../condition.ts'

const HOUR_MS = 3_600_000

export async function checkBackups({ config, clock, db }: Runtime): Promise<Condition[]> {
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
