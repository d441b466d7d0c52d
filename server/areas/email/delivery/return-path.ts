/**
 * The envelope sender of a message: it names the recipient (VERP), so that a bounce is recognized by the
 * address to which it is sent. A MAC makes it unforgeable.
 */
import type { MacKey } from '../../../kernel/secrets/crypto.ts'

const MAC_BYTES = 4

export function returnPathOf(seal: MacKey, recipient_id: string, host: string): string {
  const mac = seal.mac(recipient_id, 'email-return-path').subarray(0, MAC_BYTES).toString('hex')
  return `b+${recipient_id}.${mac}@${host}`
}
