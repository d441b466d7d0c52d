/** The numbering plans of the world. Their metadata are loaded at the first number. */
import type * as phoneNumbers from 'libphonenumber-js/max'
import type { PhoneNumber } from 'libphonenumber-js/max'
import { onFirstUse } from '../process/first-use.ts'

const library = onFirstUse<typeof phoneNumbers>('libphonenumber-js/max')

/** Parses a number in international notation; undefined if it is not one. */
export function parsePhoneNumber(text: string): PhoneNumber | undefined {
  return library().parsePhoneNumberFromString(text)
}

let codes: ReadonlySet<string> | null = null

/** The calling codes of all countries, without plus sign. */
export function callingCodes(): ReadonlySet<string> {
  const { getCountries, getCountryCallingCode } = library()
  return (codes ??= new Set(getCountries().map((country) => getCountryCallingCode(country))))
}
