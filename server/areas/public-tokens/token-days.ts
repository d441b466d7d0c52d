/** The daily limits of public chat tokens, and their use of today. */
import { Problem } from '../../contract/errors.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import * as store from './store.ts'
import * as days from './token-day-store.ts'

interface TokenOfProject {
  project_id: string
  token_id: string
}

/** Whether a limit of 0 switches the chat of the token off. Test replies are free. */
export function isSwitchedOff(row: store.TokenRow): boolean {
  const is_unpaid = !row.test && row.daily_spend_limit_micro === 0n
  return is_unpaid || row.daily_conversation_limit === 0
}

/** Throws public_chat_limit_reached if the token starts no more conversations today. Counts nothing. */
export async function requireConversationLeft(
  db: Reader,
  runtime: Runtime,
  row: store.TokenRow,
): Promise<void> {
  const { project_id, id, daily_conversation_limit } = row
  if (isSwitchedOff(row)) throw switchedOff()
  const used = await readUsedToday(db, runtime, { project_id, token_ids: [id] })
  if ((used.get(id)?.conversations ?? 0) >= daily_conversation_limit) throw noneLeft(row)
}

/** Counts a new conversation. Throws public_chat_limit_reached. */
export async function countConversation(
  tx: Transaction,
  runtime: Runtime,
  { project_id, token_id }: TokenOfProject,
): Promise<store.TokenRow> {
  const row = await store.find(tx, { project_id, id: token_id })
  if (!row) throw new Problem('invalid_chat_token', 'This public token is not known.')
  if (isSwitchedOff(row)) throw switchedOff()
  const conversations_max = row.daily_conversation_limit
  const day = today(runtime)
  if (await days.countOfToken(tx, { project_id, token_id, day, conversations_max })) return row
  throw noneLeft(row)
}

function noneLeft({ daily_conversation_limit }: store.TokenRow): Problem {
  const detail = `The public token has had its ${daily_conversation_limit} conversations of today.`
  return new Problem('public_chat_limit_reached', detail)
}

export interface ReservedSpending extends TokenOfProject {
  day: string
  amount_micro: bigint
}

/** Reserves the maximum cost of a reply. Throws public_chat_limit_reached. */
export async function reserveSpending(
  tx: Transaction,
  runtime: Runtime,
  { project_id, token_id, amount_micro }: TokenOfProject & { amount_micro: bigint },
): Promise<ReservedSpending> {
  const row = await store.find(tx, { project_id, id: token_id })
  const limit_micro = row?.daily_spend_limit_micro ?? 0n
  if (limit_micro === 0n) throw switchedOff()
  const reserved = { project_id, token_id, day: today(runtime), amount_micro }
  if (amount_micro === 0n) return reserved
  if (await days.spendOfToken(tx, { ...reserved, limit_micro })) return reserved
  const detail = `The next reply could exceed the ${euroFromMicro(limit_micro)} euro that the public token may spend today.`
  throw new Problem('public_chat_limit_reached', detail)
}

/** Replaces the reserved cost by the actual one. */
export function correctSpending(
  tx: Transaction,
  { amount_micro, ...day }: ReservedSpending,
  cost_micro: bigint,
): Promise<void> {
  return days.correctSpent(tx, { ...day, change_micro: cost_micro - amount_micro })
}

function switchedOff(): Problem {
  return new Problem('public_chat_limit_reached', 'A daily limit of the public token is 0.')
}

export interface UsedToday {
  conversations: number
  spent_eur: number
}

/** The use of tokens today, by their id. */
export async function readUsedToday(
  db: Reader,
  runtime: Runtime,
  { project_id, token_ids }: { project_id: string; token_ids: readonly string[] },
): Promise<Map<string, UsedToday>> {
  const used = await days.listTokenUse(db, { project_id, token_ids, day: today(runtime) })
  return new Map(
    used.map(({ token_id, conversations, spent_micro }) => [
      token_id,
      { conversations, spent_eur: euroFromMicro(spent_micro) },
    ]),
  )
}

function today({ clock, config }: Runtime): string {
  return billing.toDay(clock.now(), config.billing_timezone)
}
