/** Emits the webhook events of recipients, in the transaction that writes them. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as webhooks from '../../webhooks/service.ts'
import type { EventRow } from './email-store.ts'

/** The types that webhook endpoints can subscribe to. */
const emitted = ['sent', 'delivered', 'delayed', 'bounced', 'complained'] as const

interface Emission {
  project_id: string
  app_id: string | null
  events: readonly Pick<EventRow, 'id' | 'type'>[]
}

export async function emitEvents(
  tx: Transaction,
  runtime: Runtime,
  { project_id, app_id, events }: Emission,
): Promise<void> {
  for (const type of emitted) {
    const subjects = events
      .filter((one) => one.type === type)
      .map(({ id }) => ({ email_event_id: id }))
    await webhooks.emitAll(tx, runtime, { project_id, type: `email.${type}`, app_id, subjects })
  }
}
