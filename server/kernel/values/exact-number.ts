/**
 * Which decimal texts a double holds, so that a number comes back as it was written. Others, such as
 * order numbers of 19 digits, would be rounded silently.
 */

declare global {
  // The standard library of TypeScript lacks these functions.
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
  }
}

/** The message for a number that would be rounded. */
export const INEXACT_NUMBER = 'is a number that would be rounded; send it as a string'

/** Number of significant digits that determine a double; programs write 0.29 with them. */
const DIGITS_MAX = 17

/**
 * Returns whether the number is stored and printed as written. An integer must be within
 * ±(2^53 - 1), because other programs cannot tell larger ones apart.
 */
export function isExactNumber(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  const printed = String(value)
  const is_whole = wholePattern.test(text) || wholePattern.test(printed)
  if (is_whole && !Number.isSafeInteger(value)) return false
  const written = canonical(text)
  if (written === canonical(printed)) return true
  return !Number.isInteger(value) && written === canonical(value.toPrecision(DIGITS_MAX))
}

const wholePattern = /^[+-]?\d+$/

/** Returns one text for all decimal texts of a number: its significant digits and its magnitude. */
function canonical(text: string): string {
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length}`
}
