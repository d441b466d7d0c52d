/**
 * The key with which the simulated Telnyx signs its callbacks, derived from the master key of the
 * installation, so that every process of a development server has the same one.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { Config } from '../../../kernel/config/config-types.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'

/** The start of an Ed25519 private key in DER (RFC 8410); the 32 bytes of the key follow. */
const PKCS8_START = '302e020100300506032b657004220420'
const PUBLIC_KEY_BYTES = 32

export function simulatedPrivateKey({ secret: master }: Pick<Config, 'secret'>) {
  const secret = sha256(`simulated carrier ${master}`)
  const der = Buffer.concat([Buffer.from(PKCS8_START, 'hex'), secret])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

/** In base64, as Telnyx shows it. */
export function simulatedPublicKey(config: Pick<Config, 'secret'>): string {
  const der = createPublicKey(simulatedPrivateKey(config)).export({ format: 'der', type: 'spki' })
  return der.subarray(-PUBLIC_KEY_BYTES).toString('base64')
}
