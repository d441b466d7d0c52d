/**
 * Reads the mail that comes back: delivery reports (RFC 3464) and spam reports (RFC 5965). Pure but for the
 * loading of the parser.
 */
import type { Refusal } from '../delivery/classify.ts'

/** Reports have what counts at the beginning; a returned message follows. */
export const PARSED_BYTES_MAX = 1_048_576
const HEADERS_BYTES_MAX = 262_144
const NESTING_MAX = 20
/** Other kinds say that a message was no spam, or are about signatures. */
const COMPLAINTS = new Set(['abuse', 'fraud'])

export interface Returned {
  /** Delivery reports, one for each recipient that they name. */
  deliveries: DeliveryReport[]
  complaint: Complaint | null
  /** The address in the header From; empty without one. */
  from: string
  /** Whether a program wrote it, such as an absence notice. */
  is_automatic: boolean
}

export interface DeliveryReport extends Refusal {
  action: string
  /** In lower case; empty if it is not named. */
  recipient: string
  remote_mta: string | null
}

export interface Complaint {
  /** The texts that may name the return path of the message. */
  texts: string[]
}

export async function parseReturned(message: Buffer): Promise<Returned> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(message.subarray(0, PARSED_BYTES_MAX), {
    attachmentEncoding: 'utf8',
    forceRfc822Attachments: true,
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_BYTES_MAX,
  })
  const contents = (type: RegExp) =>
    mail.attachments.flatMap(({ mimeType, content }) =>
      type.test(mimeType) && typeof content === 'string' ? [content] : [],
    )
  const header = (name: string) =>
    mail.headers.find(({ key }) => key === name)?.value.toLowerCase() ?? ''
  const [feedback] = contents(/^message\/feedback-report$/i)
  const kind = readFields(feedback ?? '').get('feedback-type') ?? ''
  const originals = contents(/^(?:message\/rfc822|text\/rfc822-headers)(?:-headers)?$/i)
  return {
    deliveries: contents(/^message\/(?:global-)?delivery-status$/i).flatMap(readDeliveries),
    complaint: COMPLAINTS.has(kind) ? { texts: [feedback ?? '', ...originals] } : null,
    from: mail.from?.address ?? '',
    is_automatic:
      !['', 'no'].includes(header('auto-submitted')) ||
      /^(?:bulk|junk|list|auto_reply)$/.test(header('precedence')),
  }
}

/** The first block is about the message; each further one is about a recipient. */
function readDeliveries(content: string): DeliveryReport[] {
  return content
    .replaceAll('\r\n', '\n')
    .split(/\n\n+/)
    .slice(1)
    .map(readFields)
    .filter((fields) => fields.has('action'))
    .map((fields) => {
      const status = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(fields.get('status') ?? '')?.[0] ?? '5.0.0'
      const diagnostic = valueOf(fields.get('diagnostic-code'))
      const code = Number(/\b([45]\d\d)\b/.exec(diagnostic)?.[1] ?? 0)
      return {
        action: (fields.get('action') ?? '').toLowerCase(),
        recipient: valueOf(fields.get('final-recipient')).toLowerCase(),
        remote_mta: valueOf(fields.get('remote-mta')).slice(0, 253) || null,
        code: code || Number(`${status[0]}50`),
        // The diagnosis counts more, because many servers report the status 5.0.0 for everything.
        text: diagnostic || status,
      }
    })
}

/** Fields such as `Final-Recipient: rfc822; anna@example.com`, with lower-case names; unfolded. */
function readFields(block: string): Map<string, string> {
  const lines = block
    .replaceAll('\r\n', '\n')
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf(':')
      return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]]
    }),
  )
}

/** The value of a field without its type, such as `rfc822;`. */
function valueOf(field = ''): string {
  return field.replace(/^[a-z0-9-]+ ?; ?/i, '').trim()
}
