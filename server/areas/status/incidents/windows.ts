/** Records the start and the end of maintenance at their planned times. */
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import { post } from './incidents.ts'
import * as store from './incidents-store.ts'
import { stateAt } from './state-at.ts'

const EVERY_S = 60

export const recordMaintenance = reconciler({
  name: 'status.maintenance',
  every_s: EVERY_S,
  async run(runtime) {
    const now = runtime.clock.now()
    await runtime.db.transact(async (tx) => {
      for (const row of await store.lockDueMaintenance(tx, now)) {
        const state = stateAt(row, now)
        if (state !== 'in_progress' && state !== 'completed') continue
        const ended_at = state === 'completed' ? row.planned_until : null
        await store.changeIncident(tx, row.id, { state, ended_at })
        await post(tx, runtime, { incident_id: row.id, state, message: null })
      }
    })
  },
})
