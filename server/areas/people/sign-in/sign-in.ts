/**
 * Sign-in with a password or a mailed code. Replies and timing do not reveal whether an address has
 * an account; differences happen in a job.
 */
import { timingSafeEqual } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { verifyPassword } from '../../../kernel/secrets/passwords.ts'
import { macOfCode } from './codes.ts'
import { sendSignInCode } from '../jobs.ts'
import { admitSignUp } from '../sign-up/admission.ts'
import { startSignIn, findOrCreatePerson, acceptFirstProof, type SignInResult } from './proofs.ts'
import { addSeconds, isSessionSecret, type Device, type SignedIn } from './sessions.ts'
import * as begun from './sign-in-store.ts'
import * as store from '../store.ts'

/** The state of a sign-in for its pages. */
export interface SignInFacts {
  email: string
  /** Whether a signed-in person confirms their identity. */
  confirms: boolean
  code_sent: boolean
  /** Whether the mail with the code is sent later. */
  code_delayed: boolean
  /** Whether only the second factor is left. */
  first_proven: boolean
  /** Whether the person asks for an account. */
  is_sign_up: boolean
  /** Whether the sign-up began with an open invitation link. */
  is_invited: boolean
}

/** A step of a sign-in, identified by the secret of its cookie. */
export interface SignInStep {
  realm: store.Realm
  secret: string | undefined
  device: Device
}

/** Starts a sign-in for any address. Returns the secret for its cookie. */
export async function beginSignIn(runtime: Runtime, address: store.PersonAddress): Promise<string> {
  const begun = await runtime.db.transact((tx) => startSignIn(tx, runtime, address))
  return begun.secret
}

/** Starts the confirmation of a signed-in person's identity. Returns the secret for its cookie. */
export async function beginConfirmation(
  runtime: Runtime,
  realm: store.Realm,
  { person, session_id }: SignedIn,
): Promise<string> {
  const begun = await runtime.db.transact((tx) =>
    startSignIn(tx, runtime, { realm, email: person.email, session_id }),
  )
  return begun.secret
}

export async function findSignIn(
  runtime: Runtime,
  realm: store.Realm,
  secret: string | undefined,
): Promise<SignInFacts | null> {
  const row = await find(runtime, { realm, secret })
  if (!row) return null
  return {
    email: row.email,
    confirms: row.session_id !== null,
    code_sent: row.code_due_at !== null || row.code_expires_at !== null,
    code_delayed: (row.code_due_at ?? 0) > runtime.clock.now(),
    first_proven: row.proven_at !== null,
    is_sign_up: row.is_sign_up,
    is_invited: row.invitation_id !== null,
  }
}

async function find(
  runtime: Runtime,
  { realm, secret }: Pick<SignInStep, 'realm' | 'secret'>,
): Promise<begun.SignInRow | undefined> {
  if (secret === undefined || !isSessionSecret(secret)) return undefined
  const key = { realm, hash: sha256(secret), now: runtime.clock.now() }
  return begun.findSignIn(runtime.db, key)
}

/** Returns null if the password is wrong or the sign-in has expired. */
export async function verifySignInPassword(
  runtime: Runtime,
  { password, ...step }: SignInStep & { password: string },
): Promise<SignInResult | null> {
  const sign_in = await find(runtime, step)
  if (!sign_in || password.length > limits.password_characters_max) return null
  const person = await store.findPerson(runtime.db, sign_in)
  const hash = person?.password_hash ?? null
  if (!(await verifyPassword(password, hash, { room: 'people', id: step.device.network })))
    return null
  const { hash: sign_in_hash, realm } = sign_in
  return runtime.db.transact(async (tx) => {
    const key = { realm, hash: sign_in_hash, now: runtime.clock.now() }
    const held = await begun.lockSignIn(tx, key)
    const now_person = await store.findPerson(tx, sign_in)
    // Refuses a password that was changed during the verification.
    if (!held || !now_person?.password_hash || now_person.password_hash !== hash) return null
    return acceptFirstProof(tx, runtime, { sign_in: held, person: now_person, device: step.device })
  })
}

/** Enqueues the mail with a code. The job decides whether the address gets one. */
export async function requestCode(
  runtime: Runtime,
  { delay_s = 0, ...step }: SignInStep & { delay_s?: number },
): Promise<boolean> {
  const sign_in = await find(runtime, step)
  if (!sign_in) return false
  const { language } = step.device
  await runtime.db.transact((tx) => enqueueCode(tx, runtime, { id: sign_in.id, language, delay_s }))
  return true
}

export async function enqueueCode(
  tx: Transaction,
  runtime: Runtime,
  { id, language, delay_s = 0 }: { id: string; language: Device['language']; delay_s?: number },
): Promise<void> {
  // The page asks for a code whether or not one is sent. The job stores the new one, which replaces the
  // one before and its attempts.
  const run_at = addSeconds(runtime.clock.now(), delay_s)
  await begun.setCodeDue(tx, id, run_at)
  const payload = { sign_in_id: id, language }
  await enqueue(tx, runtime, sendSignInCode, { project_id: null, payload, run_at })
}

/**
 * Returns null if the code is wrong or expired, or after too many attempts. Consumes a valid code.
 */
export async function verifyCode(
  runtime: Runtime,
  { realm, secret, device, code }: SignInStep & { code: string },
): Promise<SignInResult | null> {
  if (secret === undefined || !isSessionSecret(secret)) return null
  const now = runtime.clock.now()
  return runtime.db.transact(async (tx) => {
    const sign_in = await begun.lockSignIn(tx, { realm, hash: sha256(secret), now })
    const { code_mac, code_expires_at, code_tries = 0 } = sign_in ?? {}
    if (!sign_in || !code_mac || !code_expires_at || code_expires_at <= now) return null
    if (code_tries >= limits.sign_in_code_tries_max) return null
    await begun.countCodeTry(tx, sign_in.id)
    if (!timingSafeEqual(macOfCode(runtime, sign_in.id, code), code_mac)) return null
    if (sign_in.is_sign_up && !(await admitSignUp(tx, runtime, sign_in))) return null
    const person = await findOrCreatePerson(tx, runtime, { realm, email: sign_in.email })
    return acceptFirstProof(tx, runtime, { sign_in, person, device })
  })
}
