/** The messages for the business that are shown with a conversation: the newest. */
import { limits } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { enqueueMessage } from './keep-message.ts'
import type { ConversationRow } from './store.ts'

/** Returns the new value of the column, with the message added. */
export function addMessageLeft(
  { messages_left }: ConversationRow,
  { text, now }: { text: string; now: Date },
): string {
  const all = [...messages_left, { text, left_at: now.toISOString() }]
  return JSON.stringify(all.slice(-limits.conversation_messages_left_max))
}

/** Enqueues the message for the collection that the project chose, if any. */
export async function enqueueMessageLeft(
  tx: Transaction,
  runtime: Runtime,
  { row, text }: { row: ConversationRow; text: string },
): Promise<void> {
  const { project_id, id: conversation_id, language, test } = row
  const { name, email, phone } = row.visitor
  const received_at = runtime.clock.now().toISOString()
  const message = { id: newId(runtime.clock), text, name, email, phone, language, test }
  const place = { project_id, channel: 'chat' as const, conversation_id, received_at }
  await enqueueMessage(tx, runtime, { ...message, ...place })
}
