/**
 * Hashing and encryption. Keys and tokens, which are only compared, are stored as SHA-256; webhook
 * secrets, which are used again, are encrypted with AES-256-GCM under the master key. The
 * ciphertext begins with the id of its key, so that values of the previous master key are
 * recognized during a rotation. The purpose is authenticated, so a value copied to another column
 * does not decrypt.
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
const SEALED_BYTES_MIN = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES

export function sha256(text: string | Uint8Array): Buffer {
  return hash('sha256', text, 'buffer')
}

/** Compares two texts in constant time. */
export function sameText(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}

export interface MacKey {
  /** A MAC of a text, for tokens that the server issues and verifies. */
  mac(text: string, purpose: string): Buffer
}

export interface Seal extends MacKey {
  seal(plain: string, purpose: string): Buffer
  /**
   * Also opens values of the previous key. Throws if the value was encrypted under another key, for
   * another purpose, or altered.
   */
  open(sealed: Uint8Array, purpose: string): string
  /** Identifies the master key in eight hexadecimal characters without disclosing it. */
  readonly key_id: string
  /** The previous master key during a rotation; null without one. */
  readonly previous: Seal | null
}

/** Whether a check of a MAC holds under the current or, during a rotation, the previous key. */
export function holdsUnderAnyKey(
  seal: Pick<Seal, 'mac' | 'previous'>,
  check: (key: MacKey) => boolean,
): boolean {
  return check(seal) || (seal.previous !== null && check(seal.previous))
}

export interface SealOptions {
  /** The previous master secret; empty for none. */
  previous?: string
  /** The keys of MACs that outlive a rotation, by purpose (lasting-mac-keys.ts). */
  lasting?: ReadonlyMap<string, Buffer>
}

/** Derives the key of a use from a master secret of any length (HKDF). */
function deriveKey(master_secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master_secret, 'homeport', use, 32))
}

export function deriveMacKey(master_secret: string, purpose: string): Buffer {
  return deriveKey(master_secret, `mac:${purpose}`)
}

/** The id of the key that encrypted a value, in hexadecimal characters; null if it is not sealed. */
export function keyIdOf(sealed: Uint8Array): string | null {
  if (sealed[0] !== FORMAT || sealed.length < SEALED_BYTES_MIN) return null
  return Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)).toString('hex')
}

/** Encrypts under a master secret of any length. Each use has its own key. */
export function createSeal(
  master_secret: string,
  { previous: previous_secret = '', lasting = new Map() }: SealOptions = {},
): Seal {
  const keyFor = (use: string) => deriveKey(master_secret, use)
  const has_previous = previous_secret !== '' && previous_secret !== master_secret
  const previous = has_previous ? createSeal(previous_secret, { lasting }) : null
  // Purposes are constants, so the map stays small.
  const macKeys = new Map<string, Buffer>(lasting)
  const macKeyFor = (purpose: string): Buffer => {
    const key = macKeys.get(purpose) ?? deriveMacKey(master_secret, purpose)
    macKeys.set(purpose, key)
    return key
  }
  const keyId = keyFor('key-id').subarray(0, KEY_ID_BYTES)
  const key_id = keyId.toString('hex')
  const sealKey = keyFor('seal')
  return {
    key_id,
    previous,
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(FORMAT), keyId, nonce, cipher.getAuthTag(), body])
    },
    open(sealed, purpose) {
      const id = keyIdOf(sealed)
      if (id === null) throw new Error('Not a sealed value.')
      if (id === previous?.key_id) return previous.open(sealed, purpose)
      if (id !== key_id) throw new Error('Sealed under another master key.')
      const bytes = Buffer.from(sealed)
      const nonceAt = 1 + KEY_ID_BYTES
      const tagAt = nonceAt + NONCE_BYTES
      const bodyAt = tagAt + TAG_BYTES
      const opener = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(nonceAt, tagAt))
      opener.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(tagAt, bodyAt))
      return Buffer.concat([opener.update(bytes.subarray(bodyAt)), opener.final()]).toString('utf8')
    },
    mac(text, purpose) {
      return createHmac('sha256', macKeyFor(purpose)).update(text).digest()
    },
  }
}
