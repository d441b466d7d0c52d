/** The durable work of messages: handing them over to the carrier, and giving up on lost ones. */
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { enqueue, job, reconciler } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendQueued } from './sending/send-queued.ts'
import { advance } from './sending/settle.ts'
import * as store from './store.ts'

const LOST_AT_A_TIME = 100

export const sendMessage = job({
  name: 'messages.send',
  payload: Type.Object({
    project_id: Type.String(),
    message_id: Type.String(),
    /** Marks the second run of a simulated message, which ends it. */
    confirms: Type.Optional(Type.Boolean()),
  }),
  // An hour in total: a later message would be of no use.
  retry_after_s: [5, 15, 60, 120, 300, 600, 1200, 1500],
  run: (work) =>
    sendQueued(work, (tx, row, after_ms) =>
      enqueueSending(tx, work.runtime, { row, after_ms, confirms: true }),
    ),
})

interface ToSend {
  row: store.MessageKey
  after_ms?: number
  confirms?: boolean
}

export function enqueueSending(
  tx: Transaction,
  runtime: Runtime,
  { row, after_ms = 0, confirms }: ToSend,
): Promise<void> {
  const { project_id, id: message_id } = row
  return enqueue(tx, runtime, sendMessage, {
    payload: { project_id, message_id, ...(confirms && { confirms }) },
    project_id,
    run_at: new Date(runtime.clock.now_ms() + after_ms),
  })
}

/** Ends messages whose request got no reply and that no callback has confirmed since. */
export const endLostMessages = reconciler({
  name: 'messages.end_lost',
  every_s: 3_600,
  async run(runtime) {
    const before = new Date(runtime.clock.now_ms() - limits.message_unconfirmed_s * 1000)
    for (;;) {
      const lost = await store.listQueued(runtime.db, { before, limit: LOST_AT_A_TIME })
      for (const key of lost) {
        await runtime.db.transact(async (tx) => {
          const row = await store.lockMessage(tx, key)
          if (row?.status !== 'queued') return
          const to = { status: 'failed', reason: 'unknown', is_free: true } as const
          await advance(tx, runtime, { row, to })
        })
      }
      if (lost.length < LOST_AT_A_TIME) return
    }
  },
})
