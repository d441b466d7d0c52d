/**
 * Takes the mail that comes back to the server: reports about messages that could not be delivered, spam
 * reports, and replies to the return path. Everyone can connect, so only an address with a valid MAC has an effect.
 */
import { limits } from '../../contract/limits.ts'
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readReturnPath } from './delivery/return-path.ts'
import { bounceHostOf } from './domains/check-records.ts'
import { isReturnPathHost } from './domains/domain-store.ts'
import { PARSED_BYTES_MAX, parseReturned, type Complaint } from './receive/parse-report.ts'
import { forwardReply } from './receive/forward-reply.ts'
import { recordBounce, recordComplaint } from './receive/record-return.ts'
import { findReturning, type Returning } from './receive/receive-store.ts'

export { prepareForCustomer } from './accept/send-to-customer.ts'
export { parseAddress } from './addresses/parse-address.ts'
export { sendTest } from './delivery/send-test.ts'

/** Mailbox providers send spam reports to this mailbox of HOMEPORT_EMAIL_HOST or of a return path. */
const FEEDBACK = 'feedback@'

export type Mailbox = { kind: 'feedback' } | { kind: 'return_path'; recipient: Returning }

/** Returns the mailbox of an address; null if there is none. */
export async function findMailbox(runtime: Runtime, address: string): Promise<Mailbox | null> {
  if (address.toLowerCase().startsWith(FEEDBACK)) {
    const host = address.slice(FEEDBACK.length).toLowerCase()
    const is_ours = host === bounceHostOf(runtime).toLowerCase()
    return is_ours || (await isReturnPathHost(runtime.db, host)) ? { kind: 'feedback' } : null
  }
  const recipient = await findByReturnPath(runtime, address)
  return recipient && { kind: 'return_path', recipient }
}

async function findByReturnPath(runtime: Runtime, text: string): Promise<Returning | null> {
  const id = readReturnPath(runtime.seal, text)
  return id === null ? null : ((await findReturning(runtime.db, id)) ?? null)
}

/** How much of a message is needed: reports have what counts at the beginning, replies are forwarded whole. */
export function bytesNeeded({ kind }: Mailbox, sender: string): number {
  const is_reply = kind === 'return_path' && sender !== ''
  return is_reply ? limits.email_received_bytes_max : PARSED_BYTES_MAX
}

export interface ReturnedMail {
  mailbox: Mailbox
  /** Envelope sender; empty in reports. */
  sender: string
  message: Buffer
}

/** What the sender of the mail is told: later means that it tries again. */
export type Reception = 'taken' | 'refused' | 'later'

export async function receiveMail(
  runtime: Runtime,
  { mailbox, sender, message }: ReturnedMail,
): Promise<Reception> {
  const mail = await parseReturned(message)
  if (mail.complaint) return receiveComplaint(runtime, mailbox, mail.complaint)
  if (mailbox.kind === 'feedback') return 'taken'
  const { recipient } = mailbox
  // Reports have no envelope sender, so that nobody answers them with another report.
  if (sender === '') {
    const named = mail.deliveries.filter((one) => one.recipient === recipient.address)
    const [report] = named.length > 0 || mail.deliveries.length > 1 ? named : mail.deliveries
    if (report?.action === 'failed') await recordBounce(runtime, recipient, report)
    return 'taken'
  }
  if (mail.is_automatic) return 'taken'
  const { of_recipient, of_project } = windowsOf(runtime)
  if (!of_recipient.pass(recipient.id).allowed) return 'later'
  if (!of_project.pass(recipient.project_id).allowed) return 'later'
  return forwardReply(runtime, recipient, { message, from: mail.from || sender })
}

async function receiveComplaint(
  runtime: Runtime,
  mailbox: Mailbox,
  { texts }: Complaint,
): Promise<Reception> {
  const recipient =
    mailbox.kind === 'return_path'
      ? mailbox.recipient
      : await findByReturnPath(runtime, texts.join('\n'))
  if (recipient) await recordComplaint(runtime, recipient)
  return 'taken'
}

const DAY_MS = 86_400_000
/** Replies that are forwarded for a project in a day. */
const REPLIES_PER_PROJECT_MAX = 500

interface Windows {
  of_recipient: SlidingWindow
  of_project: SlidingWindow
}

const windows = new WeakMap<Runtime, Windows>()

function windowsOf(runtime: Runtime): Windows {
  const create = (limit: number) => createSlidingWindow(runtime.clock, { limit, window_ms: DAY_MS })
  const known = windows.get(runtime) ?? {
    of_recipient: create(limits.email_replies_per_recipient_per_day_max),
    of_project: create(REPLIES_PER_PROJECT_MAX),
  }
  windows.set(runtime, known)
  return known
}
