/** The operations of emails, of the module, and of logos of sending domains. */
import { limits } from '../../contract/limits.ts'
import { operation } from '../../contract/operation.ts'
import { send, sendBatch } from './accept/send.ts'
import { removeBimi, setBimi } from './domains/bimi.ts'
import { BimiInput, DomainId, SendingDomain } from './domains/domain-schema.ts'
import { nameOfDomain } from './domains/domains.ts'
import * as emails from './emails/emails.ts'
import {
  BatchInput,
  BatchReply,
  Email,
  EmailId,
  EmailInput,
  EmailPage,
  EmailsQuery,
  ScheduleInput,
} from './schema.ts'
import { EmailStatus } from './settings/settings-schema.ts'
import { showStatus } from './settings/settings.ts'

const reading = { scope: 'messages:read', reach: 'project', effect: 'read', status: 200 } as const
const sending = { scope: 'messages:write', reach: 'project' } as const
const domains = { scope: 'sites:write', reach: 'project', effect: 'write' } as const
const refusals = [
  'mail_not_enabled',
  'email_paused',
  'email_domain_not_verified',
  'validation_failed',
  'attachment_too_large',
  'attachment_not_allowed',
  'email_address_invalid',
  'recipient_not_allowed',
  'email_limit_reached',
  'email_blocked',
  'insufficient_balance',
  'billing_blocked',
  'rate_limited',
] as const
const body_rules = { bytes_max: limits.email_request_bytes_max }

export const list = operation({
  ...reading,
  name: 'emails.list',
  route: 'GET /emails',
  about: 'The sent and scheduled emails of the project, newest first, without texts.',
  keywords: 'sent mail, outbox, scheduled, mail history, log',
  query: EmailsQuery,
  reply: EmailPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => emails.listEmails(caller, query),
})

export const create = operation({
  ...sending,
  name: 'emails.create',
  route: 'POST /emails',
  about:
    "Sends an email from the project's own domain to people whom the project knows, at once or at a later " +
    'time. With a test key nothing is sent.',
  keywords:
    'send mail, write to customer, newsletter, confirmation, reminder, schedule message, ' +
    'transactional',
  consent: {
    about: 'Sends an email in the name of the business.',
    costs: () => 'email.message',
  },
  effect: 'money',
  body: EmailInput,
  body_rules,
  status: 201,
  reply: Email,
  errors: refusals,
  headers: { idempotency_key: 'optional' },
  run: ({ body }, caller) => send(caller, body),
})

export const createBatch = operation({
  ...sending,
  name: 'emails.create_batch',
  route: 'POST /emails/batch',
  about:
    `Sends up to ${limits.emails_per_batch_max} separate emails. Each is checked by itself, and the reply has ` +
    'an id or a problem for each.',
  keywords: 'bulk mail, mailing, many recipients, newsletter to all, mail merge',
  consent: {
    about: 'Sends many emails in the name of the business.',
    costs: () => 'email.message',
  },
  effect: 'money',
  body: BatchInput,
  body_rules,
  status: 201,
  reply: BatchReply,
  errors: ['mail_not_enabled', 'email_paused', 'validation_failed', 'rate_limited'],
  headers: { idempotency_key: 'optional' },
  run: ({ body }, caller) => sendBatch(caller, body),
})

export const get = operation({
  ...reading,
  name: 'emails.get',
  route: 'GET /emails/{id}',
  about: 'One email with its recipients, what happened to each, and its texts.',
  keywords: 'opened, bounced, delivered, was the mail received, recipients',
  params: EmailId,
  reply: Email,
  errors: ['not_found'],
  run: ({ params }, caller) => emails.findEmail(caller, params.id),
})

export const cancel = operation({
  ...sending,
  name: 'emails.cancel',
  route: 'POST /emails/{id}/cancel',
  about: 'Cancels an email that waits for its time.',
  keywords: 'stop scheduled mail, do not send, unsend, abort newsletter',
  effect: 'write',
  params: EmailId,
  status: 200,
  reply: Email,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => emails.cancelEmail(caller, params.id),
})

export const reschedule = operation({
  ...sending,
  name: 'emails.reschedule',
  route: 'POST /emails/{id}/schedule',
  about: 'Moves an email that waits to another time.',
  keywords: 'send later, postpone, other time, delay mail',
  effect: 'write',
  params: EmailId,
  body: ScheduleInput,
  status: 200,
  reply: Email,
  errors: ['not_found', 'conflict', 'validation_failed'],
  run: ({ params, body }, caller) => emails.rescheduleEmail(caller, params.id, body),
})

export const status = operation({
  ...reading,
  name: 'email.status',
  route: 'GET /email/status',
  about:
    'Whether email is turned on, how much of the daily limits is used, and how many emails bounce.',
  keywords: 'bounce rate, daily limit, quota, reputation, enabled, paused',
  reply: EmailStatus,
  errors: [],
  run: (_input, caller) => showStatus(caller),
})

export const setLogo = operation({
  ...domains,
  name: 'sending_domains.set_bimi',
  route: 'PUT /sending-domains/{id}/bimi',
  about:
    'Sets the logo that inboxes show beside emails of a domain (BIMI). The reply has the DNS record that it ' +
    'needs. DMARC must be p=quarantine or p=reject for all mail.',
  keywords: 'BIMI, logo in inbox, brand icon, avatar, VMC',
  waits_for_others: true,
  params: DomainId,
  body: BimiInput,
  status: 200,
  reply: SendingDomain,
  errors: ['not_found', 'bimi_not_ready', 'validation_failed'],
  run: ({ params, body }, caller) => setBimi(caller, params.id, body),
})

export const removeLogo = operation({
  ...domains,
  name: 'sending_domains.delete_bimi',
  route: 'DELETE /sending-domains/{id}/bimi',
  about: 'Removes the logo of a domain for inboxes. Delete its DNS record too.',
  keywords: 'BIMI off, no logo in inbox',
  consent: {
    about: 'Removes the logo of a domain for inboxes.',
    subject: ({ params }, caller) => nameOfDomain(caller, params.id),
  },
  params: DomainId,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => removeBimi(caller, params.id),
})
