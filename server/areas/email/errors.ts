/** Errors of email. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'
import { planNames, plans } from '../../contract/plans.ts'
import { formatSize } from '../../kernel/values/size.ts'

const plansWithDedicatedIp = planNames
  .filter((plan) => plans[plan].dedicated_sending_ip)
  .map((plan) => plans[plan].title)
  .join(' and ')

export const errors = {
  mail_not_enabled: {
    status: 403,
    about: 'Email is an extra module, and it is not turned on for this project.',
    user: 'Email is not turned on for this project yet.',
    next: 'Ask the owner to turn email on in the portal under Email. A key cannot do that.',
  },
  email_paused: {
    status: 403,
    about:
      `Sending is paused because more than ${limits.email_bounces_percent_max}% of the last ` +
      `${limits.email_bounces_window_emails} emails bounced or more than ` +
      `${limits.email_complaints_percent_max}% were marked as spam, by at least ` +
      `${limits.email_complainers_min} people.`,
    user: 'Sending email is paused because too many emails bounced or were marked as spam.',
    next:
      'Do not retry. GET /email/status has the counts. Help to remove the addresses that bounced; then the ' +
      'owner can resume sending in the portal under Email.',
  },
  recipient_not_allowed: {
    status: 403,
    about:
      'The project does not know this address from a form submission, a document, a chat ' +
      'conversation or the sign-in of an app, and the owner has not confirmed it.',
    user: 'Emails can only go to people this project already knows, and this address is new to it.',
    next:
      'Add the address with POST /email/recipients and ask the owner to confirm it in the portal ' +
      'under Email, at Addresses. Or let the person get in touch first, for example through a form on ' +
      'the site. Do not retry before that.',
  },
  email_limit_reached: {
    status: 429,
    about:
      'The project has reached its daily limit of emails (limit in this error), or of new ' +
      'recipients that appear only in documents written by an app (reason ' +
      "'new_recipients_limit', with used_today).",
    user: 'This project has sent as many emails as it may send today.',
    next:
      'Read limit, reason and used_today in this error and send the rest tomorrow. With the ' +
      'reason new_recipients_limit, emails to people the project knows in another way can ' +
      'still go out today.',
  },
  email_blocked: {
    status: 422,
    about:
      'A check of the content stopped the email: it looks like phishing, or has a form, a ' +
      'script, a link with a hidden target, a link shortener or a link known to be bad.',
    user: 'This email did not pass the safety check, so it was not sent.',
    next:
      'Remove what detail names. Write links out in full so that they show where they lead, ' +
      'and send the email again.',
  },
  email_domain_not_verified: {
    status: 409,
    about: 'The from address is not on a verified sending domain of the project.',
    user: 'The domain of the sender address is not ready for sending email yet.',
    next:
      'Use a from address on a verified domain of GET /sending-domains. Or have the DNS records of ' +
      'this domain set, wait until it is verified, and send again.',
  },
  attachment_too_large: {
    status: 413,
    about:
      `The email has more than ${limits.email_attachments_max} attachments or more than ` +
      `${formatSize(limits.email_attachments_bytes_max)} of them together (limit_bytes ` +
      'in this error).',
    user: 'The attachments are too many or too large for one email.',
    next:
      'Send fewer or smaller attachments, within limit_bytes, or put the files on a site and ' +
      'send the link.',
  },
  attachment_not_allowed: {
    status: 422,
    about: 'An attachment is of a kind that cannot be sent.',
    user: 'One of the attachments cannot be sent by email.',
    next:
      'Read in detail which attachment it is and leave it out, or send it as a PDF or a ' +
      'picture.',
  },
  email_address_invalid: {
    status: 422,
    about:
      'The address failed the check before sending: email would not arrive there. Nothing was ' +
      'sent.',
    user: 'Email cannot be delivered to this address, so nothing was sent.',
    next: 'Ask the user to check the address for typing mistakes. Do not retry with the same one.',
  },
  bimi_not_ready: {
    status: 409,
    about:
      'A logo in the inbox needs a DMARC policy of p=quarantine or p=reject for all mail of ' +
      'the domain, with no pct below 100.',
    user: 'The logo cannot be shown in inboxes until the domain is better protected.',
    next:
      'First make sure that all mail of the domain passes DMARC. Then change its DMARC record ' +
      'to p=quarantine or p=reject without pct, wait until the change is visible, and try ' +
      'again.',
  },
  dedicated_ip_not_available: {
    status: 403,
    about:
      'This server has no IP address for the emails of one project alone. A dedicated sending IP ' +
      `is only part of the plans ${plansWithDedicatedIp}.`,
    user: 'Email cannot be sent from an internet address of your own, so nothing was changed.',
    next: 'Add the domain without dedicated_ip. The shared sending addresses work without any setup.',
  },
} as const satisfies Record<string, ErrorEntry>
