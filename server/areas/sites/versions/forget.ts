/** Deletes versions and releases their files. */
import type { Transaction } from '../../../kernel/database/database.ts'
import * as files from '../../files/service.ts'
import type { SiteKey } from '../store.ts'
import * as versions from './version-store.ts'

/**
 * Deletes old versions except the live one, or all versions. The caller holds the lock of the
 * project.
 */
export async function deleteVersionsOfSite(
  tx: Transaction,
  key: SiteKey,
  { now, old }: { now: Date; old?: { until: number; live: number } },
): Promise<void> {
  const gone = await versions.listVersionFiles(tx, key, old)
  const ids = gone.flatMap((version) => [...new Set(version.files.map(({ file_id }) => file_id))])
  await files.releaseFiles(tx, { project_id: key.project_id, now }, ids)
  const numbers = gone.map(({ number }) => number)
  if (numbers.length > 0) await versions.deleteVersions(tx, key, numbers)
}
