/** Whether a page may use a conversation: its conversation token decides. */
import { Problem } from '../../../contract/errors.ts'
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import * as store from '../store.ts'
import { requireConversationToken } from './conversation-token.ts'

/** Throws invalid_conversation_token unless the page has the token of this conversation. */
export function requireConversation(guest: GuestCaller, id: string): void {
  const { runtime, project, token_id, conversation_token } = guest
  const subject = { project_id: project.id, token_id, conversation_id: id }
  requireConversationToken(runtime, conversation_token, subject)
}

/** Locks the row of the conversation until the transaction ends. */
export async function lockConversation(
  tx: Transaction,
  { project }: GuestCaller,
  id: string,
): Promise<store.ConversationRow> {
  const row = await store.lock(tx, { project_id: project.id, id })
  if (!row) throw deletedConversation()
  return row
}

export function deletedConversation(): Problem {
  return new Problem('invalid_conversation_token', 'This conversation was deleted.')
}
