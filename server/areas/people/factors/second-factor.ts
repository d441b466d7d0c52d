/**
 * Second factor: TOTP codes (RFC 6238) and recovery codes for a lost authenticator app. A code
 * works once, and never after a later code. It is required after every first proof except a
 * passkey.
 */
import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { SealedColumn } from '../../../kernel/database/sealed/sealed-columns.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { macOfCode } from '../sign-in/codes.ts'
import * as factors from './factor-store.ts'
import { completeSignIn, type SignInResult } from '../sign-in/proofs.ts'
import { isSessionSecret, type SessionOwner } from '../sign-in/sessions.ts'
import type { SignInStep } from '../sign-in/sign-in.ts'
import * as begun from '../sign-in/sign-in-store.ts'
import * as store from '../store.ts'

const SECRET_BYTES = 20
const PERIOD_S = 30
/** Accepted clock drift of a phone: one period in either direction. */
const WINDOW = 1
const RECOVERY_CODES = 10
const RECOVERY_CHARACTERS = 10
/** The characters of recovery codes, without characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/** An authenticator app during setup. Nothing is stored until its first code is verified. */
export interface TotpSetup {
  /** The secret, as text to type and as a URL for the QR code. */
  secret: string
  url: string
  /** The sealed secret, for the form that sends the first code. */
  sealed: string
}

const purposeOf = (person_id: string) => `people.totp ${person_id}`

export const sealedTotpSecrets: SealedColumn = {
  table: 'people',
  column: 'sealed_totp_secret',
  reads: ['id'],
  purpose: ({ id = '' }) => purposeOf(id),
}

function totpOf(secret: string, email = ''): TOTP {
  return new TOTP({
    issuer: 'Homeport',
    label: email,
    secret: Secret.fromBase32(secret),
    period: PERIOD_S,
  })
}

/** Creates the secret of an authenticator app, which `confirmTotp` stores. */
export function setUpTotp({ seal }: Runtime, { person }: Pick<SessionOwner, 'person'>): TotpSetup {
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const sealed = seal.seal(secret, `${purposeOf(person.id)} setup`).toString('base64url')
  return { secret, url: totpOf(secret, person.email).toString(), sealed }
}

/** Opens the sealed secret. Returns null if it was not sealed by this server for this person. */
function openSetup(seal: Runtime['seal'], person_id: string, sealed: string): string | null {
  try {
    return seal.open(Buffer.from(sealed, 'base64url'), `${purposeOf(person_id)} setup`)
  } catch {
    return null
  }
}

/**
 * Stores the authenticator app after its first code, and ends every other session. Returns the
 * recovery codes, which are shown only once; null if the code is wrong or an app is already set up.
 */
export async function confirmTotp(
  runtime: Runtime,
  { person, session_id }: SessionOwner,
  { sealed, code }: { sealed: string; code: string },
): Promise<string[] | null> {
  const secret = openSetup(runtime.seal, person.id, sealed)
  const totp_step = secret === null ? null : stepOf(runtime, secret, code)
  if (secret === null || totp_step === null) return null
  const sealed_totp_secret = runtime.seal.seal(secret, purposeOf(person.id))
  return runtime.db.transact(async (tx) => {
    const totp_since = runtime.clock.now()
    const totp = { person_id: person.id, sealed_totp_secret, totp_since, totp_step }
    if (!(await factors.setTotp(tx, totp))) return null
    await store.endOtherSessions(tx, { person_id: person.id, keep_id: session_id })
    return makeRecoveryCodes(tx, runtime, person.id)
  })
}

/** The time step of a code; null if it matches no current step. */
function stepOf({ clock }: Runtime, secret: string, code: string): bigint | null {
  const token = code.normalize('NFKC').replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const timestamp = clock.now_ms()
  const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW })
  return delta === null ? null : BigInt(Math.floor(timestamp / 1000 / PERIOD_S) + delta)
}

export function removeTotp(
  runtime: Runtime,
  { person }: Pick<SessionOwner, 'person'>,
): Promise<void> {
  return runtime.db.transact((tx) => factors.clearTotp(tx, person.id))
}

/** Replaces the recovery codes. This result is the only place that contains them. */
export function renewRecoveryCodes(
  runtime: Runtime,
  { person }: Pick<SessionOwner, 'person'>,
): Promise<string[]> {
  return runtime.db.transact((tx) => makeRecoveryCodes(tx, runtime, person.id))
}

async function makeRecoveryCodes(
  tx: Transaction,
  runtime: Runtime,
  person_id: string,
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  const macs = codes.map((code) => macOfCode(runtime, person_id, code))
  await factors.replaceRecoveryCodes(tx, { person_id, macs })
  return codes
}

function newRecoveryCode(): string {
  const characters = Array.from(
    { length: RECOVERY_CHARACTERS },
    () => alphabet[randomInt(alphabet.length)],
  )
  return characters.join('').replace(/(?<=^.{5})/, '-')
}

/**
 * Verifies the code. Returns null if it is wrong, if there were too many attempts, or if the first
 * proof is missing.
 */
export function verifySecondFactor(
  runtime: Runtime,
  { realm, secret, device, code }: SignInStep & { code: string },
): Promise<SignInResult | null> {
  const now = runtime.clock.now()
  return runtime.db.transact(async (tx) => {
    if (secret === undefined || !isSessionSecret(secret)) return null
    const sign_in = await begun.lockSignIn(tx, { realm, hash: sha256(secret), now })
    if (!sign_in?.proven_at || sign_in.second_tries >= limits.sign_in_code_tries_max) return null
    await begun.countSecondFactorTry(tx, sign_in.id)
    const person = await store.findPerson(tx, sign_in)
    if (!person || !(await takeCode(tx, runtime, { person, code }))) return null
    return completeSignIn(tx, runtime, { sign_in, person, device })
  })
}

async function takeCode(
  tx: Transaction,
  runtime: Runtime,
  { person, code }: { person: store.PersonRow; code: string },
): Promise<boolean> {
  const { id: person_id, sealed_totp_secret } = person
  if (sealed_totp_secret === null) return false
  const step = stepOf(runtime, runtime.seal.open(sealed_totp_secret, purposeOf(person_id)), code)
  if (step !== null) return factors.consumeTotpStep(tx, { person_id, step })
  const mac = macOfCode(runtime, person_id, code)
  return factors.consumeRecoveryCode(tx, { person_id, mac, now: runtime.clock.now() })
}
