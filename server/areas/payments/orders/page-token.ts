/**
 * Tokens of pages for customers. A token names a record with a MAC, so nobody can guess the page of
 * another record, and no token is stored.
 */
import { holdsUnderAnyKey, sameText, type Seal } from '../../../kernel/secrets/crypto.ts'
import type { OrderKey } from './order-store.ts'

/** Their MACs outlive a rotation of the master key, see lasting-mac-keys.ts. */
type PagePurpose = 'checkout-page' | 'payment-link' | 'invoice-page' | 'subscription-page'

const ID_BYTES = 16
const MAC_BYTES = 16
const TOKEN_BYTES = 2 * ID_BYTES + MAC_BYTES

export function createToken(seal: Seal, purpose: PagePurpose, key: OrderKey): string {
  const ids = Buffer.from((key.project_id + key.id).replaceAll('-', ''), 'hex')
  return Buffer.concat([ids, macOf(seal, purpose, ids)]).toString('base64url')
}

/** Null if the token was not issued by this server for this purpose. */
export function readToken(seal: Seal, purpose: PagePurpose, token: string): OrderKey | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return null
  const ids = bytes.subarray(0, 2 * ID_BYTES)
  const mac = bytes.subarray(2 * ID_BYTES).toString('hex')
  const is_ours = holdsUnderAnyKey(seal, (key) =>
    sameText(macOf(key, purpose, ids).toString('hex'), mac),
  )
  if (!is_ours) return null
  return { project_id: toUuid(ids.subarray(0, ID_BYTES)), id: toUuid(ids.subarray(ID_BYTES)) }
}

function macOf(key: Pick<Seal, 'mac'>, purpose: PagePurpose, ids: Buffer): Buffer {
  return key.mac(ids.toString('hex'), purpose).subarray(0, MAC_BYTES)
}

function toUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
