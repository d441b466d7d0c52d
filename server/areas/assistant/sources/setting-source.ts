/** The website of PUT /assistant, which is a source like the others. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueueIndexing } from './index-jobs.ts'
import { newSource } from './new-source.ts'
import * as store from './source-store.ts'

/**
 * Makes the website of the settings a source, in the transaction that changes them. Another address
 * deletes what was read from the one before. The same address is read again if it failed.
 */
export async function setWebsite(
  tx: Transaction,
  runtime: Runtime,
  { project_id, url, test }: { project_id: string; url: string | null; test: boolean },
): Promise<void> {
  const before = await store.lockSettingSource(tx, project_id)
  if (before?.url === url && before.status !== 'failed') return
  if (before !== undefined && before.url !== url) await store.deleteSource(tx, before)
  if (url === null) return
  const now = runtime.clock.now()
  if (before?.url === url) {
    await store.changeSource(tx, before, { ...store.restarted(before, now), attempts: 0 })
  } else {
    const id = newId(runtime.clock)
    const managed_by = 'assistant' as const
    const title = URL.parse(url)?.host ?? url
    const row = newSource({ project_id, id, kind: 'website', title, url, test }, now)
    await store.insertSource(tx, { ...row, managed_by })
  }
  await enqueueIndexing(tx, runtime, { project_id })
}
