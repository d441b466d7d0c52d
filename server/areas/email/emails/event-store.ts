/** The SQL of the payload of an email event. */
import type { Reader } from '../../../kernel/database/database.ts'
import type { EmailRow, EventRow, RecipientRow } from './email-store.ts'

export type EventDetail = Pick<EventRow, 'email_id' | 'type' | 'reason' | 'occurred_at'> &
  Pick<RecipientRow, 'address' | 'field' | 'test'> &
  Pick<EmailRow, 'app_id'>

export function findEvent(
  db: Reader,
  { project_id, id }: { project_id: string; id: string },
): Promise<EventDetail | undefined> {
  return db
    .selectFrom('email_events as o')
    .innerJoin('email_recipients as r', (join) =>
      join.onRef('r.project_id', '=', 'o.project_id').onRef('r.id', '=', 'o.recipient_id'),
    )
    .innerJoin('emails as e', (join) =>
      join.onRef('e.project_id', '=', 'o.project_id').onRef('e.id', '=', 'o.email_id'),
    )
    .select(['o.email_id', 'o.type', 'o.reason', 'o.occurred_at'])
    .select(['r.address', 'r.field', 'r.test', 'e.app_id'])
    .where('o.project_id', '=', project_id)
    .where('o.id', '=', id)
    .executeTakeFirst()
}
