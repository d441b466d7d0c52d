/**
 * Hashing and sealing. What only has to be recognised again (keys, tokens) is kept as SHA-256;
 * what has to be used again (webhook secrets) is sealed with AES-256-GCM under the master key.
 * The id of the sealing key stands in front, so that the master key can be replaced one day
 * while old values still open; the purpose is authenticated, so that a sealed value moved to
 * another column does not open there.
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
  /** Throws when the value was sealed under another key, for another purpose, or changed. */
  open(sealed: Uint8Array, purpose: string): string
  /** A MAC over a text, for tokens that the service itself hands out and reads back. */
  mac(text: string, purpose: string): Buffer
  /** Eight hex characters that name the master key without telling it. */
  readonly key_id: string
}

/** Sealing under a master secret of any length; every use gets a key of its own (HKDF). */
export function createSeal(master_secret: string): Seal {
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', master_secret, 'homeport', purpose, 32))
  // Purposes are words of ours, so there are few of them.
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
