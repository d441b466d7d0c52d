/** The reply of the API about a message, from its row. */
import type { Static } from 'typebox'
import { euroFromMicro } from '../../kernel/values/money.ts'
import type { Message, MessageFacts } from './schema.ts'
import type { MessageRow } from './store.ts'

export function present(row: MessageRow): Message {
  return { ...presentFacts(row), text: row.text }
}

/** Without the text. */
export function presentFacts(row: MessageRow): Static<typeof MessageFacts> {
  const ended_at = row.ended_at?.toISOString() ?? null
  return {
    id: row.id,
    direction: row.direction,
    from: row.from_number,
    to: row.to_number,
    status: row.status,
    failure_reason: row.failure_reason,
    encoding: row.encoding,
    segments: row.segments,
    cost_eur: euroFromMicro(row.cost_micro),
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    delivered_at: row.status === 'delivered' ? ended_at : null,
    failed_at: row.status === 'failed' ? ended_at : null,
    test: row.test,
  }
}
