/**
 * Verifies webhook requests from Homeport and returns their event. It needs only WebCrypto, so it
 * runs in Node.js, Deno, Bun, Cloudflare Workers and browsers.
 */

/** An event as it was sent. The reference describes `data` of each event type. */
export interface WebhookEvent<Data = unknown> {
  /** Id of the event, the same in every attempt. Store handled ids to handle each event once. */
  id: string
  type: string
  /** The time of the event, for example 2026-11-02T09:00:00.000Z. */
  created_at: string
  data: Data
}

export interface WebhookRequest {
  /** The body exactly as received, before any JSON parser: text or bytes. */
  payload: string | Uint8Array | ArrayBuffer
  /** The value of the header Service-Signature. */
  header: string | readonly string[] | null | undefined
  /** The secret of the endpoint, `whsec_…`. */
  secret?: string | undefined
  /** Several secrets, of which one has to match: of several endpoints, or during a rotation. */
  secrets?: readonly string[] | undefined
  /** Maximum age of the signature in seconds; default 300. */
  tolerance_s?: number | undefined
  /** The time to compare with; default: the current time. */
  now?: Date | undefined
}

export type WebhookVerificationReason =
  /**
   * There is no Service-Signature header: the request is not from Homeport, or a proxy removed the
   * header.
   */
  | 'header_missing'
  /** The header has no time, no signature, or more than one time. */
  | 'header_malformed'
  /** The signature is too old, which indicates a replay, or a clock is wrong. */
  | 'outside_tolerance'
  /** The secret differs, or the body was altered. */
  | 'signature_mismatch'
  /** The signature is valid, but the body is not an event. */
  | 'payload_malformed'

/** The request is not genuine. Reply with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookVerificationReason
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const TOLERANCE_S = 300
const encoder = new TextEncoder()

/**
 * Returns the event of a genuine request. Throws a WebhookVerificationError with a reason
 * otherwise, and a TypeError without a secret.
 */
export async function verifyWebhook<Data = unknown>(
  request: WebhookRequest,
): Promise<WebhookEvent<Data>> {
  const secrets = readSecrets(request)
  const { signed_at, signatures } = readHeader(request.header)
  requireRecent(Number(signed_at), request)
  const body = bytesOf(request.payload)
  const message = joined(encoder.encode(`${signed_at}.`), body)
  const expected = await Promise.all(secrets.map((secret) => macOf(secret, message)))
  const fits = signatures.some((given) => expected.some((mac) => isSame(given, mac)))
  if (!fits) {
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature matches: the secret is another one, or the payload is not the body as it was received.',
    )
  }
  return readEvent<Data>(body)
}

function readSecrets({ secret, secrets = [] }: WebhookRequest): string[] {
  const all = secret === undefined ? [...secrets] : [secret, ...secrets]
  // An empty secret is refused, because anyone could sign with it.
  if (all.length === 0 || all.some((one) => typeof one !== 'string' || one === '')) {
    throw new TypeError('verifyWebhook needs the secret of the endpoint: whsec_….')
  }
  return all
}

interface SignatureHeader {
  /** Unix seconds as they are written in the header, because they are part of the signed text. */
  signed_at: string
  signatures: string[]
}

function readHeader(header: WebhookRequest['header']): SignatureHeader {
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '')
  if (text === '') {
    throw new WebhookVerificationError('header_missing', 'There is no Service-Signature header.')
  }
  const parts = text.split(',').map((part) => {
    const at = part.indexOf('=')
    return at < 0
      ? { name: part, value: '' }
      : { name: part.slice(0, at), value: part.slice(at + 1) }
  })
  const valuesOf = (wanted: string) =>
    parts.filter(({ name }) => name === wanted).map(({ value }) => value)
  const [signed_at = '', ...further] = valuesOf('t')
  const signatures = valuesOf('v1')
  // With two times it would be ambiguous which one was signed.
  if (!/^\d{1,12}$/.test(signed_at) || further.length > 0 || signatures.length === 0) {
    throw new WebhookVerificationError(
      'header_malformed',
      'The Service-Signature header is not of the form t=…,v1=….',
    )
  }
  return { signed_at, signatures }
}

function requireRecent(signed_at_s: number, { tolerance_s, now }: WebhookRequest): void {
  const now_s = Math.floor((now?.getTime() ?? Date.now()) / 1000)
  // Written so that the comparison is false for NaN, which is refused.
  if (Math.abs(now_s - signed_at_s) <= (tolerance_s ?? TOLERANCE_S)) return
  throw new WebhookVerificationError(
    'outside_tolerance',
    `It was signed at ${signed_at_s} and it is ${now_s}: too far apart.`,
  )
}

function bytesOf(payload: WebhookRequest['payload']): Uint8Array {
  if (typeof payload === 'string') return encoder.encode(payload)
  if (payload instanceof Uint8Array) return payload
  if (payload instanceof ArrayBuffer) return new Uint8Array(payload)
  throw new TypeError(
    'payload must be the body as it was received, text or bytes, and not what a JSON parser made of it.',
  )
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

/** HMAC-SHA256 in hex. The key is the whole secret as UTF-8, including its prefix. */
async function macOf(secret: string, message: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Constant-time comparison, against timing attacks. */
function isSame(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let at = 0; at < expected.length; at += 1) {
    difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  }
  return difference === 0
}

function readEvent<Data>(body: Uint8Array): WebhookEvent<Data> {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (isEvent<Data>(event)) return event
  } catch {
    // The error is thrown below, as for JSON of another shape.
  }
  throw new WebhookVerificationError('payload_malformed', 'The payload is not an event in JSON.')
}

function isEvent<Data>(value: unknown): value is WebhookEvent<Data> {
  if (typeof value !== 'object' || value === null) return false
  if (!('id' in value && 'type' in value && 'created_at' in value && 'data' in value)) return false
  return [value.id, value.type, value.created_at].every((one) => typeof one === 'string')
}
