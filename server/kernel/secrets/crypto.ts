/**
 * Hashing and encryption. Keys and tokens, which are only compared, are stored as SHA-256; webhook
 * secrets, which are used again, are encrypted with AES-256-GCM under the master key. The
 * ciphertext begins with the id of its key, so that a replaced master key is detected. The purpose
 * is authenticated, so a value copied to another column does not decrypt.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const FORMAT = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function sha256(text: string | Uint8Array): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Compares two texts in constant time. */
export function sameText(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

export interface Seal {
  seal(plain: string, purpose: string): Buffer
  /** Throws if the value was encrypted under another key, for another purpose, or altered. */
  open(sealed: Uint8Array, purpose: string): string
  /** A MAC of a text, for tokens that the server issues and verifies. */
  mac(text: string, purpose: string): Buffer
  /** Identifies the master key in eight hexadecimal characters without disclosing it. */
  readonly key_id: string
}

/** Encrypts under a master secret of any length. Each use has its own key (HKDF). */
export function createSeal(master_secret: string): Seal {
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', master_secret, 'homeport', purpose, 32))
  // Purposes are constants, so the map stays small.
  const macKeys = new Map<string, Buffer>()
  const macKeyFor = (purpose: string): Buffer => {
    const key = macKeys.get(purpose) ?? keyFor(`mac:${purpose}`)
    macKeys.set(purpose, key)
    return key
  }
  const keyId = keyFor('key-id').subarray(0, KEY_ID_BYTES)
  const sealKey = keyFor('seal')
  return {
    key_id: keyId.toString('hex'),
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(FORMAT), keyId, nonce, cipher.getAuthTag(), body])
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed)
      const nonceAt = 1 + KEY_ID_BYTES
      const tagAt = nonceAt + NONCE_BYTES
      const bodyAt = tagAt + TAG_BYTES
      if (bytes[0] !== FORMAT || bytes.length < bodyAt) throw new Error('Not a sealed value.')
      if (!bytes.subarray(1, nonceAt).equals(keyId))
        throw new Error('Sealed under another master key.')
      const opener = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(nonceAt, tagAt))
      opener.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(tagAt, bodyAt))
      return Buffer.concat([opener.update(bytes.subarray(bodyAt)), opener.final()]).toString('utf8')
    },
    mac(text, purpose) {
      return createHmac('sha256', macKeyFor(purpose)).update(text).digest()
    },
  }
}
