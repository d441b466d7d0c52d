/** The public facts of a person, and the normalisation of email addresses. */
import type { PersonRow } from './store.ts'

export interface Person {
  id: string
  /** Null until the person gives one. */
  name: string | null
  email: string
  has_password: boolean
  /** Whether an authenticator app is set up. */
  has_totp: boolean
  /** Whether the person operates the installation. */
  is_operator: boolean
}

type Presented = Pick<
  PersonRow,
  'id' | 'name' | 'email' | 'password_hash' | 'totp_since' | 'is_operator'
>

export function present(row: Presented): Person {
  const { id, name, email, password_hash, totp_since, is_operator } = row
  const factors = { has_password: password_hash !== null, has_totp: totp_since !== null }
  return { id, name, email, ...factors, is_operator }
}

const EMAIL_CHARACTERS_MAX = 254
const emailPattern = /^[^\s@"(),:;<>[\]\\\p{C}]{1,64}@[^\s@"(),:;<>[\]\\\p{C}]{1,253}$/u

/** Normalises an email address for storage and comparison; null if it is invalid. */
export function readEmail(text: string): string | null {
  const email = text.trim().normalize('NFC').toLowerCase()
  return email.length <= EMAIL_CHARACTERS_MAX && emailPattern.test(email) ? email : null
}
