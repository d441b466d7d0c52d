/**
 * The envelope sender of a message: it names the recipient (VERP), so that a bounce is recognized by the
 * address to which it is sent. A MAC makes it unforgeable.
 */
import { sameText, type MacKey } from '../../../kernel/secrets/crypto.ts'

const MAC_BYTES = 4
const form = /\bb\+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8})@/g

export function returnPathOf(seal: MacKey, recipient_id: string, host: string): string {
  return `b+${recipient_id}.${macOf(seal, recipient_id)}@${host}`
}

/** Returns the id of the recipient that the first valid return path in a text names; null without one. */
export function readReturnPath(seal: MacKey, text: string): string | null {
  for (const [, id = '', mac = ''] of text.toLowerCase().matchAll(form))
    if (sameText(mac, macOf(seal, id))) return id
  return null
}

function macOf(seal: MacKey, recipient_id: string): string {
  return seal.mac(recipient_id, 'email-return-path').subarray(0, MAC_BYTES).toString('hex')
}
