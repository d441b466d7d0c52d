/**
 * From proofs to a session. The first proof is a code, link or password. If an authenticator app is
 * set up, its code is required next; then a session is opened. A signed-in person confirms their
 * identity with the same steps.
 */
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { addSeconds, createSecret, openSession, type Device } from './sessions.ts'
import { deleteSignIn, insertSignIn, setProven, type SignInRow } from './sign-in-store.ts'
import { deleteSignUpInvitationTo, insertAcceptedTerms } from '../sign-up/sign-up-store.ts'
import * as store from '../store.ts'

/** The next step for the browser; `secret` is the new value of its cookie. */
export type SignInResult =
  | { kind: 'signed_in'; secret: string; email: string }
  | { kind: 'second_factor'; secret: string | null }
  | { kind: 'confirmed' }

/**
 * Finds or creates the person of a proven address, and withdraws its invitation to sign up. Every
 * transaction locks the invitation before the person, which prevents deadlocks.
 */
export async function findOrCreatePerson(
  tx: Transaction,
  runtime: Runtime,
  { realm, email }: store.PersonAddress,
): Promise<store.PersonRow> {
  await deleteSignUpInvitationTo(tx, email)
  const id = newId(runtime.clock)
  return store.upsertPerson(tx, { realm, email, id, created_at: runtime.clock.now() })
}

/**
 * Signs in the person of an address that a link has proven. Creates the person if there is none.
 */
export async function acceptLinkProof(
  tx: Transaction,
  runtime: Runtime,
  { address, device, terms_version = null }: LinkProof,
): Promise<SignInResult> {
  const person = await findOrCreatePerson(tx, runtime, address)
  const proven_at = runtime.clock.now()
  if (person.totp_since === null) {
    await acceptTerms(tx, person, { terms_version, created_at: proven_at })
    const secret = await openSession(tx, runtime, { person, device })
    return { kind: 'signed_in', secret, email: person.email }
  }
  const begun = await startSignIn(tx, runtime, { ...address, proven_at, terms_version })
  return { kind: 'second_factor', secret: begun.secret }
}

interface LinkProof {
  address: store.PersonAddress
  device: Device
  /** The version of the terms that was accepted with the link; null: none. */
  terms_version?: string | null
}

async function acceptTerms(
  tx: Transaction,
  { id: person_id }: store.PersonRow,
  { terms_version, created_at }: Pick<SignInRow, 'terms_version' | 'created_at'>,
): Promise<void> {
  if (terms_version === null) return
  await insertAcceptedTerms(tx, { person_id, version: terms_version, accepted_at: created_at })
}

type SignInStart = store.PersonAddress &
  Partial<
    Pick<SignInRow, 'proven_at' | 'session_id' | 'is_sign_up' | 'terms_version' | 'invitation_id'>
  >

/** Inserts an unfinished sign-in. Returns its id and the secret for its cookie. */
export async function startSignIn(
  tx: Transaction,
  runtime: Runtime,
  facts: SignInStart,
): Promise<{ id: string; secret: string }> {
  const secret = createSecret()
  const id = newId(runtime.clock)
  const created_at = runtime.clock.now()
  await insertSignIn(tx, {
    ...facts,
    id,
    hash: sha256(secret),
    created_at,
    expires_at: addSeconds(created_at, limits.sign_in_s),
  })
  return { id, secret }
}

interface Proof {
  sign_in: SignInRow
  person: store.PersonRow
  device: Device
}

/** After the first proof: requires the second factor, or completes the sign-in. */
export async function acceptFirstProof(
  tx: Transaction,
  runtime: Runtime,
  proof: Proof,
): Promise<SignInResult> {
  if (proof.person.totp_since === null) return completeSignIn(tx, runtime, proof)
  await setProven(tx, proof.sign_in.id, runtime.clock.now())
  return { kind: 'second_factor', secret: null }
}

/** Completes a sign-in: opens a session, or confirms the identity of an existing one. */
export async function completeSignIn(
  tx: Transaction,
  runtime: Runtime,
  proof: Proof,
): Promise<SignInResult> {
  const { sign_in, person, device } = proof
  await deleteSignIn(tx, sign_in.id)
  await acceptTerms(tx, person, sign_in)
  if (sign_in.session_id === null) {
    const secret = await openSession(tx, runtime, { person, device })
    return { kind: 'signed_in', secret, email: person.email }
  }
  const now = runtime.clock.now()
  await store.setIdentityConfirmed(tx, { person_id: person.id, id: sign_in.session_id, now })
  return { kind: 'confirmed' }
}
