/** Versions that go, and the files that they no longer use. */
import type { Transaction } from '../../../kernel/database/database.ts'
import * as files from '../../files/service.ts'
import type { SiteKey } from '../store.ts'
import * as versions from './version-store.ts'

/** Old versions but the live one, or all of them. Under the lock of the project. */
export async function forgetVersions(
  tx: Transaction,
  key: SiteKey,
  { now, old }: { now: Date; old?: { until: number; live: number } },
): Promise<void> {
  const gone = await versions.versionFiles(tx, key, old)
  const ids = gone.flatMap((version) => [...new Set(version.files.map(({ file_id }) => file_id))])
  await files.releaseFiles(tx, { project_id: key.project_id, now }, ids)
  const numbers = gone.map(({ number }) => number)
  if (numbers.length > 0) await versions.deleteVersions(tx, key, numbers)
}
