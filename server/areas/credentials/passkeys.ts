/** The WebAuthn exchange: options for the browser, and what its response proves. */
import { limits } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  newPasskeyChallenge,
  verifyPasskeyChallenge,
  type ChallengePurpose,
  type PasskeyChallenge,
} from './passkey-challenge.ts'
import {
  passkeyAlgorithms,
  readAssertion,
  readAttestation,
  verifyAssertion,
  verifyAttestation,
  type KnownCredential,
  type NewCredential,
  type RelyingParty,
} from './passkey-response.ts'
import { consumeChallenge } from './store.ts'

/** WebAuthn options for the browser, and the only origin at which they work. */
export interface PasskeyOptions {
  origin: string
  options: object
}

interface CredentialName {
  credential_id: Buffer
  transports: string[]
}

/** A passkey as a WebAuthn credential descriptor. */
function describeCredential({ credential_id, transports }: CredentialName): object {
  return { type: 'public-key', id: credential_id.toString('base64url'), transports }
}

/** The owner's id as bytes, which is stored in the passkey and contains no personal data. */
function toUserHandle(owner_id: string): string {
  return Buffer.from(owner_id.replaceAll('-', ''), 'hex').toString('base64url')
}

export interface NewPasskeyQuestion {
  party: RelyingParty
  /** The name of the service for people. */
  service: string
  user: { id: string; email: string }
  purpose: ChallengePurpose
  /** The passkeys that the user has. */
  known: readonly CredentialName[]
}

/** Options for registering a passkey. */
export function createPasskeyOptions(
  runtime: Runtime,
  { party, service, user, purpose, known }: NewPasskeyQuestion,
): PasskeyOptions {
  const options = {
    rp: { id: party.id, name: service },
    user: { id: toUserHandle(user.id), name: user.email, displayName: user.email },
    challenge: newPasskeyChallenge(runtime, purpose),
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: limits.passkey_challenge_s * 1000,
    attestation: 'none',
    excludeCredentials: known.map(describeCredential),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
  return { origin: party.origin, options }
}

export interface PasskeyQuestion {
  party: RelyingParty
  purpose: ChallengePurpose
  /** The passkeys that are accepted; an empty list accepts any of the origin. */
  allowed: readonly CredentialName[]
}

/** Options for signing with a passkey. */
export function requestPasskeyOptions(
  runtime: Runtime,
  { party, purpose, allowed }: PasskeyQuestion,
): PasskeyOptions {
  const options = {
    challenge: newPasskeyChallenge(runtime, purpose),
    rpId: party.id,
    timeout: limits.passkey_challenge_s * 1000,
    allowCredentials: allowed.map(describeCredential),
    userVerification: 'required',
  }
  return { origin: party.origin, options }
}

/**
 * Returns the new credential of a browser's response, and its challenge, which the caller consumes. Null if
 * it is invalid.
 */
export async function readNewPasskey(
  runtime: Runtime,
  {
    party,
    purpose,
    response,
  }: { party: RelyingParty; purpose: ChallengePurpose; response: string },
): Promise<{ challenge: PasskeyChallenge; credential: NewCredential } | null> {
  const given = readAttestation(response)
  const challenge = given && verifyPasskeyChallenge(runtime, purpose, given.challenge)
  const credential = challenge && (await verifyAttestation(party, given))
  return credential ? { challenge, credential } : null
}

interface StoredPasskey extends KnownCredential {
  id: string
}

export interface PasskeyAnswer<Known extends StoredPasskey> {
  party: RelyingParty
  purpose: ChallengePurpose
  /** The browser's response as JSON. */
  response: string
  /** Finds and locks the passkey with this credential id. */
  lock(credential_id: Buffer): Promise<Known | undefined>
  ownerOf(known: Known): string
  /** The owner whose passkeys are accepted; undefined accepts any owner's. */
  owner_id?: string | undefined
}

/**
 * Consumes the challenge and returns the passkey that signed it; null if the response is invalid. The
 * caller stores `used`.
 */
export async function takePasskey<Known extends StoredPasskey>(
  tx: Transaction,
  runtime: Runtime,
  { party, purpose, response, lock, ownerOf, owner_id }: PasskeyAnswer<Known>,
): Promise<{ known: Known; used: { counter: bigint; synced: boolean } } | null> {
  const given = readAssertion(response)
  const challenge = given && verifyPasskeyChallenge(runtime, purpose, given.challenge)
  if (!challenge || !(await consumeChallenge(tx, challenge))) return null
  const known = await lock(Buffer.from(given.id, 'base64url'))
  if (!known || (owner_id ?? ownerOf(known)) !== ownerOf(known)) return null
  const { userHandle = null } = given.response
  // The user handle is optional if the options listed the allowed credentials.
  const isTheirs = userHandle === toUserHandle(ownerOf(known))
  if (!isTheirs && (userHandle !== null || owner_id === undefined)) return null
  const used = await verifyAssertion(party, known, given)
  if (used) return { known, used }
  runtime.log.warn({ passkey_id: known.id }, 'a passkey was refused: its answer did not verify')
  return null
}

export function isPasskeyName(name: string): boolean {
  const length = [...name.trim()].length
  return length > 0 && length <= limits.passkey_name_characters_max && !/\p{C}/u.test(name)
}
