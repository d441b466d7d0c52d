/** Presents emails. */
import { Problem } from '../../../contract/errors.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Mailbox } from '../addresses/parse-address.ts'
import type { Email, ListedEmail } from '../schema.ts'
import * as store from './email-store.ts'

export interface WholeEmail {
  email: store.EmailRow
  recipients: store.RecipientRow[]
  attachments: store.ListedAttachment[]
  events: store.EventRow[]
}

export async function readWhole(db: Reader, key: store.EmailKey): Promise<WholeEmail> {
  const email = await store.find(db, key)
  if (!email) throw unknownEmail()
  const recipients = await store.listRecipients(db, key)
  const attachments = await store.listAttachments(db, key)
  return { email, recipients, attachments, events: await store.listEvents(db, key) }
}

export function unknownEmail(): Problem {
  return new Problem('not_found', 'There is no email with this id.')
}

export function presentListed(row: store.EmailRow): ListedEmail {
  return {
    id: row.id,
    from: format(row.sender),
    to: row.to.map(format),
    cc: row.cc.map(format),
    bcc: row.bcc.map(format),
    reply_to: row.reply_to.map(format),
    subject: row.subject,
    status: row.status,
    app_id: row.app_id,
    sending_domain_id: row.sending_domain_id,
    message_id: row.message_id,
    tags: row.tags,
    scheduled_at: timeOf(row.scheduled_at),
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}

export function presentEmail({ email, recipients, attachments, events }: WholeEmail): Email {
  const addressOf = new Map(recipients.map(({ id, address }) => [id, address]))
  return {
    ...presentListed(email),
    recipients: recipients.map(presentRecipient),
    attachments: attachments.map(({ filename, content_type, bytes }) => ({
      filename,
      content_type,
      bytes,
    })),
    text: email.text,
    html: email.html,
    events: events.map(({ type, recipient_id, reason, occurred_at }) => ({
      type,
      recipient: addressOf.get(recipient_id) ?? '',
      reason,
      occurred_at: occurred_at.toISOString(),
    })),
  }
}

function presentRecipient(row: store.RecipientRow): Email['recipients'][number] {
  return {
    address: row.address,
    field: row.field,
    status: row.status,
    reason: row.reason,
    reason_code: row.reason_code,
    bounce_type: row.bounce_type,
    smtp_code: row.smtp_code,
    enhanced_code: row.enhanced_code,
    remote_mta: row.remote_mta,
    attempts: row.attempts,
    next_attempt_at: timeOf(row.next_attempt_at),
    sent_at: timeOf(row.sent_at),
    delivered_at: timeOf(row.delivered_at),
    bounced_at: timeOf(row.bounced_at),
    complained_at: timeOf(row.complained_at),
  }
}

function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

function format({ name, address }: Mailbox): string {
  return name === null ? address : `${name} <${address}>`
}
