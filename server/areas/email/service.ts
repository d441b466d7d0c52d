/**
 * Takes the mail that comes back to the server: reports about messages that could not be delivered, spam
 * reports, and replies to the return path. Everyone can connect, so only an address with a valid MAC has an effect.
 */
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readReturnPath } from './delivery/return-path.ts'
import { parseReturned, type Complaint } from './receive/parse-report.ts'
import { forwardReply } from './receive/forward-reply.ts'
import { recordBounce, recordComplaint } from './receive/record-return.ts'
import { findReturning, type Returning } from './receive/receive-store.ts'

export { parseAddress } from './addresses/parse-address.ts'
export { sendTest } from './delivery/send-test.ts'

/** Mailbox providers send spam reports to this mailbox of HOMEPORT_EMAIL_HOST. */
const FEEDBACK = 'feedback@'

export type Mailbox = { kind: 'feedback' } | { kind: 'return_path'; recipient: Returning }

/** Returns the mailbox of an address; null if there is none. */
export async function findMailbox(runtime: Runtime, address: string): Promise<Mailbox | null> {
  if (address.toLowerCase().startsWith(FEEDBACK)) return { kind: 'feedback' }
  const recipient = await findByReturnPath(runtime, address)
  return recipient && { kind: 'return_path', recipient }
}

async function findByReturnPath(runtime: Runtime, text: string): Promise<Returning | null> {
  const id = readReturnPath(runtime.seal, text)
  return id === null ? null : ((await findReturning(runtime.db, id)) ?? null)
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
  if (!windowOf(runtime).pass(recipient.id).allowed) return 'refused'
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

const windows = new WeakMap<Runtime, SlidingWindow>()

function windowOf(runtime: Runtime): SlidingWindow {
  const limit = limits.email_replies_per_recipient_per_day_max
  const known =
    windows.get(runtime) ?? createSlidingWindow(runtime.clock, { limit, window_ms: 86_400_000 })
  windows.set(runtime, known)
  return known
}
