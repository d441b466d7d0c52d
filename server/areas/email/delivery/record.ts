/** Records the result of a message for one recipient: status, event, suppression, pause. */
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { insertSuppression } from '../addresses/address-store.ts'
import { emitEvents } from '../emails/emit.ts'
import * as emails from '../emails/email-store.ts'
import { pauseIfTooMany } from '../settings/pause.ts'
import { classify, readPause, RETRY_S, type Classified } from './classify.ts'
import * as store from './delivery-store.ts'
import type { Outcome } from './outcome.ts'

/** An email is reported as delayed at its second failed attempt, and then once in four hours. */
const DELAYED_FROM_ATTEMPT = 2
const DELAYED_AGAIN_MS = 4 * 3_600_000

export interface Attempt {
  row: emails.RecipientRow
  lease_token: string
  app_id: string | null
}

/** Does nothing if the lease was lost. */
export async function record(
  tx: Transaction,
  runtime: Runtime,
  { attempt, outcome }: { attempt: Attempt; outcome: Outcome },
): Promise<void> {
  const { row, lease_token } = attempt
  const now = runtime.clock.now()
  const key = { project_id: row.project_id, id: row.id, lease_token }
  const { changes, event, suppress } = changesOf(row, outcome, now)
  // The status of the email follows from all recipients, so their results are recorded one by one.
  await emails.lock(tx, { project_id: row.project_id, id: row.email_id })
  const settled = await store.settle(tx, { ...key, ...changes })
  if (settled)
    await conclude(tx, runtime, { row: settled, app_id: attempt.app_id, event, suppress })
}

interface Conclusion {
  /** After its change. */
  row: emails.RecipientRow
  app_id: string | null
  event: emails.EventRow['type'] | null
  suppress: boolean
}

/** Writes what follows from a changed recipient. Its email is locked. */
export async function conclude(
  tx: Transaction,
  runtime: Runtime,
  { row, app_id, event, suppress }: Conclusion,
): Promise<void> {
  if (event !== null)
    await writeEvent(tx, runtime, { row, app_id, type: event, reason: row.reason })
  if (suppress) await suppressAddress(tx, runtime, row)
  await emails.refreshStatus(tx, { project_id: row.project_id, id: row.email_id })
  const counts = event === 'bounced' || event === 'complained'
  if (counts && !row.test) await pauseIfTooMany(tx, runtime, row.project_id)
  announceRecordsAfter(tx, runtime, row.project_id, 'emails')
}

type Changes = Parameters<typeof store.settle>[1] extends infer Given
  ? Omit<Given, 'project_id' | 'id' | 'lease_token'>
  : never

interface Change {
  changes: Changes
  event: emails.EventRow['type'] | null
  suppress: boolean
}

function changesOf(row: emails.RecipientRow, outcome: Outcome, now: Date): Change {
  if (outcome.kind === 'delivered') {
    const { smtp_code, enhanced_code, remote_mta } = outcome
    const changes = {
      status: 'delivered' as const,
      delivered_at: now,
      next_attempt_at: null,
      smtp_code,
      enhanced_code,
      remote_mta,
      reason: null,
      reason_code: null,
    }
    return { changes, event: 'delivered', suppress: false }
  }
  if (outcome.kind === 'unknown') {
    const changes = { ...unknownOutcome, next_attempt_at: null, remote_mta: outcome.remote_mta }
    return { changes, event: null, suppress: false }
  }
  const found = outcome.kind === 'refused' ? classify(outcome) : unreachable
  const text = outcome.kind === 'refused' ? outcome.text : ''
  const base = {
    reason: found.reason,
    reason_code: found.reason_code,
    enhanced_code: found.enhanced_code,
    smtp_code: outcome.kind === 'refused' ? outcome.code : null,
    remote_mta: outcome.remote_mta,
  }
  const pause_s = RETRY_S[row.attempts - 1]
  if (!found.retry || pause_s === undefined) return bounceOf(base, found, now)
  const wait_s = Math.max(pause_s, readPause(text) ?? 0)
  return delayOf(row, { ...base, next_attempt_at: new Date(now.getTime() + wait_s * 1000) }, now)
}

/** The message may have arrived, so it is not sent again. */
export const unknownOutcome = {
  reason:
    'Sending was interrupted after the message was handed over. It may have arrived, and is not sent again.',
  reason_code: 'outcome_unknown',
} as const

const unreachable: Classified = {
  retry: true,
  bounce_type: 'transient',
  reason_code: 'server_unreachable',
  reason: 'The mail server could not be reached.',
  enhanced_code: null,
  suppress: false,
}

function bounceOf(base: Changes, found: Classified, now: Date): Change {
  const changes = {
    ...base,
    status: 'bounced' as const,
    bounce_type: found.bounce_type,
    bounced_at: now,
    next_attempt_at: null,
  }
  return { changes, event: 'bounced', suppress: found.suppress }
}

function delayOf(row: emails.RecipientRow, base: Changes, now: Date): Change {
  const changes = { ...base, status: 'delayed' as const }
  const since_ms = row.delayed_at ? now.getTime() - row.delayed_at.getTime() : Infinity
  const is_told = row.attempts >= DELAYED_FROM_ATTEMPT && since_ms >= DELAYED_AGAIN_MS
  return is_told
    ? { changes: { ...changes, delayed_at: now }, event: 'delayed', suppress: false }
    : { changes, event: null, suppress: false }
}

interface NewEvent {
  row: emails.RecipientRow
  app_id: string | null
  type: emails.EventRow['type']
  reason: string | null
}

export async function writeEvent(
  tx: Transaction,
  runtime: Runtime,
  { row, app_id, type, reason }: NewEvent,
): Promise<void> {
  const event = {
    project_id: row.project_id,
    id: newId(runtime.clock),
    email_id: row.email_id,
    recipient_id: row.id,
    type,
    reason,
    occurred_at: runtime.clock.now(),
  }
  await emails.insertEvents(tx, [event])
  await emitEvents(tx, runtime, { project_id: row.project_id, app_id, events: [event] })
}

async function suppressAddress(
  tx: Transaction,
  runtime: Runtime,
  row: emails.RecipientRow,
): Promise<void> {
  await insertSuppression(tx, {
    project_id: row.project_id,
    id: newId(runtime.clock),
    address: row.address,
    reason: row.reason ?? 'The address bounced.',
    origin: row.status === 'complained' ? 'complaint' : 'bounce',
    source_email_id: row.email_id,
    created_at: runtime.clock.now(),
  })
}
