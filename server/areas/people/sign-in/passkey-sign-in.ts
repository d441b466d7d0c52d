/**
 * Sign-in and confirmation of identity with a passkey. A passkey counts as both factors: the device
 * is something the person has, and it is unlocked with a fingerprint, face or PIN. It answers only
 * the origin that it was created for.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  requestPasskeyOptions,
  takePasskey,
  toRelyingParty,
  type ChallengePurpose,
  type PasskeyOptions,
} from '../../credentials/service.ts'
import * as passkeys from '../factors/passkey-store.ts'
import type { SignInResult } from './proofs.ts'
import {
  isSessionSecret,
  createSecret,
  openSession,
  type Device,
  type SessionOwner,
  type SignedIn,
} from './sessions.ts'
import * as store from '../store.ts'

const signInOf = (realm: store.Realm, secret: string) =>
  ({ realm, purpose: 'sign_in', bound_to: secret }) as const

const confirmOf = (realm: store.Realm, { session_id }: SessionOwner) =>
  ({ realm, purpose: 'confirm', bound_to: session_id }) as const

/**
 * Returns options that accept any passkey of this origin, the same for every visitor. The response
 * is accepted only with `secret`, which the caller stores in a cookie.
 */
export function createSignInOptions(
  runtime: Runtime,
  { realm, secret: held }: { realm: store.Realm; secret: string | undefined },
): (PasskeyOptions & { secret: string }) | null {
  const secret = held !== undefined && isSessionSecret(held) ? held : createSecret()
  const question = ask(runtime, signInOf(realm, secret), [])
  return question && { ...question, secret }
}

/** Returns options that accept only passkeys of the signed-in person; null if they have none. */
export async function createConfirmationOptions(
  runtime: Runtime,
  realm: store.Realm,
  signed_in: SessionOwner,
): Promise<PasskeyOptions | null> {
  const known = await passkeys.listPasskeys(runtime.db, signed_in.person.id)
  if (known.length === 0) return null
  return ask(runtime, confirmOf(realm, signed_in), known)
}

function ask(
  runtime: Runtime,
  purpose: ChallengePurpose,
  allowed: passkeys.PasskeyRow[],
): PasskeyOptions | null {
  const party = toRelyingParty(runtime.config.public_url)
  return party && requestPasskeyOptions(runtime, { party, purpose, allowed })
}

/**
 * Returns null if the passkey is unknown, or its response is invalid, expired, used or from another
 * browser.
 */
export function signInByPasskey(
  runtime: Runtime,
  given: { realm: store.Realm; secret: string | undefined; device: Device; response: string },
): Promise<SignInResult | null> {
  const { realm, secret = '', device, response } = given
  if (!isSessionSecret(secret)) return Promise.resolve(null)
  return runtime.db.transact(async (tx) => {
    const person_id = await take(tx, runtime, { purpose: signInOf(realm, secret), realm, response })
    const person = person_id === null ? undefined : await passkeys.lockPerson(tx, person_id)
    if (!person) return null
    const opened = await openSession(tx, runtime, { person, device })
    return { kind: 'signed_in', secret: opened, email: person.email }
  })
}

/** Returns false if the passkey is not the person's own or its response is invalid. */
export function confirmByPasskey(
  runtime: Runtime,
  signed_in: SignedIn,
  { realm, response }: { realm: store.Realm; response: string },
): Promise<boolean> {
  return runtime.db.transact(async (tx) => {
    const purpose = confirmOf(realm, signed_in)
    const owner_id = signed_in.person.id
    const person_id = await take(tx, runtime, { purpose, realm, response, owner_id })
    if (person_id === null) return false
    const now = runtime.clock.now()
    await store.setIdentityConfirmed(tx, { person_id, id: signed_in.session_id, now })
    return true
  })
}

interface Answer {
  purpose: ChallengePurpose
  realm: store.Realm
  response: string
  /** The person whose passkeys are accepted; undefined accepts any person's. */
  owner_id?: string
}

/**
 * Consumes the challenge and returns the id of the passkey's person; null if the response is
 * invalid.
 */
async function take(
  tx: Transaction,
  runtime: Runtime,
  { purpose, realm, response, owner_id }: Answer,
): Promise<string | null> {
  const party = toRelyingParty(runtime.config.public_url)
  const taken =
    party &&
    (await takePasskey(tx, runtime, {
      party,
      purpose,
      response,
      lock: (credential_id) => passkeys.lockPasskey(tx, { realm, credential_id }),
      ownerOf: ({ person_id }) => person_id,
      owner_id,
    }))
  if (!taken) return null
  const { id, person_id } = taken.known
  await passkeys.setPasskeyUsed(tx, { person_id, id, ...taken.used, used_at: runtime.clock.now() })
  return person_id
}
