/**
 * Translates regular expressions of JSON Schema (ECMA-262, Unicode mode) to RE2, which matches in
 * linear time. Refuses lookaround and backreferences, which RE2 does not have.
 */
import type * as re2js from 're2js'
import type { RE2JS } from 're2js'
import { onFirstUse } from '../../../kernel/process/first-use.ts'
import { limits } from '../../../contract/limits.ts'
import type { StepMeter } from '../keywords.ts'

const engines = onFirstUse<typeof re2js>('re2js')

/** Names in RE2 of the Unicode properties of ECMA-262: short general categories and scripts. */
const categories = new Map<string, string>()
const names =
  'L Letter,LC Cased_Letter,Ll Lowercase_Letter,Lm Modifier_Letter,Lo Other_Letter,' +
  'Lt Titlecase_Letter,Lu Uppercase_Letter,M Mark Combining_Mark,Mc Spacing_Mark,' +
  'Me Enclosing_Mark,Mn Nonspacing_Mark,N Number,Nd Decimal_Number digit,Nl Letter_Number,' +
  'No Other_Number,P Punctuation punct,Pc Connector_Punctuation,Pd Dash_Punctuation,' +
  'Pe Close_Punctuation,Pf Final_Punctuation,Pi Initial_Punctuation,Po Other_Punctuation,' +
  'Ps Open_Punctuation,S Symbol,Sc Currency_Symbol,Sk Modifier_Symbol,Sm Math_Symbol,' +
  'So Other_Symbol,Z Separator,Zl Line_Separator,Zp Paragraph_Separator,Zs Space_Separator,' +
  'C Other,Cc Control cntrl,Cf Format,Co Private_Use'
for (const line of names.split(',')) {
  const [short = '', ...others] = line.split(' ')
  for (const name of [short, ...others]) categories.set(name, short)
}

/** Returns null for properties that RE2 does not support, such as most binary ones. */
function unicodeProperty(name: string): string | null {
  const [, key, value = name] = /^([A-Za-z_]+)=(.*)$/s.exec(name) ?? []
  if (key === 'Script' || key === 'sc') return /^[A-Z][A-Za-z_]+$/.test(value) ? value : null
  const is_category = key === undefined || key === 'General_Category' || key === 'gc'
  return is_category ? (categories.get(value) ?? null) : null
}

/** The message is a predicate; the path of the pattern is its subject. */
class PatternError extends Error {}

export interface Pattern {
  test(text: string): boolean
  /** Ajv caches compiled patterns by this string. */
  toString(): string
}

const WHITE =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_WHITE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const ANYTHING = '[\\x00-\\x{10ffff}]'
const NOTHING = '[^\\x00-\\x{10ffff}]'

const LENGTH_MAX = limits.json_schema_pattern_characters_max
/** Number of RE2 instructions that cost one step per character of the text. */
const INSTRUCTIONS_A_STEP = 32

/** Returns the number of RE2 instructions, or why the expression is refused. */
export function patternSize(source: string): number | { fault: string } {
  if (source.length > LENGTH_MAX)
    return { fault: `must be a regular expression of at most ${LENGTH_MAX} characters` }
  try {
    return compileRe2(source).programSize()
  } catch (error) {
    if (error instanceof PatternError) return { fault: error.message }
    throw error
  }
}

/** Each match costs steps in proportion to the length of the text. */
export function compilePattern(source: string, meter: StepMeter): Pattern {
  const engine = compileRe2(source)
  const steps_a_character = engine.programSize() / INSTRUCTIONS_A_STEP
  return {
    test(text) {
      meter.spend(1 + text.length * steps_a_character)
      return engine.test(text)
    },
    toString: () => `/${source}/u`,
  }
}

function compileRe2(source: string): RE2JS {
  const translated = translate(source)
  try {
    return engines().RE2JS.compile(translated)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (/class range/.test(message))
      throw new PatternError('has an unknown Unicode property in \\p{}')
    if (/repeat|too large|nesting/.test(message))
      throw new PatternError('repeats something too often; the maximum is 1000')
    throw new PatternError('is not a regular expression: brackets or repetitions do not match')
  }
}

const escapePattern =
  String.raw`\\(?<class>[dDwWsS])|\\(?<sign>[pP])\{(?<property>[^}]*)\}|\\(?<named>[tnvfr0])` +
  String.raw`|\\c(?<control>[a-zA-Z])|\\u(?<high>[dD][89abAB][\da-fA-F]{2})\\u(?<low>[dD][c-fC-F][\da-fA-F]{2})` +
  String.raw`|\\(?:x(?<two>[\da-fA-F]{2})|u(?<four>[\da-fA-F]{4})|u\{(?<code>[\da-fA-F]{1,8})\})`
const outsidePattern = new RegExp(
  `${escapePattern}|\\\\(?<boundary>[bB])|(?<group>\\((?:\\?(?:<[=!]|<[^>]*>|.)?)?)` +
    '|(?<counted>\\{\\d+(?:,\\d*)?\\})|(?<set>\\[\\^?)|(?<other>\\\\?.)',
  'suy',
)
const insidePattern = new RegExp(
  `${escapePattern}|\\\\(?<backspace>b)|(?<end>\\])|(?<other>\\\\?.)`,
  'suy',
)
type Token = Partial<Record<string, string>>

