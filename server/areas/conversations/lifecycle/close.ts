/** Closes conversations: on request, after idle time and after the last turn. */
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { summariseConversation } from './summarise.ts'
import * as store from '../store.ts'

export interface Closing {
  reason: NonNullable<store.ConversationRow['closed_reason']>
  /** Whether the visitor says that the question is resolved; undefined if they did not say. */
  resolved?: boolean | undefined
}

/** Closes a locked conversation that is open, and queues its summary in the same transaction. */
export async function closeIn(
  tx: Transaction,
  runtime: Runtime,
  { row, reason, resolved }: Closing & { row: store.ConversationRow },
): Promise<store.ConversationRow> {
  const { project_id, id } = row
  const closed = await store.change(tx, row, {
    status: 'closed',
    closed_at: runtime.clock.now(),
    closed_reason: reason,
    resolution: await findResolution(tx, row, resolved),
    waiting_since: null,
    lease_token: null,
    lease_until: null,
  })
  await enqueue(tx, runtime, summariseConversation, {
    payload: { project_id, conversation_id: id },
    project_id,
    dedupe_key: id,
  })
  announceRecordsAfter(tx, runtime, project_id, 'conversations')
  return closed
}

async function findResolution(
  tx: Transaction,
  { project_id, id, handoff }: store.ConversationRow,
  resolved: boolean | undefined,
): Promise<store.ConversationRow['resolution']> {
  if (resolved === true) return 'confirmed'
  if (handoff !== null) return 'handed_off'
  if (resolved === false) return 'abandoned'
  const page = { project_id, conversation_id: id, count: 1, after: null }
  const [last] = await store.listMessages(tx, page)
  const is_answer = last?.answer_kind === 'model' || last?.answer_kind === 'extracted'
  return is_answer ? 'assumed' : 'abandoned'
}

const BATCH = 100

/** Closes the conversations of all projects that are idle for too long. */
export async function closeIdle(runtime: Runtime): Promise<void> {
  await closeIdleOf(runtime, 'active', limits.conversation_idle_s)
  await closeIdleOf(runtime, 'handed_off', limits.conversation_handed_off_idle_s)
}

async function closeIdleOf(
  runtime: Runtime,
  status: 'active' | 'handed_off',
  idle_s: number,
): Promise<void> {
  const before = new Date(runtime.clock.now_ms() - idle_s * 1000)
  for (;;) {
    const idle = await store.listIdle(runtime.db, { status, before, count: BATCH })
    for (const key of idle) {
      await runtime.db.transact(async (tx) => {
        const row = await store.lock(tx, key)
        if (row?.status !== status || row.last_message_at >= before) return
        await closeIn(tx, runtime, { row, reason: 'idle' })
      })
    }
    if (idle.length < BATCH) return
  }
}
