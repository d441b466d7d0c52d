/** Deletes evidence some days after its decision, or after a change of the account type withdrew it. */
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import { deleteUnconfirmed } from '../phone/phone-store.ts'
import { toDocumentKey } from './documents.ts'
import { updateEvidence } from './evidence.ts'
import * as store from './sweep-store.ts'

const SWEEP_EVERY_S = 900
const BATCH = 100
/** Longer than an upload can take after its link expired. */
const UPLOAD_MS_MAX = 3_600_000

export const sweepEvidence = reconciler({
  name: 'verification.sweep',
  every_s: SWEEP_EVERY_S,
  async run(runtime) {
    await removeDue(runtime)
    await deleteRemoved(runtime)
    const before = new Date(runtime.clock.now_ms() - limits.phone_codes_kept_s * 1000)
    await runtime.db.transact((tx) => deleteUnconfirmed(tx, before))
  },
})

async function removeDue(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now()
  for (const project_id of await store.listDueProjects(runtime.db, { now, limit: BATCH })) {
    await runtime.db.transact(async (tx) => {
      const project = await projects.findLocked(tx, project_id)
      if (!project) return
      await store.removeDue(tx, { project_id, round: project.verification_round, now })
      await updateEvidence(tx, project)
    })
  }
}

async function deleteRemoved(runtime: Runtime): Promise<void> {
  const expired = new Date(runtime.clock.now_ms() - UPLOAD_MS_MAX)
  for (let found = BATCH; found === BATCH;) {
    const rows = await store.listRemoved(runtime.db, { expired, limit: BATCH })
    found = rows.length
    if (found === 0) return
    await runtime.blobs.remove(rows.map(toDocumentKey))
    await runtime.db.transact((tx) => store.deleteRows(tx, rows))
  }
}
