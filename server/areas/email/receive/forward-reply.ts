/**
 * Passes a reply on to the address for replies of the email. Some programs answer to the return path
 * instead. The message leaves with the sender of the email, because mail servers refuse messages in the name of
 * foreign domains; the person is in Reply-To. Nothing is stored: the sender is told the result.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { parseAddress } from '../addresses/parse-address.ts'
import { sign } from '../delivery/compose.ts'
import type { Parcel } from '../delivery/outcome.ts'
import { readReturnPath } from '../delivery/return-path.ts'
import { transportOf } from '../delivery/transport.ts'
import { DKIM_PURPOSE } from '../domains/dkim-keys.ts'
import { find as findDomain } from '../domains/domain-store.ts'
import * as emails from '../emails/email-store.ts'
import type { Returning } from './receive-store.ts'

/** Headers that are kept. Others, such as signatures, are about the way of the original message. */
const kept = /^(?:subject|date|message-id|in-reply-to|references|mime-version|content-[a-z-]+):/i
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
  if (outcome?.kind === 'delivered') return 'taken'
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
  if (!email || person === null) return null
  const to = (email.reply_to[0] ?? email.sender).address
  const domain = await findDomain(runtime.db, { project_id, id: email.sending_domain_id })
  const reply = rewrite(message, { person, sender: email.sender.address, to, id })
  if (!reply || !domain || readReturnPath(runtime.seal, to) !== null) return null
  const private_key = runtime.seal.open(domain.sealed_dkim_key, DKIM_PURPOSE)
  const key = { domain: domain.domain, selector: domain.dkim_selector, private_key }
  const source = await sign(reply, key, runtime.clock.now())
  // Without an envelope sender nobody gets a bounce of it, and no loop begins.
  return { from: '', to, source, onData: async () => {} }
}

interface Names {
  person: string
  sender: string
  to: string
  id: string
}

/** Returns null for a reply that was forwarded before. Works on bytes, whatever their encoding. */
function rewrite(message: Buffer, { person, sender, to, id }: Names): Buffer | null {
  const text = message.toString('latin1')
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
