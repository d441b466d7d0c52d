/**
 * Strict JSON parsing (RFC 8259, and I-JSON where RFC 8259 leaves a choice): one value, no
 * duplicate keys, bounded depth and number of values, no number that a double would round, and no
 * text that PostgreSQL cannot store (NUL, lone surrogates).
 */
import { randomBytes } from 'node:crypto'
import { INEXACT_NUMBER, isExactNumber } from './exact-number.ts'
import { runAtOnce, inSlices } from '../limits/slices.ts'

export interface JsonFault {
  /** `syntax`: not JSON. `value`: JSON with a forbidden value. */
  kind: 'syntax' | 'value'
  /** JSON pointer to the fault; empty for a syntax error. */
  path: string
  message: string
}

export interface JsonOptions {
  values_max?: number
  /**
   * Maximum number of members in one object. JSON.parse blocks for 50 ms on an object of 100,000.
   */
  members_max?: number
  /**
   * Whether a value with this fault is accepted at a JSON pointer. A number that would be
   * rounded is then the result of JSON.rawJSON, which JSON.stringify writes as it was.
   */
  accepts?(root: unknown, path: string, message: string): boolean
}

export type JsonResult = { value: unknown } | { fault: JsonFault }

/**
 * Parses a whole text. `depth_max` limits nested objects and arrays; `values_max` limits all
 * values, because each needs time to parse and much more memory than its text.
 */
export function parseJson(text: string, depth_max: number, options: JsonOptions = {}): JsonResult {
  return runAtOnce(parse(text, { ...options, depth_max }))
}

/** Like parseJson, but yields to other requests between steps; for large texts. */
export function parseJsonInSlices(
  text: string,
  depth_max: number,
  options: JsonOptions = {},
): Promise<JsonResult> {
  return inSlices(parse(text, { ...options, depth_max }))
}

function* parse(
  text: string,
  { depth_max, accepts = () => false, ...bounds }: JsonOptions & { depth_max: number },
): Generator<void, JsonResult> {
  const excess = yield* excessOf(text, bounds)
  if (excess !== null) return { fault: { kind: 'value', path: '', message: excess } }
  yield
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: { kind: 'syntax', path: '', message: syntaxMessage(error, text) } }
  }
  yield
  const { keys, marked } = yield* scan(text)
  if (marked !== null) {
    value = JSON.parse(marked)
    yield
  }
  const walk = new Walk({
    depth_max,
    accepts: (path, message) => accepts(value, path, message),
    // Only an escape puts NUL or half a character into a string of well-formed text.
    looks_at_strings: marked !== null || text.includes('\\u') || !text.isWellFormed(),
  })
  const fault = yield* walk.visit(value)
  if (fault) return { fault }
  if (walk.keys !== keys) {
    return { fault: { kind: 'syntax', path: '', message: 'An object has the same key twice.' } }
  }
  return { value }
}

/** Number of objects visited or strings scanned between two yields. */
const STEPS_AT_ONCE = 256
/** Number of characters of one string scanned between two yields. */
const CHARACTERS_AT_ONCE = 262_144
/** Number of values counted between two yields. */
const VALUES_AT_ONCE = 4_096

/**
 * Checks the number of values and of members per object before parsing, by counting the characters
 * that begin or separate values. Returns a message if there are too many.
 */
function* excessOf(
  text: string,
  { values_max = Infinity, members_max = Infinity }: JsonOptions,
): Generator<void, string | null> {
  // Each value has a comma or a bracket beside it.
  if (text.length <= 2 * Math.min(values_max, members_max)) return null
  const counts: Counts = { values: 0, members: [] }
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) {
      at = nearQuote(text, at) ?? (yield* farQuote(text, at))
      if (at < 0) return null
    } else if (count(counts, character)) {
      if (counts.values > values_max)
        return `must not have more than ${values_max} values in it; send less at once`
      if (counts.members.at(-1)! > members_max)
        return `must not have more than ${members_max} members in one object`
      if (counts.values % VALUES_AT_ONCE === 0) yield
    }
  }
  return null
}

interface Counts {
  values: number
  /** Members so far of each open object; -Infinity for each open array. */
  members: number[]
}

