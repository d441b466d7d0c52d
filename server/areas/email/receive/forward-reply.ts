/**
 * Passes a reply on to the address for replies of the email. Some programs answer to the return path
 * instead. The message leaves with the sender of the email, because mail servers refuse messages in the name of
 * foreign domains; the person is in Reply-To. Nothing is stored: the sender is told the result.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import { findSuppressed } from '../addresses/address-store.ts'
import { findKnown } from '../addresses/find-known.ts'
import { domainOf, parseAddress, toKey } from '../addresses/parse-address.ts'
import { sign } from '../delivery/compose.ts'
import { findRight } from '../delivery/deliver.ts'
import type { Parcel } from '../delivery/outcome.ts'
import { readReturnPath } from '../delivery/return-path.ts'
import { transportOf } from '../delivery/transport.ts'
import { DKIM_PURPOSE } from '../domains/dkim-keys.ts'
import { find as findDomain } from '../domains/domain-store.ts'
import * as emails from '../emails/email-store.ts'
import type { Returning } from './receive-store.ts'

/** Headers that are kept. Others, such as signatures, are about the way of the original message. */
const kept = /^(?:subject|date|message-id|in-reply-to|references|mime-version|content-[a-z-]+):/i
const EMAIL_AGE_MS_MAX = 30 * 86_400_000
const MARK = 'X-Homeport-Reply'

export interface Reply {
  message: Buffer
  /** The address of the person. */
  from: string
}

export async function forwardReply(
  runtime: Runtime,
  recipient: Returning,
  reply: Reply,
): Promise<'taken' | 'refused' | 'later'> {
  const parcel = await pack(runtime, recipient, reply)
  if (!parcel) return 'refused'
  const outcome = await transportOf(runtime)?.handOver(parcel)
  // Without a reply the message may have arrived, so it is not sent again.
  if (outcome?.kind === 'delivered' || outcome?.kind === 'unknown') return 'taken'
  return outcome?.kind === 'refused' && outcome.code >= 500 ? 'refused' : 'later'
}

/** Returns null if the reply cannot be forwarded. */
async function pack(
  runtime: Runtime,
  { project_id, email_id: id }: Returning,
  { message, from }: Reply,
): Promise<Parcel | null> {
  const email = await emails.find(runtime.db, { project_id, id })
  const person = parseAddress(from)
  const to = email && (await findTarget(runtime, email))
  if (!to || person === null) return null
  const domain = await findDomain(runtime.db, { project_id, id: email.sending_domain_id })
  const reply = rewrite(message, { person, sender: email.sender.address, to, id })
  if (!reply || !domain || readReturnPath(runtime.seal, to) !== null) return null
  const private_key = runtime.seal.open(domain.sealed_dkim_key, DKIM_PURPOSE)
  const key = { domain: domain.domain, selector: domain.dkim_selector, private_key }
  const source = await sign(reply, key, runtime.clock.now())
  // Without an envelope sender nobody gets a bounce of it, and no loop begins.
  return { from: '', to, source, onData: async () => {} }
}

/**
 * The address to which replies are forwarded; null if the project may send nothing now, if the email is
 * old, or if the address is suppressed or of a stranger, who gets no mail by a detour either.
 */
async function findTarget(runtime: Runtime, email: emails.EmailRow): Promise<string | null> {
  const { db, clock } = runtime
  const { project_id } = email
  const sent_at = email.scheduled_at ?? email.created_at
  if (clock.now_ms() - sent_at.getTime() > EMAIL_AGE_MS_MAX) return null
  const right = await findRight(db, project_id)
  const project = right?.real === true ? await projects.find(db, project_id) : undefined
  if (!project) return null
  const to = (email.reply_to[0] ?? email.sender).address
  const addresses = [toKey(to)]
  if ((await findSuppressed(db, { project_id, addresses })).size > 0) return null
  // The project proved that it controls the domain of the sender.
  if (domainOf(to) === domainOf(email.sender.address)) return to
  const { unknown } = await findKnown({ db, project }, addresses, false)
  return unknown.size === 0 ? to : null
}

interface Names {
  person: string
  sender: string
  to: string
  id: string
}

/** Returns null for a reply that was forwarded before. Works on bytes, whatever their encoding. */
function rewrite(message: Buffer, { person, sender, to, id }: Names): Buffer | null {
  // Lone line breaks become whole ones, so that each field is read as later servers read it.
  const text = message.toString('latin1').replaceAll(/\r\n?|\n/g, '\r\n')
  const end = text.indexOf('\r\n\r\n')
  const fields = text.slice(0, end < 0 ? text.length : end).split(/\r\n(?![ \t])/)
  if (fields.some((field) => field.toLowerCase().startsWith(`${MARK.toLowerCase()}:`))) return null
  const head = [
    // Addresses have no quotation marks and no line breaks.
    `From: "${person}" <${sender}>`,
    `Reply-To: <${person}>`,
    `To: <${to}>`,
    `${MARK}: ${id}`,
    ...fields.filter((field) => kept.test(field)),
  ]
  const body = end < 0 ? '' : text.slice(end + 4)
  return Buffer.concat([
    Buffer.from(`${head.slice(0, 4).join('\r\n')}\r\n`),
    Buffer.from(`${[...head.slice(4), '', ''].join('\r\n')}${body}`, 'latin1'),
  ])
}
