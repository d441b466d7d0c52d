/** The payloads of email events, built at delivery. They have no subject and no content. */
import { Type } from 'typebox'
import { Dropped, event } from '../../contract/events.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'
import type { Reader } from '../../kernel/database/database.ts'
import { findEvent } from './emails/event-store.ts'

const payload = Type.Object({
  email_id: withDescription(Uuid, 'The email.'),
  app_id: orNull(Uuid, 'The app that sent it; null for other emails.'),
  recipient: Type.String({
    description: 'Address of the recipient.',
    examples: ['anna@example.com'],
  }),
  recipient_field: Type.Enum(['to', 'cc', 'bcc'], {
    description: 'Where the email names the recipient.',
  }),
  status: Type.String({
    description: 'What happened: sent, delivered, delayed, bounced or complained.',
    examples: ['bounced'],
  }),
  reason: orNull(
    Type.String({ examples: ['The mailbox does not exist.'] }),
    'Why, in a sentence; null if nothing went wrong.',
  ),
  occurred_at: Timestamp,
  test: Type.Boolean({ description: 'Whether it belongs to test mode: nothing is sent.' }),
})

async function load(
  db: Reader,
  project_id: string,
  { email_event_id: id }: { email_event_id: string },
) {
  const row = await findEvent(db, { project_id, id })
  if (!row) return new Dropped('email_deleted')
  const { email_id, app_id, address, field, type, reason, occurred_at, test } = row
  return {
    email_id,
    app_id,
    recipient: address,
    recipient_field: field,
    status: type,
    reason,
    occurred_at: occurred_at.toISOString(),
    test,
  }
}

export const emailSent = event({ type: 'email.sent', data: payload, load })
export const emailDelivered = event({ type: 'email.delivered', data: payload, load })
export const emailDelayed = event({ type: 'email.delayed', data: payload, load })
export const emailBounced = event({ type: 'email.bounced', data: payload, load })
export const emailComplained = event({ type: 'email.complained', data: payload, load })
