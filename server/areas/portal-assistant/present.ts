/** Conversations and messages as their person sees them. */
import type { Runtime } from '../../kernel/runtime.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { presentProposal } from './proposals/present.ts'
import type { ProposalRow } from './proposals/store.ts'
import type { PortalConversation, PortalMessage } from './schema.ts'
import type { ConversationRow, MessageRow } from './store.ts'

export function presentConversation(
  { clock }: Pick<Runtime, 'clock'>,
  row: ConversationRow,
): PortalConversation {
  const { id, title, messages, answering_until, created_at, last_message_at } = row
  return {
    id,
    title,
    messages_count: messages,
    answering: answering_until !== null && answering_until > clock.now(),
    created_at: created_at.toISOString(),
    last_message_at: last_message_at.toISOString(),
  }
}

export function presentMessage(
  runtime: Runtime,
  row: MessageRow,
  proposals: readonly ProposalRow[],
): PortalMessage {
  const { id, role, made_by, state, text, sources, form, model, cost_micro, created_at } = row
  return {
    id,
    role,
    made_by,
    state,
    text,
    sources: JSON.parse(sources),
    form: form === null ? null : JSON.parse(form),
    proposals: proposals
      .filter(({ message_id }) => message_id === id)
      .map((proposal) => presentProposal(runtime, proposal)),
    model,
    cost_eur: euroFromMicro(cost_micro),
    created_at: created_at.toISOString(),
  }
}
