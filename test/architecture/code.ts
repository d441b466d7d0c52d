/**
 * Tokenizes TypeScript for the architecture rules: separates code, strings and comments, and lists
 * imports. Removed parts become blanks, so every line keeps its number.
 */
import { posix } from 'node:path'
import { findIn, lineAt } from './tree.ts'

/** A regex counts as a string, except in `regexesOf`. */
type Kind = 'code' | 'string' | 'regex' | 'comment'

const inTemplate = /\$\{|`|(?:\\[\s\S]|\$(?!\{)|[^\\`$])+/y
const inCode = new RegExp(
  [
    String.raw`(?<comment>//[^\n]*|/\*[\s\S]*?\*/)`,
    String.raw`(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")`,
    String.raw`(?<regex>/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+/[a-z]*)`,
    String.raw`[\w$]+|\s+|[\s\S]`,
  ].join('|'),
  'y',
)
const beforeRegex = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|of|in|throw|await))$/

const known = new Map<string, [Kind, string][]>()

function piecesOf(text: string): [Kind, string][] {
  const pieces = known.get(text) ?? cut(text)
  known.set(text, pieces)
  return pieces
}

/**
 * Splits a program into tokens. A template counts as a string, the content of its `${}` as code.
 */
function cut(text: string): [Kind, string][] {
  const pieces: [Kind, string][] = []
  // The open braces per nested template: a template resumes when its own brace closes.
  const braces = [0]
  let in_template = false
  let before = ''
  for (let at = 0; at < text.length;) {
    const { kind, piece } = nextPiece(text, { at, in_template, before })
    if (kind === 'code') in_template = turn(piece, in_template, braces)
    if (kind !== 'comment' && piece.trim() !== '') before = kind === 'code' ? piece : `''`
    pieces.push([kind, piece])
    at += piece.length
  }
  return pieces
}

/** Whether a template resumes after this piece of code. Updates the counts of open braces. */
function turn(piece: string, in_template: boolean, braces: number[]): boolean {
  const own = braces.length - 1
  if (piece === '`') return !in_template
  if (piece === '${') {
    braces.push(0)
    return false
  }
  if (piece === '{') braces[own]! += 1
  if (piece !== '}') return in_template
  if (own > 0 && braces[own] === 0) {
    braces.pop()
    return true
  }
  braces[own]! -= 1
  return in_template
}

interface Place {
  at: number
  in_template: boolean
  /**
   * The previous token, except comments and white space; it distinguishes a regex from a division.
   */
  before: string
}

function nextPiece(
  text: string,
  { at, in_template, before }: Place,
): { kind: Kind; piece: string } {
  const pattern = in_template ? inTemplate : inCode
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found) throw new Error(`Line ${lineAt(text, at)} cannot be read.`)
  const [piece] = found
  const { comment, string, regex } = found.groups ?? {}
  if (comment) return { kind: 'comment', piece }
  if (regex && !beforeRegex.test(before)) return { kind: 'code', piece: '/' }
  if (regex) return { kind: 'regex', piece }
  const quoted = in_template && piece !== '`' && piece !== '${'
  return { kind: string || quoted ? 'string' : 'code', piece }
}

const shown = new Map<string, string>()

function only(text: string, kinds: readonly Kind[]): string {
  const key = `${kinds.join(' ')}:${text}`
  const parts = () =>
    piecesOf(text).map(([kind, piece]) =>
      kinds.includes(kind) ? piece : piece.replaceAll(/[^\n]/g, ' '),
    )
  const result = shown.get(key) ?? parts().join('')
  shown.set(key, result)
  return result
}

/** Returns a program with its comments blanked. */
export const withoutComments = (text: string): string => only(text, ['code', 'string', 'regex'])

/** Returns a program with its comments and strings blanked. */
export const codeOf = (text: string): string => only(text, ['code'])

/** Returns the strings of a program; the rest is blank. */
export const stringsOf = (text: string): string => only(text, ['string', 'regex'])

/**
 * Returns the regular expressions of a program that are written as literals, with their offsets.
 */
export function regexesOf(text: string): { at: number; literal: string }[] {
  let at = 0
  return piecesOf(text).flatMap(([kind, literal]) => {
    const here = { at, literal }
    at += literal.length
    return kind === 'regex' ? [here] : []
  })
}

export interface Import {
  line: number
  /** The import specifier as written. */
  from: string
  /** The imported file, as a path from the root; null for a package. */
  file: string | null
  /** A type import, which does not exist at run time. */
  is_type: boolean
}

const importPattern =
  /\b(import|export)(?<clause>\s+(?:type\s+)?[\w$*{},\s]*?\bfrom)?\s*(?<call>\()?\s*['"](?<from>[^'"\n]+)['"]/g

/** Returns the imports and re-exports of a file, type imports included. */
export function importsOf(path: string, text: string): Import[] {
  return findIn(withoutComments(text), importPattern).map(({ line, match: { groups } }) => {
    const { clause = '', from = '' } = groups ?? {}
    const file = from.startsWith('.') ? posix.join(posix.dirname(path), from) : null
    return { line, from, file, is_type: isTypeClause(clause) }
  })
}

function isTypeClause(clause: string): boolean {
  if (/^\s+type\b/.test(clause)) return true
  const names = /^\s*\{([^}]*)\}\s*from$/.exec(clause)?.[1]?.split(',') ?? ['value']
  return names.every((name) => /^\s*(?:type\s|$)/.test(name))
}
