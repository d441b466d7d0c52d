/**
 * Taking away what nobody uses. It goes in three steps, and each can be the last before a crash:
 * files are doomed, which takes them out of every lookup and out of the sum; their bytes go; and later,
 * with whatever somebody was still writing beside them, their rows. The next sweep finds what is left
 * by the rows.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { lockUsage } from './store.ts'
import { keysOf, uploadKey } from './stored.ts'
import * as store from './sweep-store.ts'
import * as uploads from './upload-store.ts'

const SWEEP_EVERY_S = 300
const BITE = 500
const UNUSED_MS = 3_600_000
/** Until bytes come no more. It is longer than a link lives and an upload lasts. */
const ANNOUNCED_MS = 2_700_000
/** How long a link is known after its end, so that what was sent by it can still be used. */
const UPLOAD_KEPT_MS = 3_600_000

export const sweepFiles = reconciler({
  name: 'files.sweep',
  every_s: SWEEP_EVERY_S,
  async run(runtime) {
    await doomUnused(runtime)
    await removeDoomed(runtime)
    await forgetUploads(runtime)
  },
})

/** Files that nobody took, at once. */
export async function doom(
  runtime: Runtime,
  project_id: string,
  ids: readonly string[],
): Promise<void> {
  const now = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    await lockUsage(tx, project_id)
    await store.doomFiles(tx, { project_id, ids, now })
  })
}

async function doomUnused(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now()
  const until = {
    stored: new Date(now.getTime() - UNUSED_MS),
    announced: new Date(now.getTime() - ANNOUNCED_MS),
  }
  for (let found = BITE; found === BITE;) {
    const due = await store.findUnused(runtime.db, { until, limit: BITE })
    found = due.length
    for (const [project_id, files] of Map.groupBy(due, (file) => file.project_id)) {
      const ids = files.map(({ id }) => id)
      await runtime.db.transact(async (tx) => {
        await lockUsage(tx, project_id)
        await store.doomFiles(tx, { project_id, ids, now, until })
      })
    }
  }
}

async function removeDoomed(runtime: Runtime): Promise<void> {
  const announced = new Date(runtime.clock.now_ms() - ANNOUNCED_MS)
  for (let found = BITE; found === BITE;) {
    const rows = await store.findDoomed(runtime.db, { announced, limit: BITE })
    found = rows.length
    if (found === 0) return
    await runtime.blobs.remove(rows.flatMap(keysOf))
    await runtime.db.transact((tx) => store.clearDoomed(tx, { rows, announced }))
  }
}

/** Where the store itself takes uploads, what came by a link lies under a key of the link. */
async function forgetUploads(runtime: Runtime): Promise<void> {
  const until = new Date(runtime.clock.now_ms() - UPLOAD_KEPT_MS)
  for (let found = BITE; found === BITE;) {
    const rows = await uploads.findEnded(runtime.db, { until, limit: BITE })
    found = rows.length
    if (found === 0) return
    if (runtime.blobs.uploadLink) await runtime.blobs.remove(rows.map(uploadKey))
    await runtime.db.transact((tx) => uploads.remove(tx, rows))
  }
}
