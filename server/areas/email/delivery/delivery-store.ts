/** The SQL of the queue of deliveries: the rows of recipients. */
import { sql, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { EmailRecipientsTable } from '../../../kernel/database/tables.ts'
import type { AttachmentRow, RecipientRow } from '../emails/email-store.ts'

export interface Claim {
  project_id: string
  now: Date
  /** Whether real emails may be sent, or test emails only. */
  real: boolean
  lease_until: Date
  lease_token: string
  count: number
}

/** A recipient with the app that sent the email. */
type RowOfApp = RecipientRow & { app_id: string | null }

const appId = sql`(select e.app_id from emails as e
  where e.project_id = r.project_id and e.id = r.email_id) as app_id`

/**
 * Leases due recipients. Scheduled ones become `sent`. One that was handed over without a result is left
 * to `takeInterrupted`, because its message may have been accepted.
 */
export async function claim(
  tx: Transaction,
  order: Claim,
): Promise<(RowOfApp & { was_queued: boolean })[]> {
  const { project_id, now, real, lease_until, lease_token, count } = order
  const { rows } = await sql<RowOfApp & { was_queued: boolean }>`
    with due as (
      select id, status = 'queued' as was_queued from email_recipients
      where project_id = ${project_id} and next_attempt_at <= ${now} and (test or ${real})
        and (lease_until is null or lease_until <= ${now}) and handed_over_at is null
      order by next_attempt_at, id limit ${count} for update skip locked
    )
    update email_recipients as r set lease_until = ${lease_until}, lease_token = ${lease_token},
      attempts = r.attempts + 1,
      status = case when due.was_queued then 'sent' else r.status end,
      sent_at = coalesce(r.sent_at, ${now})
    from due where r.project_id = ${project_id} and r.id = due.id
    returning r.*, due.was_queued, ${appId}`.execute(tx)
  return rows
}

/** Ends due recipients whose address was suppressed after the email was accepted. */
export async function suppressDue(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
): Promise<RowOfApp[]> {
  const { rows } = await sql<RowOfApp>`
    with due as (
      select r.id, s.reason from email_recipients as r
      join email_suppressions as s on s.project_id = r.project_id and s.address = r.address
      where r.project_id = ${project_id} and r.next_attempt_at <= ${now}
        and (r.lease_until is null or r.lease_until <= ${now}) and r.handed_over_at is null
      order by r.id for update of r skip locked
    )
    update email_recipients as r set status = 'suppressed', reason = due.reason,
      reason_code = 'suppressed', next_attempt_at = null, lease_until = null, lease_token = null
    from due where r.project_id = ${project_id} and r.id = due.id
    returning r.*, ${appId}`.execute(tx)
  return rows
}

/** Recipients whose process ended while it handed them over: nobody knows whether it succeeded. */
export async function takeInterrupted(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
): Promise<RecipientRow[]> {
  return tx
    .updateTable('email_recipients')
    .set({ lease_until: null, lease_token: null, next_attempt_at: null, handed_over_at: null })
    .where('project_id', '=', project_id)
    .where('next_attempt_at', 'is not', null)
    .where('lease_until', '<=', now)
    .where('handed_over_at', 'is not', null)
    .returningAll()
    .execute()
}

/**
 * Ends due recipients in cc and bcc whose email reaches nobody in to, because each of them is
 * suppressed.
 */
export async function suppressCopies(
  tx: Transaction,
  { project_id, now, reason }: { project_id: string; now: Date; reason: string },
): Promise<RowOfApp[]> {
  const { rows } = await sql<RowOfApp>`
    with due as (
      select r.id from email_recipients as r
      where r.project_id = ${project_id} and r.next_attempt_at <= ${now} and r.field <> 'to'
        and (r.lease_until is null or r.lease_until <= ${now}) and r.handed_over_at is null
        and not exists (select from email_recipients as t where t.project_id = r.project_id
          and t.email_id = r.email_id and t.field = 'to' and t.status <> 'suppressed')
      order by r.id for update of r skip locked
    )
    update email_recipients as r set status = 'suppressed', reason = ${reason},
      reason_code = 'all_to_suppressed', next_attempt_at = null, lease_until = null,
      lease_token = null
    from due where r.project_id = ${project_id} and r.id = due.id
    returning r.*, ${appId}`.execute(tx)
  return rows
}

interface Leased {
  project_id: string
  id: string
  lease_token: string
}

/** Returns false if the lease was lost. */
export async function markHandedOver(
  tx: Transaction,
  { project_id, id, lease_token, now }: Leased & { now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('email_recipients')
    .set({ handed_over_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('lease_token', '=', lease_token)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Writes the result of an attempt. Returns undefined if the lease was lost. */
export function settle(
  tx: Transaction,
  { project_id, id, lease_token, ...changes }: Leased & Updateable<EmailRecipientsTable>,
): Promise<RecipientRow | undefined> {
  return tx
    .updateTable('email_recipients')
    .set({ ...changes, lease_until: null, lease_token: null, handed_over_at: null })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('lease_token', '=', lease_token)
    .returningAll()
    .executeTakeFirst()
}

export function setReason(
  tx: Transaction,
  {
    project_id,
    id,
    ...changes
  }: { project_id: string; id: string } & Updateable<EmailRecipientsTable>,
): Promise<unknown> {
  return tx
    .updateTable('email_recipients')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** When the next recipient is due; null if none is. */
export async function findNextDue(
  db: Reader,
  { project_id, real }: Pick<Claim, 'project_id' | 'real'>,
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(next_attempt_at, coalesce(lease_until, next_attempt_at))) as at
    from email_recipients
    where project_id = ${project_id} and next_attempt_at is not null
      and (test or ${real})`.execute(db)
  return rows[0]?.at ?? null
}

export function listAttachments(
  db: Reader,
  { project_id, email_id }: { project_id: string; email_id: string },
): Promise<AttachmentRow[]> {
  return db
    .selectFrom('email_attachments')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('email_id', '=', email_id)
    .orderBy('position')
    .execute()
}

/** Projects with due recipients and no job that would deliver them, because their job was lost. */
export async function listForgotten(db: Reader, now: Date, kind: string): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select distinct r.project_id from email_recipients as r
    join email_settings as s on s.project_id = r.project_id
    join projects as p on p.id = r.project_id
    where r.next_attempt_at <= ${now} and s.enabled and s.paused_at is null
      and p.enabled and p.deleted_at is null and (r.test or p.rails ->> 'email' = 'live')
      and not exists (select from jobs as j where j.project_id = r.project_id and j.kind = ${kind}
        and j.state <> 'dead')`.execute(db)
  return rows.map(({ project_id }) => project_id)
}
