/**
 * Advances the status of a message: its charge, its events and its new status are one transaction. A
 * status never goes back, so repeated and late reports change nothing.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import * as billing from '../../billing/service.ts'
import * as webhooks from '../../webhooks/service.ts'
import * as store from '../store.ts'

export interface Advance {
  status: 'sent' | 'delivered' | 'failed'
  /** Only of a failed message. */
  reason?: store.FailureReason
  carrier_id?: string
  /** Whether the carrier did not take the message, so that it costs nothing. */
  is_free?: boolean
}

const ranks: Readonly<Record<store.MessageStatus, number>> = {
  queued: 0,
  sent: 1,
  delivered: 2,
  failed: 2,
  received: 2,
}

/** `row` is locked. */
export async function advance(
  tx: Transaction,
  runtime: Runtime,
  { row, to }: { row: store.MessageRow; to: Advance },
): Promise<void> {
  if (ranks[to.status] > ranks[row.status]) return step(tx, runtime, { row, to })
  // The reply to our request may come after the first callback.
  if (row.carrier_id !== null || to.carrier_id === undefined) return
  await store.change(tx, row, { carrier_id: to.carrier_id })
}

async function step(
  tx: Transaction,
  runtime: Runtime,
  { row, to }: { row: store.MessageRow; to: Advance },
): Promise<void> {
  const { status, reason = 'unknown', is_free = false } = to
  const now = runtime.clock.now()
  if (row.status === 'queued') await endHold(tx, runtime, { row, is_free })
  await store.change(tx, row, {
    status,
    failure_reason: status === 'failed' ? reason : null,
    carrier_id: row.carrier_id ?? to.carrier_id ?? null,
    ...(is_free ? { cost_micro: 0n } : { sent_at: row.sent_at ?? now }),
    ...(status !== 'sent' && { ended_at: now }),
  })
  announceRecordsAfter(tx, runtime, row.project_id, 'messages')
  if (status === 'sent') return
  await webhooks.emit(tx, runtime, {
    project_id: row.project_id,
    type: status === 'delivered' ? 'message.delivered' : 'message.failed',
    subject: { message_id: row.id },
  })
}

async function endHold(
  tx: Transaction,
  runtime: Runtime,
  { row, is_free }: { row: store.MessageRow; is_free: boolean },
): Promise<void> {
  const { project_id, hold_id, cost_micro } = row
  if (hold_id === null) return
  if (is_free) await billing.release(tx, runtime, { project_id, hold_id })
  else await billing.settle(tx, runtime, { project_id, hold_id, amount_micro: cost_micro })
}
