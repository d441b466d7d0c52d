/**
 * Signatures of webhook requests, as pure functions: the documented signature, its verification by
 * a receiver, and the signature of Standard Webhooks 1.0 with the same secret, so its libraries
 * verify our events. Each secret gives one signature, because during a rotation the receiver may
 * know only one of them.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import { sameText } from '../../../kernel/secrets/crypto.ts'

/**
 * Purpose of the encryption. A secret that was encrypted for it cannot be decrypted for another
 * purpose.
 */
export const SECRET_PURPOSE = 'webhook-secret'

const SECRET_START = 'whsec_'
const SECRET_BYTES = 32
const PREFIX_CHARACTERS = SECRET_START.length + 6

/** Creates a secret. Its random part is base64, which the Standard Webhooks libraries decode. */
export function createWebhookSecret(): string {
  return SECRET_START + randomBytes(SECRET_BYTES).toString('base64')
}

/** Returns the first characters of a secret, which users see to distinguish secrets. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, PREFIX_CHARACTERS)
}

/**
 * Creates the header Service-Signature: `t=<unix seconds>,v1=<hex>`, with one v1 for each secret.
 */
export function signPayload(secrets: readonly string[], t: number, raw_body: string): string {
  return [`t=${t}`, ...secrets.map((secret) => `v1=${hexMac(secret, `${t}`, raw_body)}`)].join(',')
}

export interface SignatureCheck {
  /** The value of Service-Signature. */
  header: string
  /** The body exactly as received. */
  raw_body: string | Uint8Array
  secrets: readonly string[]
  /** The receiver's clock, in Unix seconds. */
  now_s: number
  tolerance_s?: number
}

/** Whether a request was signed with one of the secrets within the tolerance. */
export function verifySignature(verification: SignatureCheck): boolean {
  const { header, raw_body, secrets, now_s } = verification
  const tolerance_s = verification.tolerance_s ?? limits.webhook_signature_tolerance_s
  const parts = header.split(',').map(splitAtFirstEquals)
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value)
  const [t] = times
  // A header with two times is refused: the checked time might not be the signed one.
  if (t === undefined || times.length > 1 || !/^\d{1,12}$/.test(t)) return false
  if (Math.abs(now_s - Number(t)) > tolerance_s) return false
  const expected = secrets.map((secret) => hexMac(secret, t, raw_body))
  const given = parts.filter(([name]) => name === 'v1').map(([, value]) => value)
  return given.some((value) => expected.some((mac) => sameText(mac, value)))
}

function splitAtFirstEquals(part: string): [name: string, value: string] {
  const at = part.indexOf('=')
  return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
}

/** The key is the whole secret as UTF-8, including its prefix. */
function hexMac(secret: string, t: string, raw_body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${t}.`).update(raw_body).digest('hex')
}

export interface StandardMessage {
  /** Id of the event. */
  id: string
  t: number
  raw_body: string
}

/** The headers of Standard Webhooks 1.0, whose key is the decoded secret. */
export function createStandardHeaders(
  secrets: readonly string[],
  { id, t, raw_body }: StandardMessage,
): Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string> {
  const macs = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_START.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${t}.${raw_body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(t), 'webhook-signature': macs.join(' ') }
}
