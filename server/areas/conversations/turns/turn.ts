/**
 * One turn of a conversation. `beginTurn` stores the visitor's message, takes the lease to answer
 * and reserves the payment in one transaction; `endTurn` stores the reply, charges it and returns the
 * lease in another. A process that dies between them leaves a message without a reply: its lease
 * ends after a minute, and a repeated request answers the stored message.
 */
import { randomUUID } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as assistant from '../../assistant/service.ts'
import type { ReservedSpending } from '../../public-tokens/service.ts'
import { isAnswering } from '../present.ts'
import * as store from '../store.ts'
import { unknownConversation } from '../unknown.ts'
import { requireRoomOfVisitor } from './room.ts'
import { reserveOfToken } from './token-spending.ts'

export interface VisitorMessage extends store.ConversationKey {
  text: string
  /** Throws a Problem if the sender may not write to the conversation. */
  requireAllowed?(row: store.ConversationRow): void
  client_message_id?: string | undefined
}

export interface Turn {
  conversation: store.ConversationRow
  message: store.MessageRow
  /** Id of the reply. */
  reply_id: string
  lease_token: string
  spender: assistant.Spender & { model: string }
  payment: assistant.Payment
  reserved: ReservedSpending | null
}

export type BegunTurn =
  | { kind: 'turn'; turn: Turn }
  /** The message has a reply, or needs none because a person replies. */
  | { kind: 'done'; exchange: store.Exchanged }

export async function beginTurn(runtime: Runtime, sent: VisitorMessage): Promise<BegunTurn> {
  const model = await assistant.chosenModel(runtime, sent.project_id)
  return runtime.db.transact((tx) => beginTurnIn(tx, runtime, { ...sent, model }))
}

/** Like `beginTurn`, in the transaction of the caller. */
export async function beginTurnIn(
  tx: Transaction,
  runtime: Runtime,
  { model, ...sent }: VisitorMessage & { model: string },
): Promise<BegunTurn> {
  const row = await store.lock(tx, sent)
  if (!row) throw unknownConversation()
  sent.requireAllowed?.(row)
  const known = await findKnown(tx, sent)
  if (known?.reply) return done(row, known.message, known.reply)
  requireOpen(row)
  if (isAnswering(row, runtime.clock.now())) throw busy()
  if (row.status === 'handed_off')
    return sendToPerson(tx, runtime, { row, sent, message: known?.message })
  if (!known && row.turns >= limits.conversation_turns_max) throw turnLimit()
  const spender = {
    project_id: row.project_id,
    area: 'chat' as const,
    reference_id: row.id,
    test: row.test,
    model,
  }
  const payment = await assistant.reserve(tx, runtime, spender)
  const reserved = await reserveOfToken(tx, runtime, { row, payment })
  const message = known?.message ?? (await addMessage(tx, runtime, sent))
  const lease_token = randomUUID()
  const conversation = await store.change(tx, row, {
    turns: known ? row.turns : row.turns + 1,
    last_message_at: runtime.clock.now(),
    lease_token,
    lease_until: new Date(runtime.clock.now_ms() + limits.conversation_lease_s * 1000),
  })
  announceRecordsAfter(tx, runtime, row.project_id, 'conversations')
  const reply_id = newId(runtime.clock)
  const turn = { conversation, message, reply_id, lease_token, spender, payment, reserved }
  return { kind: 'turn', turn }
}

function done(
  conversation: store.ConversationRow,
  message: store.MessageRow,
  reply: store.MessageRow | null,
): BegunTurn {
  return { kind: 'done', exchange: { conversation, message, reply } }
}

async function findKnown(tx: Transaction, { project_id, id, client_message_id }: VisitorMessage) {
  if (client_message_id === undefined) return null
  return store.findExchange(tx, { project_id, conversation_id: id, client_message_id })
}

function requireOpen({ status, closed_reason }: store.ConversationRow): void {
  if (status !== 'closed') return
  if (closed_reason === 'turn_limit') throw turnLimit()
  throw new Problem('conversation_closed', 'This conversation is closed.')
}

function busy(): Problem {
  const detail = 'The assistant is still answering an earlier message of this conversation.'
  return new Problem('conversation_busy', detail, { retry_after_s: 2 })
}

function turnLimit(): Problem {
  const detail = `The conversation has had ${limits.conversation_turns_max} turns.`
  return new Problem('conversation_turn_limit_reached', detail)
}

interface SentToPerson {
  row: store.ConversationRow
  sent: VisitorMessage
  /** The message if it is stored already. */
  message: store.MessageRow | undefined
}

/** Stores a message to a person, which is not a turn; number and length are limited. */
async function sendToPerson(
  tx: Transaction,
  runtime: Runtime,
  { row, sent, message }: SentToPerson,
): Promise<BegunTurn> {
  if (message) return done(row, message, null)
  await requireRoomOfVisitor(tx, row, sent.text)
  announceRecordsAfter(tx, runtime, row.project_id, 'conversations')
  const added = await addMessage(tx, runtime, sent)
  const now = added.created_at
  const changes = { last_message_at: now, waiting_since: row.waiting_since ?? now }
  return done(await store.change(tx, row, changes), added, null)
}

async function addMessage(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id, text, client_message_id }: VisitorMessage,
): Promise<store.MessageRow> {
  const [message] = await store.insertMessages(tx, [
    {
      ...store.emptyMessage,
      project_id,
      conversation_id: id,
      id: newId(runtime.clock),
      role: 'visitor',
      text,
      client_message_id: client_message_id ?? null,
      created_at: runtime.clock.now(),
    },
  ])
  return message!
}
