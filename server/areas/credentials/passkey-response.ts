/**
 * Verifies WebAuthn responses: shape, origin, challenge and signature. Every failure returns null
 * without a reason, so that an attacker learns nothing. User verification (fingerprint, face or
 * PIN) is required, because a passkey counts as both factors.
 */
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import { loadInTurns, requiredFrom } from '../../kernel/process/load-in-turns.ts'

/** The WebAuthn relying party; browsers scope passkeys to it. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * Returns the relying party of an address; null for an address without https or with an IP address,
 * where browsers do not offer passkeys.
 */
export function toRelyingParty(public_url: string): RelyingParty | null {
  const url = URL.parse(public_url)
  if (!url || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return null
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
  if (url.protocol !== 'https:' && !isLocal) return null
  return { id: url.hostname, origin: url.origin }
}

/** COSE ids of ES256, EdDSA and RS256, which cover every current authenticator. */
export const passkeyAlgorithms = [-7, -8, -257]

const Encoded = (maxLength: number) => Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength })
/** WebAuthn limits an id to 1,023 bytes, which are 1,364 characters of base64url. */
const CredentialId = Encoded(1_364)
const transportNames = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

const AssertionShape = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Encoded(4_000),
    authenticatorData: Encoded(4_000),
    signature: Encoded(2_000),
    userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
  }),
})

const AttestationShape = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Encoded(4_000),
    attestationObject: Encoded(10_000),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
  }),
})

const ClientDataShape = Type.Object({
  challenge: Type.String(),
  crossOrigin: Type.Optional(Type.Literal(false)),
  topOrigin: Type.Optional(Type.Never()),
})

export type Assertion = Static<typeof AssertionShape> & { challenge: string }
export type Attestation = Static<typeof AttestationShape> & { challenge: string }

export function readAssertion(text: string): Assertion | null {
  const value = parsed(text)
  if (!schemaChecks().Check(AssertionShape, value)) return null
  const challenge = challengeOf(value.response.clientDataJSON)
  return challenge === null ? null : { ...value, challenge }
}

export function readAttestation(text: string): Attestation | null {
  const value = parsed(text)
  if (!schemaChecks().Check(AttestationShape, value)) return null
  const challenge = challengeOf(value.response.clientDataJSON)
  return challenge === null ? null : { ...value, challenge }
}

/**
 * Returns the challenge in the client data; null for malformed data, and for a response created in
 * a cross-origin frame.
 */
function challengeOf(encoded: string): string | null {
  const value = parsed(Buffer.from(encoded, 'base64url').toString('utf8'))
  return schemaChecks().Check(ClientDataShape, value) ? value.challenge : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export interface NewCredential {
  credential_id: Buffer
  public_key: Buffer
  counter: bigint
  transports: string[]
  synced: boolean
}

/** Verifies the registration of a passkey. The caller has verified that the challenge is ours. */
export async function verifyAttestation(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { challenge: expectedChallenge, ...given }: Attestation,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const known = transportNames.filter((name) => given.response.transports?.includes(name))
  const response: RegistrationResponseJSON = {
    ...given,
    response: {
      clientDataJSON: given.response.clientDataJSON,
      attestationObject: given.response.attestationObject,
      transports: known,
    },
    clientExtensionResults: {},
  }
  try {
    if (!(await isWithoutCertificate(given.response.attestationObject))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    })
    if (!verified || registrationInfo.credential.id !== given.id) return null
    const { credential, credentialDeviceType } = registrationInfo
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: BigInt(credential.counter),
      transports: known,
      synced: credentialDeviceType === 'multiDevice',
    }
  } catch {
    return null
  }
}

/**
 * Whether the attestation has no certificate chain. We request no attestation, so browsers send
 * none or a self-attestation. A certificate may name a revocation list at any URL, and the sender
 * would choose which URL this server requests.
 */
async function isWithoutCertificate(encoded: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(encoded, 'base64url')))
  const format = decoded.get('fmt')
  if (format === 'none') return true
  return format === 'packed' && decoded.get('attStmt').get('x5c') === undefined
}

/** The stored data that verifies an assertion. */
export interface KnownCredential {
  credential_id: Buffer
  public_key: Buffer
  counter: bigint
}

/**
 * Returns the new signature counter; null if the signature, origin or challenge is wrong or the
 * counter decreased.
 */
export async function verifyAssertion(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  known: KnownCredential,
  { challenge: expectedChallenge, ...given }: Assertion,
): Promise<{ counter: bigint; synced: boolean } | null> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { clientDataJSON, authenticatorData, signature } = given.response
  const response: AuthenticationResponseJSON = {
    ...given,
    response: { clientDataJSON, authenticatorData, signature },
    clientExtensionResults: {},
  }
  const credential: WebAuthnCredential = {
    id: known.credential_id.toString('base64url'),
    publicKey: new Uint8Array(known.public_key),
    counter: Number(known.counter),
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential,
      requireUserVerification: true,
    })
    if (!verified) return null
    const { newCounter, credentialDeviceType } = authenticationInfo
    return { counter: BigInt(newCounter), synced: credentialDeviceType === 'multiDevice' }
  } catch {
    return null
  }
}

async function loadLibrary() {
  const parts = ['@peculiar/asn1-x509', '@peculiar/asn1-rsa', 'reflect-metadata', '@peculiar/x509']
  await loadInTurns(requiredFrom(import.meta.resolve('@simplewebauthn/server'), parts))
  return import('@simplewebauthn/server')
}