function* tokensOf(source: string): Generator<Token> {
  let pattern = outsidePattern
  for (let at = 0; at < source.length; at = pattern.lastIndex) {
    pattern.lastIndex = at
    const token: Token = pattern.exec(source)?.groups ?? {}
    yield token
    const next = token['set'] ? insidePattern : token['end'] ? outsidePattern : pattern
    next.lastIndex = pattern.lastIndex
    pattern = next
  }
}

function translate(source: string): string {
  let translated = ''
  const tokens = tokensOf(source)
  for (const token of tokens) translated += translateOutside(token, tokens)
  return translated
}

function translateOutside(token: Token, tokens: Iterator<Token>): string {
  const { boundary, group, counted, set, other = '' } = token
  if (boundary) return `\\${boundary}`
  if (counted) return counted
  if (group) return translateGroup(group)
  if (set) return translateSet(set, tokens)
  if (other === '.') return '[^\\n\\r\\x{2028}\\x{2029}]'
  if (other === '^') return '\\A'
  if (other === '$') return '\\z'
  if (other !== '' && '|)*+?'.includes(other)) return other
  const found = escaped(token)
  return typeof found === 'number' ? literal(found) : `[${found}]`
}

function translateGroup(group: string): string {
  if (/^\(\?<?[=!]$/.test(group))
    throw new PatternError(
      'uses lookahead or lookbehind, which is not supported; use allOf, not, or two patterns',
    )
  if (group === '(' || group === '(?:' || group.startsWith('(?<')) return '(?:'
  throw new PatternError('has an unsupported kind of group: "(?"')
}

function translateSet(open: string, tokens: Iterator<Token>): string {
  const members: (number | string)[] = []
  const hyphens = new Set<number>()
  for (let next = tokens.next(); !next.value?.['end']; next = tokens.next()) {
    if (next.done) throw new PatternError('is incomplete: it ends too early')
    if (next.value['other'] === '-') hyphens.add(members.length)
    members.push(escaped(next.value))
  }
  if (members.length === 0) return open === '[' ? NOTHING : ANYTHING
  let translated = ''
  for (let at = 0; at < members.length; at += 1) {
    const [first = '', , last] = members.slice(at, at + 3)
    const range = hyphens.has(at + 1) ? translateRange(first, last) : null
    translated += range ?? (typeof first === 'number' ? literal(first) : first)
    if (range !== null) at += 2
  }
  return `${open}${translated}]`
}

/** Returns null if an end of the range is a class instead of a character. */
function translateRange(first: number | string, last: number | string | undefined): string | null {
  if (typeof first !== 'number' || typeof last !== 'number') return null
  if (last < first) throw new PatternError('has a character range whose end is before its start')
  return `${literal(first)}-${literal(last)}`
}

const controlCodes: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }

/** Returns the code point of a token, or the content of an RE2 set for a class such as `\d`. */
function escaped(token: Token): number | string {
  const { class: name, sign, property = '', named, control, high, low } = token
  if (name === 's') return WHITE
  if (name === 'S') return NOT_WHITE
  if (name) return `\\${name}`
  if (sign) return `\\${sign}{${knownProperty(property)}}`
  if (token['backspace']) return 8
  if (named) return controlCodes[named] ?? 0
  if (control) return control.charCodeAt(0) % 32
  if (high && low) return parseInt(high, 16) * 0x400 + parseInt(low, 16) - 0x35fdc00
  return hexadecimal(token) ?? escapedSign(token['other'] ?? '')
}

function hexadecimal({ code, four, two }: Token): number | null {
  const digits = code ?? four ?? two
  if (digits === undefined) return null
  const point = parseInt(digits, 16)
  if (point > 0x10ffff)
    throw new PatternError(`has a character code that does not exist: \\u{${code}}`)
  return point
}

function escapedSign(other: string): number {
  if (!other.startsWith('\\')) return other.codePointAt(0) ?? 0
  const sign = other.slice(1)
  if (sign === '') throw new PatternError('is incomplete: it ends too early')
  if (/[1-9k]/.test(sign)) throw new PatternError('has a backreference, which is not supported')
  if (sign === 'x' || sign === 'u')
    throw new PatternError('has an escape that lacks its hexadecimal digits')
  if (sign === 'c') throw new PatternError('has \\c without a letter')
  if (sign === 'p' || sign === 'P')
    throw new PatternError('has \\p without a property, such as \\p{Letter}')
  if (/[A-Za-z0-9]/.test(sign)) throw new PatternError(`has an unknown escape: \\${sign}`)
  return sign.codePointAt(0) ?? 0
}

function knownProperty(name: string): string {
  const property = unicodeProperty(name)
  if (property !== null) return property
  throw new PatternError(`has an unknown Unicode property: \\p{${name}}`)
}

function literal(code: number): string {
  const character = String.fromCodePoint(code)
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${code.toString(16)}}`
}
