/** The maximum length of a conversation, and of what a visitor writes before a person replies. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import * as store from '../store.ts'

const messages_max = limits.conversation_messages_max
const characters_max = limits.conversation_characters_max
const waiting_max = limits.conversation_waiting_messages_max

/** Throws conversation_turn_limit_reached if a message does not fit into the conversation. */
export async function requireRoom(
  tx: Transaction,
  row: store.ConversationRow,
  text: string,
): Promise<store.MessagesSize> {
  const size = await store.measureMessages(tx, row)
  if (size.count >= messages_max) throw full(`The conversation has ${messages_max} messages.`)
  if (size.characters + text.length <= characters_max) return size
  throw full(
    `The conversation has ${size.characters} characters and the message ${text.length}, together ` +
      `more than the maximum of ${characters_max}.`,
  )
}

/** The same for a message to a person. Throws conversation_awaits_person after too many of them. */
export async function requireRoomOfVisitor(
  tx: Transaction,
  row: store.ConversationRow,
  text: string,
): Promise<void> {
  const { waiting } = await requireRoom(tx, row, text)
  if (waiting < waiting_max) return
  const detail = `The visitor wrote ${waiting} messages to which no person has replied yet.`
  throw new Problem('conversation_awaits_person', detail)
}

function full(detail: string): Problem {
  return new Problem('conversation_turn_limit_reached', detail)
}
