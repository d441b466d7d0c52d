/** The SQL condition that selects texts which may contain a phone number or an email address. */
import { sql, type RawBuilder } from 'kysely'

export interface Contact {
  /** The digits that every notation of the number contains; null without a number. */
  phone_digits: string | null
  /** In lower case; null without an address. */
  email: string | null
}

/** What people write between the digits of a phone number: spaces, dashes, dots, slashes, brackets. */
export const PHONE_SEPARATOR = String.raw`[\s\p{Pd}\p{Cf}._/()]`
/** Every separator, and more. */
const SEPARATORS_PATTERN = '[^0-9A-Za-z]*'

/** Selects more than it should: `06 1234` is also found in `3061234`. JSON is searched as text. */
export function mayContain(
  text: RawBuilder<unknown>,
  { phone_digits, email }: Contact,
): RawBuilder<boolean> {
  // A regular expression takes a third of the time of translate(), which removes the separators.
  const digits = phone_digits === null ? null : [...phone_digits].join(SEPARATORS_PATTERN)
  return sql<boolean>`(
    (${email}::text is not null and strpos(lower(${text}::text), ${email}::text) > 0)
    or (${digits}::text is not null and ${text}::text ~ ${digits}::text))`
}
