/**
 * An authenticator as a program: it makes passkeys and signs with them as a device would, and can be
 * told to lie about anything it says, which no browser would do. Its keys are of ES256.
 */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Visitor } from './portal.ts'

export interface Passkey {
  id: string
  user_handle: string
  counter: number
  cose: Uint8Array
  sign(bytes: Buffer): Buffer
}

/** What an answer says that is not so. */
export interface Lies {
  type?: string
  challenge?: string
  origin?: string
  rp_id?: string
  client_data?: Record<string, unknown>
  flags?: number
  counter?: number
  user_handle?: string | null
  credential_id?: string
  signature?: Buffer
  attestation?: { format: string; statement: Map<string, unknown> }
}

const UP = 0x01
const UV = 0x04
const HAS_CREDENTIAL = 0x40
/** Present, but not verified by fingerprint, face or PIN. */
export const onlyPresent = UP

/** What a page asks of a browser: the options of its form, and where it works. */
export interface Question {
  origin: string
  options: any
}

export function questionIn(text: string): Question {
  const [, origin = ''] = /data-origin="([^"]+)"/.exec(text) ?? []
  const [, options = ''] = /data-options="([^"]+)"/.exec(text) ?? []
  assert.ok(options, 'The page asks for no passkey.')
  return { origin, options: JSON.parse(options.replaceAll('&quot;', '"')) }
}

const encoded = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const hashed = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

function clientData(type: string, { origin, options }: Question, lies: Lies): Buffer {
  const said = { type, challenge: options.challenge, origin, crossOrigin: false }
  const { type: other = said.type, challenge = said.challenge, origin: place = origin } = lies
  const text = { ...said, type: other, challenge, origin: place, ...lies.client_data }
  return Buffer.from(JSON.stringify(text))
}

function authenticatorData(rp_id: string, { flags, counter }: Record<'flags' | 'counter', number>) {
  const head = Buffer.alloc(5)
  head.writeUInt8(flags, 0)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([hashed(rp_id), head])
}

/** Makes a passkey, and what a browser would say of it. */
export function makePasskey(
  question: Question,
  lies: Lies = {},
): { passkey: Passkey; response: string } {
  const { options } = question
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = isoCBOR.encode(
    new Map<number, any>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
  const id = Buffer.from(lies.credential_id ?? encoded(randomBytes(32)), 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  const flags = (lies.flags ?? UP | UV) | HAS_CREDENTIAL
  const { counter = 0, rp_id = options.rp.id } = lies
  const data = Buffer.concat([
    authenticatorData(rp_id, { flags, counter }),
    Buffer.alloc(16),
    length,
    id,
    cose,
  ])
  const { format, statement } = lies.attestation ?? { format: 'none', statement: new Map() }
  const attestation = new Map<string, any>([
    ['fmt', format],
    ['attStmt', statement],
    ['authData', new Uint8Array(data)],
  ])
  const response = {
    id: encoded(id),
    rawId: encoded(id),
    type: 'public-key',
    response: {
      clientDataJSON: encoded(clientData('webauthn.create', question, lies)),
      attestationObject: encoded(isoCBOR.encode(attestation)),
      transports: ['internal', 'a-new-one'],
    },
    clientExtensionResults: {},
  }
  const passkey: Passkey = {
    id: encoded(id),
    user_handle: options.user.id,
    counter,
    cose,
    sign: (bytes) => sign('sha256', bytes, privateKey),
  }
  return { passkey, response: JSON.stringify(response) }
}

/** Signs what a page asks for. A passkey that counts goes on counting. */
export function usePasskey(passkey: Passkey, question: Question, lies: Lies = {}): string {
  if (passkey.counter > 0) passkey.counter += 1
  const { counter = passkey.counter, flags = UP | UV, rp_id = question.options.rpId } = lies
  const { user_handle = passkey.user_handle, credential_id = passkey.id } = lies
  const client = clientData('webauthn.get', question, lies)
  const data = authenticatorData(rp_id, { flags, counter })
  const signature = lies.signature ?? passkey.sign(Buffer.concat([data, hashed(client)]))
  return JSON.stringify({
    id: credential_id,
    rawId: credential_id,
    type: 'public-key',
    response: {
      clientDataJSON: encoded(client),
      authenticatorData: encoded(data),
      signature: encoded(signature),
      ...(user_handle !== null && { userHandle: user_handle }),
    },
    clientExtensionResults: {},
  })
}

/** Adds a passkey to the account of somebody who has just signed in. */
export async function addPasskey(visitor: Visitor, name: string, lies: Lies = {}) {
  const page = await visitor.get('/portal/account/passkeys')
  const { passkey, response } = makePasskey(questionIn(page.text), lies)
  const saved = await visitor.post('/portal/account/passkeys', { name, response })
  assert.equal(saved.to, '/portal/account?done=passkey-added', saved.text)
  return passkey
}
