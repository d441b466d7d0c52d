/** Composes the message of an email (MIME) and signs it (DKIM). The same bytes go to every recipient. */
import type { AttachmentRow, EmailRow } from '../emails/email-store.ts'

export interface SigningKey {
  domain: string
  selector: string
  /** PKCS#8 as PEM. */
  private_key: string
}

export interface Composition {
  email: EmailRow
  attachments: readonly AttachmentRow[]
  /** The header Date. */
  date: Date
}

export async function compose({ email, attachments, date }: Composition): Promise<Buffer> {
  // Imported at the first email, because it takes a quarter of a second.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const mailbox = ({ name, address }: { name: string | null; address: string }) => ({
    name: name ?? '',
    address,
  })
  const node = new MailComposer({
    from: mailbox(email.sender),
    // Objects, because strings would be parsed as lists of recipients.
    to: email.to.map(mailbox),
    cc: email.cc.map(mailbox),
    replyTo: email.reply_to.map(mailbox),
    subject: email.subject,
    ...(email.text !== null && { text: email.text }),
    ...(email.html !== null && { html: email.html }),
    headers: email.headers,
    messageId: email.message_id,
    date,
    attachments: attachments.map(({ filename, content_type, content_id, content }) => ({
      filename,
      contentType: content_type,
      content: content ?? '',
      ...(content_id !== null && { cid: content_id }),
    })),
    // A message must not read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  return node.build()
}

/** Returns the message with its signature in front. */
export async function sign(message: Buffer, key: SigningKey, date: Date): Promise<Buffer> {
  const { dkimSign } = await import('mailauth/lib/dkim/sign.js')
  const signer = { signingDomain: key.domain, selector: key.selector, privateKey: key.private_key }
  const { signatures, errors } = await dkimSign(message, {
    canonicalization: 'relaxed/relaxed',
    algorithm: 'rsa-sha256',
    signTime: date,
    ...signer,
    signatureData: [signer],
  })
  if (signatures === '' || errors.length > 0) throw new Error('The message could not be signed.')
  return Buffer.concat([Buffer.from(signatures), message])
}