/** Returns whether the character begins or separates values. */
function count(counts: Counts, character: number): boolean {
  const { members } = counts
  if (character === COMMA) members.push((members.pop() ?? 0) + 1)
  else if (character === BRACE) members.push(1)
  else if (character === BRACKET) members.push(-Infinity)
  else {
    if (character === BRACKET_END || character === BRACE_END) members.pop()
    return false
  }
  counts.values += 1
  return true
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d]

interface Scan {
  /** Number of strings before a colon. */
  keys: number
  /**
   * The text with a marked string in place of each number that would be rounded; null without such
   * numbers.
   */
  marked: string | null
}

/**
 * Scans valid JSON. Strings are found without a regular expression, because on texts of several
 * megabytes it overflows the stack.
 */
function* scan(text: string): Generator<void, Scan> {
  const inexact: NumberPlace[] = []
  let [keys, strings, from] = [0, 0, 0]
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', from)) {
    if (open - from > 3) yield* findInexact(inexact, text.slice(from, open), from)
    const close = nearQuote(text, open) ?? (yield* farQuote(text, open))
    if (nextCharacter(text, close + 1) === ':') keys += 1
    from = close + 1
    strings += 1
    if (strings % STEPS_AT_ONCE === 0) yield
  }
  yield* findInexact(inexact, text.slice(from), from)
  return { keys, marked: inexact.length === 0 ? null : markNumbers(text, inexact) }
}

interface NumberPlace {
  at: number
  number: string
}

/** Matches in each text with a number that a double may round: of 16 digits, or with an exponent. */
const suspicious = /\d[\d.]{15}|\d[eE]/

/** Finds the numbers that would be rounded in a text between strings, which starts at `start`. */
function* findInexact(found: NumberPlace[], text: string, start: number): Generator<void> {
  if (!suspicious.test(text)) return
  let count = 0
  for (const { 0: number, index } of text.matchAll(/-?\d[\d.eE+-]*/g)) {
    if (!isExactNumber(number)) found.push({ at: start + index, number })
    count += 1
    if (count % STEPS_AT_ONCE === 0) yield
  }
}

// Random, so that no string of a client begins with it.
const mark = `inexact-${randomBytes(16).toString('hex')}-`

function markNumbers(text: string, places: readonly NumberPlace[]): string {
  let from = 0
  const pieces = places.map(({ at, number }) => {
    const before = text.slice(from, at)
    from = at + number.length
    return `${before}"${mark}${number}"`
  })
  return pieces.join('') + text.slice(from)
}

/**
 * The index of the closing quote, or -1; null if the string is long and has escapes. Linear also for texts
 * with many escapes.
 */
function nearQuote(text: string, open: number): number | null {
  const first = text.indexOf('"', open + 1)
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first
  const end = Math.min(text.length, open + CHARACTERS_AT_ONCE)
  for (let at = open + 1; at < end; at += 1) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at += 1
    else if (character === QUOTE) return at
  }
  return end === text.length ? -1 : null
}

/** Like nearQuote for a string of any length. Yields between pieces. */
function* farQuote(text: string, open: number): Generator<void, number> {
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) at += 1
    else if (character === QUOTE) return at
    if (at % CHARACTERS_AT_ONCE < 2) yield
  }
  return -1
}

function nextCharacter(text: string, from: number): string | undefined {
  let at = from
  while (whitespace.has(text[at] ?? '')) at += 1
  return text[at]
}

const whitespace = new Set([' ', '\t', '\n', '\r'])

/** An object or array with its position. Its path is built only for a fault. */
interface Place {
  value: object
  key: string | number
  above: Place | null
  depth: number
}

type Accepts = (path: string, message: string) => boolean

/** Counts keys and finds forbidden values, iteratively, because clients choose the depth. */
class Walk {
  keys = 0
  private readonly depth_max: number
  private readonly waiting: Place[] = []
  private readonly accepts: Accepts
  private readonly looks_at_strings: boolean

  constructor(options: { depth_max: number; accepts: Accepts; looks_at_strings: boolean }) {
    this.depth_max = options.depth_max
    this.accepts = options.accepts
    this.looks_at_strings = options.looks_at_strings
  }

