/**
 * Parsers of option values. An error message continues after the option's name: "--amount-eur must
 * be …".
 */
import { resolve } from 'node:path'
import { isUuid } from '../kernel/values/ids.ts'
import type { MicroEuro } from '../kernel/values/money.ts'
import type { CommandOption } from './command.ts'
import { CommandError } from './command-error.ts'
import { joinAlternatives } from './output.ts'

/** A kind of value: its placeholder in the help, and its parser. */
export interface OptionParser<T> {
  value: string
  read(text: string): T
}

export function required<T>(kind: OptionParser<T>, about: string): CommandOption<T> {
  const { value } = kind
  return { value, about, required: true, read: (text) => kind.read(text ?? '') }
}

export function optional<T>(kind: OptionParser<T>, about: string): CommandOption<T | undefined> {
  const read = (text: string | undefined) => (text === undefined ? undefined : kind.read(text))
  return { value: kind.value, about, required: false, read }
}

/** An option with a default value. */
export function withDefault<T>(
  kind: OptionParser<T>,
  value: NoInfer<T>,
  about: string,
): CommandOption<T> {
  const read = (text: string | undefined) => (text === undefined ? value : kind.read(text))
  return { value: kind.value, about, required: false, read }
}

export function flag(about: string): CommandOption<boolean> {
  return { value: '', about, required: false, read: (text) => text !== undefined }
}

export const id: OptionParser<string> = { value: 'ID', read: readId }

function readId(text: string): string {
  if (!isUuid(text)) {
    const example = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
    throw new CommandError(`must be an id such as ${example}, not ${quoted(text)}.`)
  }
  return text.toLowerCase()
}

export function oneOf<const T extends string>(values: readonly T[]): OptionParser<T> {
  return {
    value: values.join('|'),
    read(text) {
      const value = values.find((one) => one === text)
      if (value === undefined) {
        throw new CommandError(`must be ${joinAlternatives(values)}, not ${quoted(text)}.`)
      }
      return value
    },
  }
}

/** A boolean written as one of two words. */
export function choice(yes: string, no: string): OptionParser<boolean> {
  const words = oneOf([yes, no])
  return { value: words.value, read: (text) => words.read(text) === yes }
}

/** One line of text, trimmed. */
export function line(characters_max: number): OptionParser<string> {
  return {
    value: 'TEXT',
    read(text) {
      const trimmed = text.trim()
      const length = Array.from(trimmed).length
      if (length === 0) throw new CommandError('must not be empty.')
      if (length > characters_max) {
        throw new CommandError(`must have at most ${characters_max} characters, not ${length}.`)
      }
      if (/\p{Cc}/u.test(trimmed))
        throw new CommandError('must be one line without control characters.')
      return trimmed
    },
  }
}

/** A text of several lines, trimmed. */
export function lines(characters_max: number): OptionParser<string> {
  return {
    value: 'TEXT',
    read(text) {
      const trimmed = text.trim()
      if (trimmed === '') throw new CommandError('must not be empty.')
      if (trimmed.length > characters_max) {
        throw new CommandError(`must have at most ${characters_max} characters.`)
      }
      return trimmed
    },
  }
}

const momentPattern =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** A time with its offset from UTC; read as ISO 8601 in UTC. */
export const moment: OptionParser<string> = {
  value: 'TIME',
  read(text) {
    const time = momentPattern.test(text.trim()) ? new Date(text.trim()) : new Date(Number.NaN)
    if (Number.isNaN(time.getTime())) {
      const example = '2026-12-01T22:00+01:00'
      throw new CommandError(
        `must be a time with its offset such as ${example}, not ${quoted(text)}.`,
      )
    }
    return time.toISOString()
  },
}

const EMAIL_CHARACTERS_MAX = 254
const emailPattern =
  /^[^\s@"(),:;<>[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,63}$/u

export const email: OptionParser<string> = {
  value: 'EMAIL',
  read(text) {
    const trimmed = text.trim()
    if (trimmed.length > EMAIL_CHARACTERS_MAX || !emailPattern.test(trimmed)) {
      throw new CommandError(
        `must be an email address such as owner@example.com, not ${quoted(text)}.`,
      )
    }
    return trimmed
  },
}

const EURO_MAX = 1_000_000_000
const MICRO_DIGITS = 6

/** An amount in euro, parsed digit by digit, because a float would not be exact. */
export function euro({ zero }: { zero: boolean }): OptionParser<MicroEuro> {
  const least = zero ? '0 or more' : 'more than 0'
  return {
    value: 'EUR',
    read(text) {
      const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d+))?$/.exec(text) ?? []
      const fits = whole !== undefined && decimals.length <= MICRO_DIGITS
      const micro = fits ? BigInt(whole + decimals.padEnd(MICRO_DIGITS, '0')) : -1n
      if (micro < (zero ? 0n : 1n) || micro > BigInt(EURO_MAX) * 1_000_000n) {
        throw new CommandError(
          `must be an amount of euro such as 25 or 0.084: ${least}, at most ${EURO_MAX}, ` +
            `with no more than six decimals; not ${quoted(text)}.`,
        )
      }
      return micro
    },
  }
}

/** A comma-separated list without duplicates. */
export function listOf<T>(kind: OptionParser<T>): OptionParser<T[]> {
  return {
    value: `${kind.value},${kind.value}`,
    read(text) {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
      if (items.length === 0) throw new CommandError('must name at least one.')
      return [...new Set(items.map((item) => kind.read(item)))]
    },
  }
}

export const file: OptionParser<string> = {
  value: 'FILE',
  read(text) {
    if (text.trim() === '') throw new CommandError('must name a file.')
    return resolve(text)
  },
}

const QUOTED_CHARACTERS_MAX = 60

function quoted(text: string): string {
  const shown =
    text.length > QUOTED_CHARACTERS_MAX ? `${text.slice(0, QUOTED_CHARACTERS_MAX)}…` : text
  return JSON.stringify(shown)
}
