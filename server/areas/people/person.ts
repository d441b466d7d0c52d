/** The public facts of a person, and the normalisation of email addresses. */
import type { PersonRow } from './store.ts'

export interface Person {
  id: string
  email: string
  has_password: boolean
  /** Whether an authenticator app is set up. */
  has_totp: boolean
}

export function present({ id, email, password_hash, totp_since }: PersonRow): Person {
  return { id, email, has_password: password_hash !== null, has_totp: totp_since !== null }
}

const EMAIL_CHARACTERS_MAX = 254
const emailPattern = /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}@[^\s@"(),:;<>[\]\\\p{C}]{1,253}$/u

/** Normalises an email address for storage and comparison; null if it is invalid. */
export function readEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_CHARACTERS_MAX && emailPattern.test(email) ? email : null
}
