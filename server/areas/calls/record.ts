/** What follows from the end of a call, in the transaction that writes the end. */
import type { Transaction } from '../../kernel/database/database.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as conversations from '../conversations/service.ts'
import * as webhooks from '../webhooks/service.ts'
import { summariseCall } from './jobs.ts'
import { mailMessages } from './messages/message-jobs.ts'
import { insertMessages, type NewMessage } from './messages/message-store.ts'

/** Delay of the summary job: the request that ran a simulated call creates the summary before. */
const SUMMARY_JOB_DELAY_MS = 60_000

export interface EndedCall {
  project_id: string
  id: string
  direction: 'inbound' | 'outbound'
  from_number: string
  to_number: string
  language?: string | null
  wants_summary: boolean
  test: boolean
}

interface Ended {
  row: EndedCall
  messages: readonly NewMessage[]
  /** Whether the summary is created at once by the job. */
  summarise_now?: boolean
}

export async function announceEnd(
  tx: Transaction,
  runtime: Runtime,
  { row, messages, summarise_now = false }: Ended,
): Promise<void> {
  const { project_id, id } = row
  await keepMessages(tx, runtime, { row, messages })
  announceRecordsAfter(tx, runtime, project_id, 'calls')
  await webhooks.emit(tx, runtime, {
    project_id,
    type: 'call.completed',
    subject: { call_id: id },
  })
  if (!row.wants_summary) return
  await enqueue(tx, runtime, summariseCall, {
    payload: { project_id, call_id: id },
    project_id,
    run_at: new Date(runtime.clock.now_ms() + (summarise_now ? 0 : SUMMARY_JOB_DELAY_MS)),
    dedupe_key: id,
  })
}

/** Stores messages that a caller left, and tells the business. */
export async function keepMessages(
  tx: Transaction,
  runtime: Runtime,
  { row, messages }: Omit<Ended, 'summarise_now'>,
): Promise<void> {
  const { project_id, id } = row
  await insertMessages(tx, runtime, messages)
  for (const { id: message_id, text, left_at } of messages) {
    await conversations.enqueueMessage(tx, runtime, {
      project_id,
      id: message_id,
      text,
      name: null,
      email: null,
      phone: row.direction === 'inbound' ? row.from_number : row.to_number,
      channel: 'call',
      language: row.language ?? null,
      conversation_id: id,
      received_at: new Date(left_at).toISOString(),
      test: row.test,
    })
  }
  if (messages.some(({ mailed }) => mailed)) {
    const work = { project_id, payload: { project_id }, dedupe_key: 'messages' }
    await enqueue(tx, runtime, mailMessages, work)
  }
}