  *visit(root: unknown): Generator<void, JsonFault | null> {
    let visited = 0
    if (typeof root !== 'object' || root === null) return valueFault(scalarFault(root), '')
    this.waiting.push({ value: root, key: '', above: null, depth: 0 })
    for (let next = this.waiting.pop(); next; next = this.waiting.pop()) {
      const fault = this.look(next)
      if (fault) return fault
      visited += 1
      if (visited % STEPS_AT_ONCE === 0) yield
    }
    return null
  }

  private look(place: Place): JsonFault | null {
    const { value, depth } = place
    if (depth >= this.depth_max) {
      const message = `must not be nested more than ${this.depth_max} levels deep`
      return valueFault(message, pathOf(place))
    }
    // Not Object.entries: the pairs would be most of the allocated memory.
    if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        this.keys += 1
        const wrong = this.keyFault(key) ?? this.lookWithin(place, key, value[key])
        const fault = wrong === null ? null : this.faultAt(wrong, pathWithin(place, key))
        if (fault) return fault
        if (wrong === INEXACT_NUMBER) value[key] = rawNumber(value[key])
      }
    } else if (Array.isArray(value)) {
      for (let key = 0; key < value.length; key += 1) {
        const wrong = this.lookWithin(place, key, value[key])
        const fault = wrong === null ? null : this.faultAt(wrong, pathWithin(place, key))
        if (fault) return fault
        if (wrong === INEXACT_NUMBER) value[key] = rawNumber(value[key])
      }
    }
    return null
  }

  private faultAt(message: string, path: string): JsonFault | null {
    return this.accepts(path, message) ? null : valueFault(message, path)
  }

  private keyFault(key: string): string | null {
    return this.looks_at_strings ? textFault(key) : null
  }

  /** Returns the fault of a scalar; queues an object or array for later. */
  private lookWithin(above: Place, key: string | number, inner: unknown): string | null {
    if (typeof inner !== 'object' || inner === null)
      return this.looks_at_strings ? scalarFault(inner) : null
    this.waiting.push({ value: inner, key, above, depth: above.depth + 1 })
    return null
  }
}

function isRecord(value: object): value is Record<string, unknown> {
  return !Array.isArray(value)
}

function pathOf({ key, above }: Place): string {
  return above ? pathWithin(above, key) : ''
}

function pathWithin(above: Place, key: string | number): string {
  return `${pathOf(above)}/${escapePointerPart(String(key))}`
}

function valueFault(message: string | null, path: string): JsonFault | null {
  return message === null ? null : { kind: 'value', path, message }
}

function scalarFault(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return value.startsWith(mark) ? INEXACT_NUMBER : textFault(value)
}

/** The number of a marked string, which JSON.stringify writes as it was. */
function rawNumber(marked: unknown): unknown {
  return JSON.rawJSON(String(marked).slice(mark.length))
}

function textFault(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain the NUL character'
  return text.isWellFormed() ? null : 'must be well-formed Unicode text'
}

/** Escapes one part of a JSON pointer (RFC 6901). */
export function escapePointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Describes a syntax error without quoting the client's text, unlike the message of the engine. */
function syntaxMessage(error: unknown, text: string): string {
  const said = error instanceof Error ? error.message : ''
  const position = /position (\d+)/.exec(said)?.[1]
  if (/end of JSON/.test(said)) return 'The JSON text ends too early.'
  if (position) {
    const found = String.fromCodePoint(text.codePointAt(Number(position)) ?? 32)
    const named = invisible.test(found) ? `: ${codePointOf(found)} cannot be there` : ''
    return `The JSON text has a fault at position ${position}${named}.`
  }
  const [, token] = /^Unexpected token '(.)'/u.exec(said) ?? []
  if (token === undefined) return 'The text is not JSON.'
  const shown = invisible.test(token) ? codePointOf(token) : token
  return `The JSON text has a ${shown} where none can be.`
}

/** Control and format characters, spaces, marks, and letters that are drawn as nothing. */
const invisible = /^[\p{C}\p{Z}\p{M}\u115f\u1160\u3164\uffa0]/u

function codePointOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
