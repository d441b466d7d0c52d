/** The SQL of emails, their recipients and their events. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type {
  EmailAttachmentsTable,
  EmailEventsTable,
  EmailRecipientsTable,
  EmailsTable,
} from '../../../kernel/database/tables.ts'

export type EmailRow = Selectable<EmailsTable>
export type RecipientRow = Selectable<EmailRecipientsTable>
export type EventRow = Selectable<EmailEventsTable>
export type AttachmentRow = Selectable<EmailAttachmentsTable>
export type ListedAttachment = Omit<AttachmentRow, 'content'>

export interface EmailKey {
  project_id: string
  id: string
}

export interface NewEmails {
  emails: readonly EmailRow[]
  recipients: readonly NewRecipient[]
  attachments: readonly Insertable<EmailAttachmentsTable>[]
  events: readonly EventRow[]
}

export type NewRecipient = Pick<
  RecipientRow,
  | 'project_id'
  | 'id'
  | 'email_id'
  | 'address'
  | 'field'
  | 'status'
  | 'reason'
  | 'reason_code'
  | 'next_attempt_at'
  | 'sent_at'
  | 'test'
>

/** Rows are passed as one JSON parameter, so that the statement text is the same for any number. */
export async function insertAll(tx: Transaction, rows: NewEmails): Promise<void> {
  await sql`
    insert into emails select * from jsonb_populate_recordset(null::emails, ${JSON.stringify(rows.emails)}::jsonb)
  `.execute(tx)
  await sql`
    insert into email_recipients (project_id, id, email_id, address, field, status, reason,
      reason_code, next_attempt_at, sent_at, test)
    select project_id, id, email_id, address, field, status, reason, reason_code, next_attempt_at, sent_at, test
    from jsonb_populate_recordset(null::email_recipients, ${JSON.stringify(rows.recipients)}::jsonb)
  `.execute(tx)
  // One by one, because their bytes are large.
  for (const attachment of rows.attachments)
    await tx.insertInto('email_attachments').values(attachment).execute()
  await insertEvents(tx, rows.events)
}

export async function insertEvents(tx: Transaction, events: readonly EventRow[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into email_events
    select * from jsonb_populate_recordset(null::email_events, ${JSON.stringify(events)}::jsonb)
  `.execute(tx)
}

export interface EmailsPage {
  project_id: string
  /** Test emails for test keys, real ones for live keys. */
  test: boolean
  status: EmailRow['status'] | undefined
  recipient: string | undefined
  app_id: string | undefined
  count: number
  after: string | null
}

export function list(db: Reader, page: EmailsPage): Promise<EmailRow[]> {
  const { project_id, test, status, recipient, app_id, count, after } = page
  return db
    .selectFrom('emails')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(app_id !== undefined, (query) => query.where('app_id', '=', app_id!))
    .$if(recipient !== undefined, (query) =>
      query.where(
        sql<boolean>`id in (select email_id from email_recipients
          where project_id = ${project_id} and address = ${recipient!})`,
      ),
    )
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export function find(db: Reader, { project_id, id }: EmailKey): Promise<EmailRow | undefined> {
  return db
    .selectFrom('emails')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lock(tx: Transaction, { project_id, id }: EmailKey): Promise<EmailRow | undefined> {
  return tx
    .selectFrom('emails')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function listRecipients(db: Reader, { project_id, id }: EmailKey): Promise<RecipientRow[]> {
  return db
    .selectFrom('email_recipients')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('email_id', '=', id)
    .orderBy('id')
    .execute()
}

export function listEvents(db: Reader, { project_id, id }: EmailKey): Promise<EventRow[]> {
  return db
    .selectFrom('email_events')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('email_id', '=', id)
    .orderBy('id')
    .execute()
}

export function listAttachments(
  db: Reader,
  { project_id, id }: EmailKey,
): Promise<ListedAttachment[]> {
  return db
    .selectFrom('email_attachments')
    .select([
      'project_id',
      'email_id',
      'position',
      'filename',
      'content_type',
      'content_id',
      'bytes',
    ])
    .where('project_id', '=', project_id)
    .where('email_id', '=', id)
    .orderBy('position')
    .execute()
}

/** Those of the addresses that got an email before in this mode. */
export async function findEmailed(
  db: Reader,
  {
    project_id,
    addresses,
    test,
  }: { project_id: string; addresses: readonly string[]; test: boolean },
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  const { rows } = await sql<{ address: string }>`
    select wanted.address from unnest(${addresses}::text[]) as wanted (address)
    where exists (select from email_recipients as r where r.project_id = ${project_id}
      and r.address = wanted.address and r.test = ${test}
      and r.status not in ('suppressed', 'canceled'))`.execute(db)
  return new Set(rows.map(({ address }) => address))
}

/** Cancels scheduled recipients. Those that a delivery has claimed already are sent. */
export async function cancelQueued(
  tx: Transaction,
  { project_id, id }: EmailKey,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update email_recipients set status = 'canceled', next_attempt_at = null
    where project_id = ${project_id} and id = any(array(${waiting(project_id, id)}))
    returning id`.execute(tx)
  return rows.map((row) => row.id)
}

/** A claim holds its rows while it waits for the email, so this must not wait for them. */
function waiting(project_id: string, email_id: string) {
  return sql`select id from email_recipients
    where project_id = ${project_id} and email_id = ${email_id} and status = 'queued'
    for update skip locked`
}

export async function reschedule(
  tx: Transaction,
  { project_id, id, at }: EmailKey & { at: Date },
): Promise<void> {
  await sql`
    update email_recipients set next_attempt_at = ${at}
    where project_id = ${project_id} and id = any(array(${waiting(project_id, id)}))`.execute(tx)
  await tx
    .updateTable('emails')
    .set({ scheduled_at: at })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Writes the status of an email that follows from its recipients, and deletes the content of its
 * attachments once no recipient waits for it.
 */
export async function refreshStatus(tx: Transaction, { project_id, id }: EmailKey): Promise<void> {
  await sql`
    update emails set status = (
      select case
        when bool_and(status = 'canceled') then 'canceled'
        when bool_or(status = 'complained') then 'complained'
        when bool_and(status = 'suppressed') filter (where field = 'to') then 'suppressed'
        when bool_or(status = 'delayed') then 'delayed'
        when bool_or(status = 'queued') then
          case when emails.scheduled_at is null then 'queued' else 'scheduled' end
        when bool_or(status = 'sent') then 'sent'
        when bool_and(status = 'delivered') filter (where status not in ('suppressed', 'canceled'))
          then 'delivered'
        when bool_and(status = 'bounced') filter (where status not in ('suppressed', 'canceled'))
          then 'bounced'
        else 'partially_delivered' end
      from email_recipients as r where r.project_id = emails.project_id and r.email_id = emails.id
    ) where project_id = ${project_id} and id = ${id}`.execute(tx)
  await sql`
    update email_attachments set content = null
    where project_id = ${project_id} and email_id = ${id} and content is not null
      and not exists (select from email_recipients as r where r.project_id = ${project_id}
        and r.email_id = ${id} and r.next_attempt_at is not null)`.execute(tx)
}
