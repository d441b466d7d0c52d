/** A visitor asks for a person and leaves name, email address or phone number. */
import { Problem } from '../../../contract/errors.ts'
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { addMessageLeft, enqueueMessageLeft } from '../messages-left.ts'
import { presentPublic, presentPublicMessage } from '../present.ts'
import * as store from '../store.ts'
import { requireRoomOfVisitor } from '../turns/room.ts'
import type { GuestHandedOff, GuestHandoff } from './guest-schema.ts'
import { lockConversation, requireConversation } from './own-conversation.ts'

/** A repeated `client_message_id` changes nothing. */
export async function handOff(
  guest: GuestCaller,
  id: string,
  input: GuestHandoff,
): Promise<GuestHandedOff> {
  const { runtime, db } = guest
  requireConversation(guest, id)
  requireContact(input)
  const { row, message } = await db.transact(async (tx) => {
    const row = await lockConversation(tx, guest, id)
    const known = await findKnown(tx, row, input)
    return known ? { row, message: known } : handOffIn(tx, guest, { row, input })
  })
  return {
    conversation: presentPublic(row, runtime.clock.now()),
    message: message && presentPublicMessage(message),
  }
}

function requireContact({ email, phone }: GuestHandoff): void {
  if (email !== undefined || phone !== undefined) return
  const message = 'is required without a phone number'
  const errors = [{ path: '/email', message }]
  throw new Problem('validation_failed', `/email ${message}.`, { errors })
}

async function findKnown(
  tx: Transaction,
  { project_id, id }: store.ConversationRow,
  { client_message_id }: GuestHandoff,
): Promise<store.MessageRow | null> {
  if (client_message_id === undefined) return null
  const key = { project_id, conversation_id: id, client_message_id }
  return (await store.findExchange(tx, key))?.message ?? null
}

interface AskedPerson {
  row: store.ConversationRow
  input: GuestHandoff
}

/** A reply that is being generated is dropped, because a person takes over. */
async function handOffIn(
  tx: Transaction,
  { runtime }: GuestCaller,
  { row, input }: AskedPerson,
): Promise<{ row: store.ConversationRow; message: store.MessageRow | null }> {
  if (row.status === 'closed')
    throw new Problem('conversation_closed', 'This conversation is closed.')
  const now = runtime.clock.now()
  const { name, email, phone, message: text, client_message_id = null } = input
  if (text) await requireRoomOfVisitor(tx, row, text)
  const [message = null] = text
    ? await store.insertMessages(tx, [
        {
          ...store.emptyMessage,
          project_id: row.project_id,
          conversation_id: row.id,
          id: newId(runtime.clock),
          role: 'visitor',
          text,
          client_message_id,
          created_at: now,
        },
      ])
    : []
  const asked = { reason: 'visitor', requested_at: now.toISOString(), assigned_to: null }
  const changed = await store.change(tx, row, {
    status: 'handed_off',
    handoff: JSON.stringify(row.status === 'handed_off' && row.handoff ? row.handoff : asked),
    visitor: JSON.stringify({
      ...row.visitor,
      ...(name && { name }),
      ...(email && { email }),
      ...(phone && { phone }),
    }),
    ...(text && { messages_left: addMessageLeft(row, { text, now }) }),
    waiting_since: row.waiting_since ?? now,
    last_message_at: now,
    lease_token: null,
    lease_until: null,
  })
  if (text) await enqueueMessageLeft(tx, runtime, { row: changed, text })
  announceRecordsAfter(tx, runtime, row.project_id, 'conversations')
  return { row: changed, message }
}
