/** Deletes conversations and summaries. Pending deliveries of their events are dropped. */
import type { Caller } from '../../contract/caller.ts'
import { requireModeOf } from '../../contract/problems/mode-mismatch.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import * as store from './store.ts'
import { unknownConversation } from './unknown.ts'

/** A reply that is being generated is dropped; its tokens are charged. */
export function remove(caller: Caller, id: string): Promise<void> {
  return withConversation(caller, id, (tx, row) => store.remove(tx, row))
}

/** Deletes a summary, and prevents one that is not ready yet. */
export function removeSummary(caller: Caller, id: string): Promise<void> {
  return withConversation(caller, id, async (tx, row) => {
    await store.change(tx, row, { summary: null, summary_ready_at: null, wants_summary: false })
  })
}

async function withConversation(
  caller: Caller,
  id: string,
  work: (tx: Transaction, row: store.ConversationRow) => Promise<void>,
): Promise<void> {
  const { runtime, db, project } = caller
  await db.transact(async (tx) => {
    const row = await store.lock(tx, { project_id: project.id, id })
    if (!row) throw unknownConversation()
    requireModeOf(caller, { test: row.test, what: 'conversation' })
    await work(tx, row)
    announceRecordsAfter(tx, runtime, project.id, 'conversations')
  })
}
