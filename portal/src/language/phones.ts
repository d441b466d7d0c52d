/** Reads phone numbers as people type them, in the notation of their country. */
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

interface ReadPhone {
  e164: string
  /** With its country and spaces, such as `+31 6 12345678`. */
  shown: string
}

/** The fictional numbers of test mode, which the list of assigned numbers does not have. */
const testRange = /^\+44(7700)(900\d{3})$/

/**
 * Reads a number with `+` and its country, or as it is dialled within `country` (ISO 3166-1; null: none
 * is known). Returns null for a text that is no phone number.
 */
export function readPhone(text: string, country: string | null): ReadPhone | null {
  const typed = text.trim().replace(/^00/, '+')
  const compact = typed.replaceAll(/[\s().\-/]/g, '')
  const test = testRange.exec(compact)
  if (test) return { e164: compact, shown: `+44 ${test[1]} ${test[2]}` }
  const own = country !== null && isSupportedCountry(country) ? country : undefined
  const number = parsePhoneNumberFromString(typed, own)
  // Assigned ranges change faster than any list of them, so a whole number need only be possible.
  const isNumber = typed.startsWith('+') ? number?.isPossible() : number?.isValid()
  if (!number || isNumber !== true) return null
  return { e164: number.number, shown: number.formatInternational() }
}

/** The number in E.164, or the text itself if it is none, so that the server can say why. */
export function phoneIn(text: string, country: string | null): string {
  return readPhone(text, country)?.e164 ?? text.trim()
}
