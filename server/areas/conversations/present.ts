/** Presents conversations and messages: names each field of a reply. */
import { limits } from '../../contract/limits.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { listQuotes } from '../../providers/model/language/speech.ts'
import type {
  Conversation,
  ListedConversation,
  Message,
  PublicConversation,
  PublicMessage,
} from './schema.ts'
import type { ConversationRow, ListedRow, MessageRow } from './store.ts'

export function presentPublic(row: ConversationRow, now: Date): PublicConversation {
  return {
    id: row.id,
    status: row.status,
    turn_state: isAnswering(row, now) ? 'answering' : 'idle',
    language: row.language,
    turns: row.turns,
    max_turns: limits.conversation_turns_max,
    created_at: row.created_at.toISOString(),
    last_message_at: row.last_message_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    closed_reason: row.closed_reason,
  }
}

/** Whether a request holds the lease to answer. */
export function isAnswering({ lease_until }: ConversationRow, now: Date): boolean {
  return lease_until !== null && lease_until > now
}

export function present(row: ConversationRow, now: Date): Conversation {
  return {
    ...presentPublic(row, now),
    channel: row.channel,
    visitor: row.visitor,
    metadata: row.metadata,
    handoff: row.handoff,
    waiting_since: row.waiting_since?.toISOString() ?? null,
    resolution: row.resolution,
    messages_left: row.messages_left,
    summary: row.summary,
    cost_eur: euroFromMicro(row.cost_micro),
    chat_token_id: row.chat_token_id,
    page_url: row.page_url,
    test: row.test,
  }
}

export function presentListed(row: ListedRow, now: Date): ListedConversation {
  const { role, text } = row.last_message
  return { ...present(row, now), last_message: { role, text } }
}

function presentVisible(row: MessageRow) {
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    role: row.role,
    text: row.text,
    sources: row.sources,
    answer_kind: row.answer_kind,
    created_at: row.created_at.toISOString(),
  }
}

export function presentPublicMessage(row: MessageRow): PublicMessage {
  return {
    ...presentVisible(row),
    suggestions: row.answer_kind === 'suggestion' ? listQuotes(row.text) : [],
    // Ids of replies of people have a prefix, and are not for the visitor.
    client_message_id: row.role === 'visitor' ? row.client_message_id : null,
  }
}

export function presentMessage(row: MessageRow): Message {
  return {
    ...presentVisible(row),
    person_id: row.person_id,
    tools: row.tools,
    model: row.model,
    usage: row.usage,
    cost_eur: euroFromMicro(row.cost_micro),
  }
}
