/** The code that proves a new email address: a MAC of the request, written as digits. */
import type { MacKey } from '../../../kernel/secrets/crypto.ts'

const DIGITS = 8

export interface EmailRequest {
  id: string
  person_id: string
  email: string
}

export function emailCodeOf(key: MacKey, { id, person_id, email }: EmailRequest): string {
  const mac = key.mac(`${id} ${person_id} ${email}`, 'people.email_code')
  return String(mac.readBigUInt64BE() % 10n ** BigInt(DIGITS)).padStart(DIGITS, '0')
}
