/**
 * Encrypts documents. Each has a key of its own, which is stored encrypted with the master key, so a
 * new master key re-encrypts short keys only. The id is authenticated: bytes of another document do
 * not decrypt.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Runtime } from '../../../kernel/runtime.ts'

export const KEY_PURPOSE = 'verification.document_key'
const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function encryptDocument(
  { seal }: Pick<Runtime, 'seal'>,
  id: string,
  bytes: Uint8Array,
): { sealed_key: Buffer; encrypted: Buffer } {
  const key = randomBytes(KEY_BYTES)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(id))
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return {
    sealed_key: seal.seal(key.toString('base64'), KEY_PURPOSE),
    encrypted: Buffer.concat([nonce, cipher.getAuthTag(), body]),
  }
}

/** Throws if the bytes were altered or belong to another document. */
export function decryptDocument(
  { seal }: Pick<Runtime, 'seal'>,
  { id, sealed_key }: { id: string; sealed_key: Uint8Array },
  encrypted: Buffer,
): Buffer {
  const key = Buffer.from(seal.open(sealed_key, KEY_PURPOSE), 'base64')
  const tag_at = NONCE_BYTES
  const body_at = tag_at + TAG_BYTES
  const opener = createDecipheriv(ALGORITHM, key, encrypted.subarray(0, tag_at))
  opener.setAAD(Buffer.from(id)).setAuthTag(encrypted.subarray(tag_at, body_at))
  return Buffer.concat([opener.update(encrypted.subarray(body_at)), opener.final()])
}
