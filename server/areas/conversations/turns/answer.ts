/** Generates the reply of a turn, and ends the turn. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as assistant from '../../assistant/service.ts'
import * as publicTokens from '../../public-tokens/service.ts'
import { closeIn } from '../lifecycle/close.ts'
import { addMessageLeft, enqueueMessageLeft } from '../messages-left.ts'
import * as store from '../store.ts'
import { countQuestion } from '../unanswered/unanswered-store.ts'
import type { Turn } from './turn.ts'

/** All attempts of the model and its fallback end before the lease does. */
const PATIENCE_MS = (limits.conversation_lease_s - 15) * 1000
const HISTORY_MAX = 60
const QUESTION_CHARACTERS_MAX = 300

/** Returns the stored exchange. Continues after the client has disconnected. */
export async function answerTurn(
  runtime: Runtime,
  turn: Turn,
  onText?: (text: string) => void,
): Promise<store.Exchanged> {
  const { conversation } = turn
  let ended: store.Exchanged | null
  try {
    const answer = await assistant.answerMessage(runtime, {
      project_id: conversation.project_id,
      turns: await readHistory(runtime, turn),
      language: conversation.language,
      no_answers: conversation.no_answers,
      tools: {
        test: conversation.test,
        countUses: () => store.countToolUses(runtime.db, conversation),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(onText && { onText }),
    })
    ended = await runtime.db.transact((tx) => endTurn(tx, runtime, { turn, answer }))
  } catch (error) {
    await runtime.db.transact((tx) => giveUp(tx, runtime, turn))
    throw error
  }
  if (ended) return ended
  const detail =
    'The conversation was closed or deleted, or its lease had expired, before the reply was there.'
  throw new Problem('conversation_busy', detail)
}

async function readHistory({ db }: Runtime, { conversation, message }: Turn) {
  const { project_id, id } = conversation
  const page = { project_id, conversation_id: id, count: HISTORY_MAX, after: null }
  const latest = await store.listMessages(db, page)
  const before = latest.filter((one) => one.id !== message.id && one.role !== 'system').toReversed()
  return [...before, message].map(({ role, text }) => ({
    role: role === 'visitor' ? ('caller' as const) : ('assistant' as const),
    text,
  }))
}

interface EndedTurn {
  turn: Turn
  answer: assistant.ChatAnswer
}

/** Returns null, storing no reply, if the turn lost its lease. The tokens are paid for all the same. */
async function endTurn(
  tx: Transaction,
  runtime: Runtime,
  { turn, answer }: EndedTurn,
): Promise<store.Exchanged | null> {
  const row = await store.lock(tx, turn.conversation)
  const paid = await pay(tx, runtime, { turn, answer })
  if (!row) return null
  const cost_micro = row.cost_micro + paid.cost_micro
  if (row.lease_token !== turn.lease_token || row.status === 'closed') {
    await store.change(tx, row, { cost_micro })
    return null
  }
  const [reply] = await store.insertMessages(tx, [replyOf(runtime, { turn, answer, paid })])
  const now = runtime.clock.now()
  const changed = await store.change(tx, row, {
    cost_micro,
    lease_token: null,
    lease_until: null,
    last_message_at: now,
    no_answers: answer.has_no_answer && answer.handoff === null ? row.no_answers + 1 : 0,
    language: answer.language,
    ...(answer.message !== null && {
      messages_left: addMessageLeft(row, { text: answer.message, now }),
    }),
    ...(answer.handoff && {
      status: 'handed_off' as const,
      waiting_since: now,
      handoff: JSON.stringify({
        reason: answer.handoff,
        requested_at: now.toISOString(),
        assigned_to: null,
      }),
    }),
  })
  if (answer.message !== null)
    await enqueueMessageLeft(tx, runtime, { row: changed, text: answer.message })
  if (answer.has_no_answer) await noteQuestion(tx, runtime, { turn, answer })
  announceRecordsAfter(tx, runtime, row.project_id, 'conversations')
  const is_last = changed.status === 'active' && changed.turns >= limits.conversation_turns_max
  const conversation = is_last
    ? await closeIn(tx, runtime, { row: changed, reason: 'turn_limit' })
    : changed
  return { conversation, message: turn.message, reply: reply ?? null }
}

interface Paid {
  usage: assistant.TokenUsage | null
  cost_micro: bigint
}

async function pay(tx: Transaction, runtime: Runtime, { turn, answer }: EndedTurn): Promise<Paid> {
  const { spender, payment, reserved } = turn
  const { request } = answer
  const is_builtin = payment.kind === 'none'
  if (request === null && !is_builtin) {
    await assistant.refund(tx, runtime, { spender, payment })
    if (reserved) await publicTokens.correctSpending(tx, reserved, 0n)
    return { usage: null, cost_micro: 0n }
  }
  const { reported = null, size = { input_characters: 0, output_characters: 0 } } = request ?? {}
  const paid = await assistant.settle(tx, runtime, { spender, payment, reported, size })
  if (reserved) await publicTokens.correctSpending(tx, reserved, paid.cost_micro)
  return { usage: is_builtin ? null : paid.usage, cost_micro: paid.cost_micro }
}

function replyOf(
  runtime: Runtime,
  { turn, answer, paid }: EndedTurn & { paid: Paid },
): store.NewMessage {
  return {
    ...store.emptyMessage,
    project_id: turn.conversation.project_id,
    conversation_id: turn.conversation.id,
    id: turn.reply_id > turn.message.id ? turn.reply_id : newId(runtime.clock),
    role: 'assistant',
    text: answer.text,
    sources: JSON.stringify(answer.sources),
    tools: JSON.stringify(answer.tools),
    answer_kind: answer.kind,
    model: answer.model,
    usage: paid.usage && JSON.stringify(paid.usage),
    cost_micro: paid.cost_micro,
    reply_to: turn.message.id,
    created_at: runtime.clock.now(),
  }
}

/** Releases the lease of a failed turn, and undoes its payment. */
async function giveUp(tx: Transaction, runtime: Runtime, turn: Turn): Promise<void> {
  const { spender, payment, reserved, conversation, lease_token } = turn
  const row = await store.lock(tx, conversation)
  await assistant.refund(tx, runtime, { spender, payment })
  if (reserved) await publicTokens.correctSpending(tx, reserved, 0n)
  if (row?.lease_token !== lease_token) return
  await store.change(tx, row, { lease_token: null, lease_until: null })
}

async function noteQuestion(
  tx: Transaction,
  runtime: Runtime,
  { turn, answer }: EndedTurn,
): Promise<void> {
  const question = cutText(turn.message.text.trim(), QUESTION_CHARACTERS_MAX)
  const normalized = assistant.normalizeQuestion(question)
  if (normalized === '') return
  await countQuestion(tx, {
    project_id: turn.conversation.project_id,
    id: newId(runtime.clock),
    normalized,
    question,
    language: answer.language,
    conversation_id: turn.conversation.id,
    now: runtime.clock.now(),
  })
}
