/**
 * Looks records up in the collections that the owner allowed. Nothing else is read: the collection
 * must be in the settings, only its allowed fields are returned or compared, and records that need
 * identification are found by exact values only, one of each field.
 */
import { StatementTimeout } from '../../../kernel/database/database.ts'
import { NoSlot } from '../../../kernel/limits/slots.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import { languages } from '../../../providers/model/language/language.ts'
import { fold } from '../../../providers/model/language/words.ts'
import { isStopWord } from '../../../providers/model/understanding/stems.ts'
import type { FoundRow } from '../../../providers/model/builtin/knowledge.ts'
import * as store from './tool-store.ts'
import type { Lookup } from './tool-settings.ts'

const ROWS_MAX = 5
const VALUE_CHARACTERS_MAX = 300
const SEARCH_CHARACTERS_MAX = 300
const WORDS_MAX = 12
const WORD_CHARACTERS_MIN = 3
/** A value such as a postcode may be written as several words. */
const JOINED_MAX = 3
const TIMEOUT_MS = 2_000

export interface LookUpRequest {
  project_id: string
  lookup: Lookup
  search: string
}

/**
 * Whether a look-up gives values that may identify a record: one has a digit or is an email address.
 * Other texts are not compared with records that need identification, and do not count as a failure.
 */
export function givesValues({ lookup, search }: Pick<LookUpRequest, 'lookup' | 'search'>): boolean {
  return lookup.match.length > 0 && /[\p{N}@]/u.test(search)
}

/** Returns the allowed fields of the best matches; empty if there are none or the search timed out. */
export async function lookUp(runtime: Runtime, asked: LookUpRequest): Promise<FoundRow[]> {
  try {
    const rows = await findRecords(runtime, asked)
    return rows.map((data) => pickFields(data, asked.lookup.fields))
  } catch (error) {
    if (error instanceof StatementTimeout || error instanceof NoSlot) return []
    throw error
  }
}

async function findRecords({ db }: Runtime, { project_id, lookup, search }: LookUpRequest) {
  const words = fold(cutText(search, SEARCH_CHARACTERS_MAX)).split(' ').filter(Boolean)
  const { collection_id, fields, match } = lookup
  const asked = { project_id, collection_id, timeout_ms: TIMEOUT_MS }
  if (match.length === 0) {
    return store.searchRows(db, { ...asked, fields, words: wordsOf(words), count: ROWS_MAX })
  }
  if (!givesValues({ lookup, search })) return []
  const last = words.slice(-WORDS_MAX)
  const found = await store.identify(db, { ...asked, match, values: valuesIn(last) })
  return found !== null && areLastGiven(last, found.given) ? [found.data] : []
}

function wordsOf(words: readonly string[]): string[] {
  const long = words.filter((word) => word.length >= WORD_CHARACTERS_MIN)
  return [...new Set(long)].slice(0, WORDS_MAX)
}

/** The words, and adjacent words joined. */
function valuesIn(words: readonly string[]): string[] {
  const joined = placesIn(words).map(({ from, to }) => words.slice(from, to).join(''))
  return [...new Set(joined)].filter((value) => value.length >= WORD_CHARACTERS_MIN)
}

interface Place {
  from: number
  /** The position after the last word. */
  to: number
}

function placesIn(words: readonly string[]): Place[] {
  return words.flatMap((_, from) =>
    Array.from({ length: JOINED_MAX }, (_, more) => ({ from, to: from + more + 1 })),
  )
}

/**
 * Whether no other value of the kind follows one of the values, so that a text cannot list many.
 * There are two kinds: words with a digit and words without; stop words are no values.
 */
function areLastGiven(words: readonly string[], given: readonly string[]): boolean {
  const all = placesIn(words)
  const places = given.map((value) =>
    all.findLast(({ from, to }) => words.slice(from, to).join('') === value),
  )
  const is_used = (at: number) =>
    places.some((place) => place !== undefined && place.from <= at && at < place.to)
  return given.every((value, index) =>
    words.every((word, at) => {
      const is_other = at >= (places[index]?.to ?? 0) && !is_used(at)
      return !is_other || hasDigit(word) !== hasDigit(value) || isFiller(word)
    }),
  )
}

function hasDigit(text: string): boolean {
  return /\p{N}/u.test(text)
}

function isFiller(word: string): boolean {
  return languages.some((language) => isStopWord(word, language))
}

function pickFields(data: Readonly<Record<string, unknown>>, fields: readonly string[]): FoundRow {
  return fields.flatMap((field) => {
    const value = Object.hasOwn(data, field) ? data[field] : null
    if (value === undefined || value === null || value === '') return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [{ field, value: cutText(text, VALUE_CHARACTERS_MAX) }]
  })
}
