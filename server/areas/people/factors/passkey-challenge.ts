/**
 * Challenges of passkeys: a passkey signs one, and so says that it is used now, for this. They are
 * not stored when they are given out, so nobody can fill a table by asking: each carries when it
 * ends and a MAC over that, what it is for and which browser it was given to. What was answered is
 * kept until it would have expired, so that none is taken twice.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'

/** What it is for, and whom it was given to: the secret of a cookie, or the id of a session. */
export interface ChallengePurpose {
  realm: string
  purpose: 'sign_in' | 'confirm' | 'add'
  bound_to: string
}

export interface Challenge {
  hash: Buffer
  expires_at: Date
}

const TIME_BYTES = 6
const RANDOM_BYTES = 16
const MAC_BYTES = 32
const BODY_BYTES = TIME_BYTES + RANDOM_BYTES

export function newChallenge(runtime: Runtime, purpose: ChallengePurpose): string {
  const body = randomBytes(BODY_BYTES)
  body.writeUIntBE(runtime.clock.now_ms() + limits.passkey_challenge_s * 1000, 0, TIME_BYTES)
  return Buffer.concat([body, macOf(runtime, purpose, body)]).toString('base64url')
}

/** Null: it is not one of ours, was for something or somebody else, or came too late. */
export function readChallenge(
  runtime: Runtime,
  purpose: ChallengePurpose,
  text: string,
): Challenge | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== BODY_BYTES + MAC_BYTES || bytes.toString('base64url') !== text) return null
  const body = bytes.subarray(0, BODY_BYTES)
  if (!timingSafeEqual(bytes.subarray(BODY_BYTES), macOf(runtime, purpose, body))) return null
  const expires_at = new Date(body.readUIntBE(0, TIME_BYTES))
  return expires_at > runtime.clock.now() ? { hash: sha256(bytes), expires_at } : null
}

function macOf({ seal }: Runtime, given: ChallengePurpose, body: Buffer): Buffer {
  const { realm, purpose, bound_to } = given
  return seal.mac([realm, purpose, bound_to, body.toString('hex')].join(' '), 'people.passkey')
}
