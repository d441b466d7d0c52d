/**
 * Deletes unused files in three steps, with a crash possible after each: mark the rows, which
 * excludes them from lookups and from the usage; remove the bytes; later, after any upload in
 * progress, delete the rows. The next sweep continues from the rows.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { lockUsage } from './store.ts'
import { listBlobKeys, toUploadKey } from './stored.ts'
import * as store from './sweep-store.ts'
import * as uploads from './upload-store.ts'

const SWEEP_EVERY_S = 300
const BATCH_ROWS = 500
const UNUSED_MS = 3_600_000
/** After this time no upload can be in progress: longer than a link is valid plus an upload. */
const ANNOUNCED_MS = 2_700_000
/** Period for which an expired link is kept, so that its upload can still be used. */
const UPLOAD_KEPT_MS = 3_600_000

export const sweepFiles = reconciler({
  name: 'files.sweep',
  every_s: SWEEP_EVERY_S,
  async run(runtime) {
    await markUnused(runtime)
    await removeDeleted(runtime)
    await deleteExpiredUploads(runtime)
  },
})

/** Marks the given files as deleted if nothing uses them, without waiting for the grace period. */
export async function deleteFiles(
  runtime: Runtime,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  const now = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    await lockUsage(tx, project_id)
    await store.markDeleted(tx, { project_id, ids, now })
  })
}

async function markUnused(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now()
  const until = {
    stored: new Date(now.getTime() - UNUSED_MS),
    announced: new Date(now.getTime() - ANNOUNCED_MS),
  }
  for (let found = BATCH_ROWS; found === BATCH_ROWS;) {
    const due = await store.findUnused(runtime.db, { until, limit: BATCH_ROWS })
    found = due.length
    for (const [project_id, files] of Map.groupBy(due, (file) => file.project_id)) {
      const ids = files.map(({ id }) => id)
      await runtime.db.transact(async (tx) => {
        await lockUsage(tx, project_id)
        await store.markDeleted(tx, { project_id, ids, now, until })
      })
    }
  }
}

async function removeDeleted(runtime: Runtime): Promise<void> {
  const announced = new Date(runtime.clock.now_ms() - ANNOUNCED_MS)
  for (let found = BATCH_ROWS; found === BATCH_ROWS;) {
    const rows = await store.findDeleted(runtime.db, { announced, limit: BATCH_ROWS })
    found = rows.length
    if (found === 0) return
    await runtime.blobs.remove(rows.flatMap(listBlobKeys))
    await runtime.db.transact((tx) => store.clearDeleted(tx, { rows, announced }))
  }
}

/** Deletes expired links, and for direct uploads the objects under the keys of the links. */
async function deleteExpiredUploads(runtime: Runtime): Promise<void> {
  const until = new Date(runtime.clock.now_ms() - UPLOAD_KEPT_MS)
  for (let found = BATCH_ROWS; found === BATCH_ROWS;) {
    const rows = await uploads.findExpired(runtime.db, { until, limit: BATCH_ROWS })
    found = rows.length
    if (found === 0) return
    if (runtime.blobs.uploadLink) await runtime.blobs.remove(rows.map(toUploadKey))
    await runtime.db.transact((tx) => uploads.remove(tx, rows))
  }
}
