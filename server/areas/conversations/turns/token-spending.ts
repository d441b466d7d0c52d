/** The cost of model requests within the daily spending limit of the public token. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type * as assistant from '../../assistant/service.ts'
import * as publicTokens from '../../public-tokens/service.ts'
import type { ConversationRow } from '../store.ts'

/**
 * Reserves the maximum cost of a request. Returns null for a conversation without a token, and in
 * test mode while replies are free. Throws public_chat_limit_reached.
 */
export async function reserveOfToken(
  tx: Transaction,
  runtime: Runtime,
  { row, payment }: { row: ConversationRow; payment: assistant.Payment },
): Promise<publicTokens.ReservedSpending | null> {
  const { project_id, chat_token_id, test } = row
  if (chat_token_id === null || (test && payment.kind !== 'hold')) return null
  const amount_micro = payment.kind === 'hold' ? payment.held_micro : 0n
  return publicTokens.reserveSpending(tx, runtime, {
    project_id,
    token_id: chat_token_id,
    amount_micro,
  })
}

/**
 * Applies the daily spending limit of the conversation's token to a summary, whose cost the area
 * `assistant` reserves and charges.
 */
export function limitOfToken(runtime: Runtime, row: ConversationRow): assistant.SpendingLimit {
  return async (tx, payment) => {
    if (payment.kind !== 'hold') return null
    const reserved = await reserveOfToken(tx, runtime, { row, payment })
    return (
      reserved && ((after, cost_micro) => publicTokens.correctSpending(after, reserved, cost_micro))
    )
  }
}
