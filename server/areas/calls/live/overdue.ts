/** Ends calls whose carrier says nothing more, and calls that are too long. */
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { CallKey } from '../store.ts'
import { react, tell } from './callbacks.ts'
import { end, lockRunning, lost } from './engine.ts'
import { listDue } from './live-store.ts'

const AT_A_TIME = 100

export const endOverdueCalls = reconciler({
  name: 'calls.end_overdue',
  every_s: 60,
  async run(runtime) {
    for (;;) {
      const due = await listDue(runtime.db, runtime.clock.now(), AT_A_TIME)
      for (const key of due) await endOverdue(runtime, key)
      if (due.length < AT_A_TIME) return
    }
  },
})

async function endOverdue(runtime: Runtime, key: CallKey): Promise<void> {
  const reaction = await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (!running || running.live.due_at > runtime.clock.now()) return null
    const { carrier_id } = running.live
    const told = await end(tx, runtime, { ...running, ...lost(running) })
    return carrier_id && react(runtime, { carrier_id, key, ...told })
  })
  if (reaction) await tell(runtime, reaction)
}
