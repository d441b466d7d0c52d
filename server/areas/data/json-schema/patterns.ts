/**
 * Regular expressions as JSON Schema writes them (ECMA-262 in Unicode mode), run by an engine whose
 * time grows with the text and nothing else. They are read here and written anew in the words of
 * that engine, so that both mean the same; what it cannot do (to look ahead or behind, to refer
 * back) is refused with the reason.
 */
import { RE2JS } from 're2js'
import { limits } from '../../../contract/limits.ts'
import type { Meter } from './keywords.ts'
import { unicodeProperty } from './unicode-properties.ts'

/** Why an expression is refused, as a sentence that follows the name of its place. */
class PatternFault extends Error {}

export interface Pattern {
  test(text: string): boolean
  /** Tells patterns apart: the compiler takes those of one text for one pattern. */
  toString(): string
}

const WHITE =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_WHITE =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const ANYTHING = '[\\x00-\\x{10ffff}]'
const NOTHING = '[^\\x00-\\x{10ffff}]'
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]'

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 }
const LENGTH_MAX = limits.json_schema_pattern_characters_max
/** The worst expression costs this much for each character of the text. */
const INSTRUCTIONS_A_STEP = 32

/** How many instructions an expression comes to, or why it is refused. */
export function patternSize(source: string): number | { fault: string } {
  if (source.length > LENGTH_MAX)
    return { fault: `must be a regular expression of at most ${LENGTH_MAX} characters` }
  try {
    return engineFor(source).size
  } catch (error) {
    if (error instanceof PatternFault) return { fault: error.message }
    throw error
  }
}

/** Ready to test texts; each test is paid for by the length of the text. */
export function compilePattern(source: string, meter: Meter): Pattern {
  const { engine, size } = engineFor(source)
  const steps_a_character = size / INSTRUCTIONS_A_STEP
  return {
    test(text) {
      meter.spend(1 + text.length * steps_a_character)
      return engine.test(text)
    },
    toString: () => `/${source}/u`,
  }
}

function engineFor(source: string): { engine: RE2JS; size: number } {
  const written = new Translation(source).whole()
  try {
    const engine = RE2JS.compile(written)
    return { engine, size: engine.programSize() }
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    if (/class range/.test(said)) throw new PatternFault('has an unknown Unicode property in \\p{}')
    if (/repeat|too large|nesting/.test(said))
      throw new PatternFault('repeats something more often than can be checked; 1000 is the most')
    throw new PatternFault('is not a regular expression: brackets or repetitions do not match')
  }
}

/** Reads an expression once from left to right. */
class Translation {
  private readonly characters: readonly string[]
  private at = 0

  constructor(source: string) {
    this.characters = [...source]
  }

  whole(): string {
    const written: string[] = []
    while (this.at < this.characters.length) written.push(this.piece())
    return written.join('')
  }

  private next(): string {
    const character = this.characters[this.at]
    if (character === undefined) throw new PatternFault('is not complete: it ends too early')
    this.at += 1
    return character
  }

  private takes(text: string): boolean {
    const found = this.characters.slice(this.at, this.at + text.length).join('') === text
    if (found) this.at += text.length
    return found
  }

  private piece(): string {
    const character = this.next()
    if (character === '\\') return this.escape()
    if (character === '[') return this.set()
    if (character === '(') return this.group()
    if (character === '.') return NOT_LINE_END
    if (character === '$') return '\\z'
    if (character === '^') return '\\A'
    if (character === '{') return this.repetition()
    return '|)*+?'.includes(character) ? character : literal(character.codePointAt(0) ?? 0)
  }

  private group(): string {
    if (!this.takes('?')) return '(?:'
    if (this.takes(':')) return '(?:'
    if (this.takes('=') || this.takes('!') || this.takes('<=') || this.takes('<!'))
      throw new PatternFault(
        'looks ahead or behind, which is not possible here; say it with allOf, not or two patterns',
      )
    if (!this.takes('<')) throw new PatternFault('has a group of an unknown kind: "(?"')
    while (this.next() !== '>') continue
    return '(?:'
  }

