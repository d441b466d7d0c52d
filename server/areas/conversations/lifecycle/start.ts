/** Starts conversations, within the daily limits of the project and of the public token. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as assistant from '../../assistant/service.ts'
import * as billing from '../../billing/service.ts'
import { countConversation } from './conversation-day-store.ts'
import * as store from '../store.ts'

export interface NewConversation {
  project_id: string
  channel: store.ConversationRow['channel']
  language?: string | null | undefined
  /** Replaces the greeting of the assistant. */
  greeting?: string | null | undefined
  visitor?: Partial<store.ConversationRow['visitor']> | undefined
  metadata?: store.ConversationRow['metadata'] | undefined
  chat_token_id?: string | null
  site_id?: string | null
  page_url?: string | null | undefined
  test: boolean
}

export interface StartedConversation {
  conversation: store.ConversationRow
  greeting: store.MessageRow
}

/** Writes the conversation with its greeting. Throws conversation_limit_reached. */
export async function startIn(
  tx: Transaction,
  runtime: Runtime,
  { greeting: own, ...asked }: NewConversation,
): Promise<StartedConversation> {
  const { project_id, test } = asked
  const said = await assistant.greetVisitor(tx, project_id, {
    language: asked.language,
    greeting: own,
  })
  await count(tx, runtime, { project_id, test })
  const now = runtime.clock.now()
  const conversation = await store.insert(tx, {
    ...asked,
    id: newId(runtime.clock),
    status: 'active',
    language: said.language,
    visitor: JSON.stringify({
      external_id: null,
      name: null,
      email: null,
      phone: null,
      ...asked.visitor,
    }),
    metadata: JSON.stringify(asked.metadata ?? {}),
    turns: 0,
    no_answers: 0,
    cost_micro: 0n,
    messages_left: '[]',
    page_url: asked.page_url ?? null,
    created_at: now,
    last_message_at: now,
  })
  const [greeting] = await store.insertMessages(tx, [
    {
      ...store.emptyMessage,
      project_id,
      conversation_id: conversation.id,
      id: newId(runtime.clock),
      role: 'assistant',
      text: said.text,
      created_at: now,
    },
  ])
  announceRecordsAfter(tx, runtime, project_id, 'conversations')
  return { conversation, greeting: greeting! }
}

async function count(
  tx: Transaction,
  { clock, config }: Runtime,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<void> {
  const conversations_max = test
    ? limits.test_conversations_per_day_max
    : limits.live_conversations_per_day_max
  const day = billing.toDay(clock.now(), config.billing_timezone)
  if (await countConversation(tx, { project_id, test, day, conversations_max })) return
  const detail = `The project has started its ${conversations_max} conversations of today.`
  throw new Problem('conversation_limit_reached', detail)
}
