/**
 * Decides whether texts and JSON values are about a person. Phone numbers are found in every usual
 * notation: +31 6 12345678, 0031612345678, 06-12345678.
 */
import { parsePhoneNumber } from '../../kernel/values/phone-numbers.ts'
import { PHONE_SEPARATOR, type Contact } from '../../kernel/database/contact-filter.ts'
import type { Match, Person } from './person.ts'

const separators = new RegExp(PHONE_SEPARATOR, 'gu')
/** At most so many separators are between two digits of a number. */
const SEPARATORS_MAX = 4
/** Longer texts are no number or address alone. */
const ALONE_CHARACTERS_MAX = 400
const EMAIL_CHARACTER = /[\p{L}\p{N}._%+-]/u
const ADDRESS_IN_BRACKETS = /^[^<>]*<([^<>]+)>$/

export interface Matcher extends Contact {
  matchValue(value: unknown): Match | null
}

export function createMatcher({ phone, email }: Person): Matcher {
  const notations = phone === null ? null : notationsOf(phone)
  const matchPhone = (text: string): Match | null => {
    const digits = text.replace(/^tel:/i, '').replaceAll(separators, '')
    if (notations?.sure.has(digits)) return 'own'
    return notations?.national === digits ? 'mention' : null
  }
  const isEmail = (text: string) => {
    const address = text
      .trim()
      .toLowerCase()
      .replace(/^mailto:/, '')
    return email !== null && (ADDRESS_IN_BRACKETS.exec(address)?.[1]?.trim() ?? address) === email
  }
  const mentions = (text: string) =>
    (email !== null && containsEmail(text.toLowerCase(), email)) ||
    notations?.anywhere.test(text) === true
  const matchText = (text: string): Match | null => {
    if (text.length <= ALONE_CHARACTERS_MAX) {
      const match = isEmail(text) ? 'own' : matchPhone(text.trim())
      if (match !== null) return match
    }
    return mentions(text) ? 'mention' : null
  }
  return {
    phone_digits: notations?.national ?? null,
    email,
    matchValue: (value) => strongest(value, matchText),
  }
}

interface Notations {
  national: string
  /** The number without separators, in each notation that names no other number. */
  sure: ReadonlySet<string>
  /** Finds the number in a longer text, in every notation. */
  anywhere: RegExp
}

/**
 * Bare national digits (`612345678`, a number whose zero a spreadsheet removed) may also be another
 * number, so they are only a mention. `+31 (0)6 12345678` has a zero that is not dialled.
 */
function notationsOf(phone: string): Notations {
  const digits = phone.slice(1)
  const national = String(parsePhoneNumber(phone)?.nationalNumber ?? digits)
  const country = digits.slice(0, digits.length - national.length)
  const abroad = [digits, `${country}0${national}`]
  const sure = abroad.flatMap((one) => [one, `+${one}`, `00${one}`])
  const between = `${PHONE_SEPARATOR}{0,${SEPARATORS_MAX}}`
  const texts = [...abroad, `00${digits}`, `00${country}0${national}`, `0${national}`, national]
  const written = texts.map((one) => [...one].join(between)).join('|')
  return {
    national,
    sure: new Set([...sure, `0${national}`]),
    anywhere: new RegExp(`(?<!\\d)(?:${written})(?!\\d)`, 'u'),
  }
}

function containsEmail(text: string, email: string): boolean {
  for (let at = text.indexOf(email); at >= 0; at = text.indexOf(email, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + email.length]]
    const next = text[at + email.length + 1] ?? ''
    const ends = after === '.' ? !EMAIL_CHARACTER.test(next) : !EMAIL_CHARACTER.test(after)
    if (ends && !EMAIL_CHARACTER.test(before)) return true
  }
  return false
}

/** The strongest match of the texts and numbers in a JSON value. */
function strongest(value: unknown, matchText: (text: string) => Match | null): Match | null {
  if (typeof value === 'string') return matchText(value)
  if (typeof value === 'number') return matchText(String(value))
  if (typeof value !== 'object' || value === null) return null
  let best: Match | null = null
  // A record with a person as the name of a field is often about several people.
  if (!Array.isArray(value) && Object.keys(value).some((name) => matchText(name) !== null))
    best = 'mention'
  for (const one of Object.values(value)) {
    const match = strongest(one, matchText)
    if (match === 'own') return match
    best ??= match
  }
  return best
}
