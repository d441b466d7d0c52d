/** Pauses sending if too many of the latest emails bounced for good or were marked as spam. */
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as store from './settings-store.ts'

export function readReputation(
  db: Reader,
  project_id: string,
  counted_from: Date,
): Promise<store.Reputation> {
  return store.readReputation(db, {
    project_id,
    counted_from,
    bounce_window: limits.email_bounces_window_emails,
    complaint_window: limits.email_complaints_window_emails,
  })
}

/**
 * The limits are shares of whole windows. A project with fewer emails than a window is paused by the same
 * number as one with a full window, because shares of a few emails say little.
 */
export async function pauseIfTooMany(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<void> {
  const row = await store.lock(tx, { project_id, now: runtime.clock.now() })
  if (row.paused_at !== null) return
  const { bounced, complaints, complainers } = await readReputation(
    tx,
    project_id,
    row.counted_from,
  )
  const bounces_max = (limits.email_bounces_percent_max / 100) * limits.email_bounces_window_emails
  const complaints_max =
    (limits.email_complaints_percent_max / 100) * limits.email_complaints_window_emails
  // Fewer people say little, and each recipient can forge a report.
  const too_many_complaints =
    complaints > complaints_max && complainers >= limits.email_complainers_min
  if (bounced <= bounces_max && !too_many_complaints) return
  const paused_reason = too_many_complaints ? ('complaints' as const) : ('bounces' as const)
  await store.update(tx, { project_id, paused_at: runtime.clock.now(), paused_reason })
}
