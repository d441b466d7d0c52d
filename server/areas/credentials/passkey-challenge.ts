/**
 * Passkey challenges. They are stateless until used, so that requests cannot fill a table: each
 * contains its expiry and a MAC over the expiry, the purpose and the browser. A used challenge is
 * stored until its expiry, to reject a second use.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '../../contract/limits.ts'
import { holdsUnderAnyKey, sha256, type MacKey } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'

/**
 * The purpose, and the browser or session that the challenge belongs to: the secret of a cookie or
 * a session id.
 */
export interface ChallengePurpose {
  realm: string
  purpose: 'sign_in' | 'confirm' | 'add'
  bound_to: string
}

export interface PasskeyChallenge {
  hash: Buffer
  expires_at: Date
}

const TIME_BYTES = 6
const RANDOM_BYTES = 16
const MAC_BYTES = 32
const BODY_BYTES = TIME_BYTES + RANDOM_BYTES

export function newPasskeyChallenge(runtime: Runtime, purpose: ChallengePurpose): string {
  const body = randomBytes(BODY_BYTES)
  body.writeUIntBE(runtime.clock.now_ms() + limits.passkey_challenge_s * 1000, 0, TIME_BYTES)
  return Buffer.concat([body, macOf(runtime.seal, purpose, body)]).toString('base64url')
}

/**
 * Returns null if the challenge is forged, expired, or was created for another purpose or browser.
 */
export function verifyPasskeyChallenge(
  runtime: Runtime,
  purpose: ChallengePurpose,
  text: string,
): PasskeyChallenge | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== BODY_BYTES + MAC_BYTES || bytes.toString('base64url') !== text) return null
  const body = bytes.subarray(0, BODY_BYTES)
  const mac = bytes.subarray(BODY_BYTES)
  const is_ours = holdsUnderAnyKey(runtime.seal, (key) =>
    timingSafeEqual(mac, macOf(key, purpose, body)),
  )
  if (!is_ours) return null
  const expires_at = new Date(body.readUIntBE(0, TIME_BYTES))
  return expires_at > runtime.clock.now() ? { hash: sha256(bytes), expires_at } : null
}

function macOf(key: MacKey, given: ChallengePurpose, body: Buffer): Buffer {
  const { realm, purpose, bound_to } = given
  return key.mac([realm, purpose, bound_to, body.toString('hex')].join(' '), 'people.passkey')
}