  private repetition(): string {
    const rest = this.characters.slice(this.at, this.at + 16).join('')
    const [counted] = /^\d+(?:,\d*)?\}/.exec(rest) ?? []
    if (counted === undefined) return '\\{'
    this.at += counted.length
    return `{${counted}`
  }

  private escape(): string {
    const character = this.next()
    if (character === 'b' || character === 'B') return `\\${character}`
    if (/[1-9k]/.test(character))
      throw new PatternFault('refers back to a group, which is not possible here')
    this.at -= 1
    const kind = this.kind()
    if (kind !== null) return `[${kind}]`
    return literal(this.escaped())
  }

  /** A kind of character such as `\d`, as the inside of a set; null for a single character. */
  private kind(): string | null {
    const character = this.next()
    if (/[dDwW]/.test(character)) return `\\${character}`
    if (character === 's') return WHITE
    if (character === 'S') return NOT_WHITE
    if (character === 'p' || character === 'P') return `\\${character}{${this.property()}}`
    this.at -= 1
    return null
  }

  private property(): string {
    if (!this.takes('{')) throw new PatternFault('has \\p without a property, such as \\p{Letter}')
    const characters: string[] = []
    for (let next = this.next(); next !== '}'; next = this.next()) characters.push(next)
    const property = unicodeProperty(characters.join(''))
    if (property !== null) return property
    throw new PatternFault(`has an unknown Unicode property: \\p{${characters.join('')}}`)
  }

  private escaped(): number {
    const character = this.next()
    const control = controls[character]
    if (control !== undefined) return control
    if (character === 'c') return this.controlLetter()
    if (character === 'x') return this.hexadecimal(2)
    if (character === 'u') return this.unicode()
    if (/[A-Za-z0-9]/.test(character))
      throw new PatternFault(`has an escape with no meaning: \\${character}`)
    return character.codePointAt(0) ?? 0
  }

  private controlLetter(): number {
    const letter = this.next()
    if (!/[A-Za-z]/.test(letter)) throw new PatternFault('has \\c without a letter')
    return (letter.codePointAt(0) ?? 0) % 32
  }

  private unicode(): number {
    if (this.takes('{')) {
      let digits = ''
      for (let next = this.next(); next !== '}'; next = this.next()) digits += next
      const code = /^[0-9a-f]{1,8}$/i.test(digits) ? parseInt(digits, 16) : Infinity
      if (code > 0x10ffff) throw new PatternFault(`has no such character: \\u{${digits}}`)
      return code
    }
    const first = this.hexadecimal(4)
    const paired = first >= 0xd800 && first <= 0xdbff && this.takes('\\u')
    if (!paired) return first
    return (first - 0xd800) * 0x400 + (this.hexadecimal(4) - 0xdc00) + 0x10000
  }

  private hexadecimal(length: number): number {
    const digits = this.characters.slice(this.at, this.at + length).join('')
    if (!/^[0-9a-f]+$/i.test(digits) || digits.length !== length)
      throw new PatternFault('has an escape that lacks its hexadecimal digits')
    this.at += length
    return parseInt(digits, 16)
  }

  private set(): string {
    const negated = this.takes('^')
    const members: string[] = []
    while (!this.takes(']')) members.push(this.member())
    if (members.length === 0) return negated ? ANYTHING : NOTHING
    return `[${negated ? '^' : ''}${members.join('')}]`
  }

  private member(): string {
    const first = this.setCharacter()
    const is_range = this.characters[this.at] === '-' && this.characters[this.at + 1] !== ']'
    if (!is_range || typeof first === 'string')
      return typeof first === 'string' ? first : literal(first)
    this.at += 1
    const last = this.setCharacter()
    if (typeof last === 'string') return `${literal(first)}\\-${last}`
    if (last < first)
      throw new PatternFault('has a range of characters whose end is before its start')
    return `${literal(first)}-${literal(last)}`
  }

  private setCharacter(): string | number {
    const character = this.next()
    if (character !== '\\') return character.codePointAt(0) ?? 0
    if (this.takes('b')) return 8
    return this.kind() ?? this.escaped()
  }
}

function literal(code: number): string {
  const character = String.fromCodePoint(code)
  return /[A-Za-z0-9]/.test(character) ? character : `\\x{${code.toString(16)}}`
}
