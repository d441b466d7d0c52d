/** The SQL of what comes back for recipients of emails. */
import { sql, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { EmailRecipientsTable } from '../../../kernel/database/tables.ts'
import type { RecipientRow } from '../emails/email-store.ts'

export type Returning = RecipientRow & { app_id: string | null }

/**
 * Finds a recipient by the id in its return path, whose MAC was verified. Nothing comes back for test
 * emails, and none of a deleted project is recorded.
 */
export async function findReturning(db: Reader, id: string): Promise<Returning | undefined> {
  const { rows } = await sql<Returning>`
    select r.*, e.app_id from email_recipients as r
    join emails as e on e.project_id = r.project_id and e.id = r.email_id
    join projects as p on p.id = r.project_id
    where r.id::text = ${id.toLowerCase()} and not r.test and r.sent_at is not null
      and p.enabled and p.deleted_at is null`.execute(db)
  return rows[0]
}

interface Change {
  project_id: string
  id: string
}

/**
 * Ends a recipient whose email was sent, also during its next attempt. Returns undefined if it has another
 * result already.
 */
export function settleReturned(
  tx: Transaction,
  { project_id, id, ...changes }: Change & Updateable<EmailRecipientsTable>,
): Promise<RecipientRow | undefined> {
  return tx
    .updateTable('email_recipients')
    .set({
      ...changes,
      next_attempt_at: null,
      lease_until: null,
      lease_token: null,
      handed_over_at: null,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', 'in', ['sent', 'delayed', 'delivered'])
    .returningAll()
    .executeTakeFirst()
}
