/**
 * Splits a filter into tokens: names, values, times and operators, with positions. Names may have
 * dots and quoted parts (`address."zip code"`); strings use double quotes as in JSON. The parser
 * decides by position whether a quoted token is a name or a string.
 */
import { columnAt, syntaxProblem } from './syntax-problem.ts'

export interface Token {
  is: 'word' | 'quoted' | 'number' | 'span' | 'time' | 'sign' | 'end'
  text: string
  /** Start and end in the text, in UTF-16 units. */
  at: number
  end: number
}

const plain = String.raw`[\p{L}_][\p{L}\p{N}_]*`
const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const further = String.raw`(?:\.(?:${plain}|${quoted}))*`

const kinds = [
  // A keyword, or a path that starts with a plain name.
  { is: 'word', pattern: new RegExp(plain + further, 'uy') },
  // A string, or a path that starts with a quoted name.
  { is: 'quoted', pattern: new RegExp(quoted + further, 'uy') },
  {
    is: 'number',
    pattern: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_.])/uy,
  },
  { is: 'span', pattern: /\d+\p{L}[\p{L}\p{N}_]*/uy },
  { is: 'time', pattern: /@[\p{L}\p{N}_:.]+(?:-[\p{L}\p{N}_:.]+)*(?:\+\d\d:\d\d)?/uy },
  { is: 'sign', pattern: /!=|<=|>=|[=<>(),+-]/y },
] as const

const space = /[ \t\r\n]*/y

/** Returns the tokens, with an end token as the last. */
export function tokensOf(text: string, parameter: string): Token[] {
  const tokens: Token[] = []
  for (let at = afterSpace(text, 0); at < text.length;) {
    const token = tokenAt(text, at)
    if (!token) throw unreadable(text, at, parameter)
    tokens.push(token)
    at = afterSpace(text, token.end)
  }
  tokens.push({ is: 'end', text: '', at: text.length, end: text.length })
  return tokens
}

function afterSpace(text: string, at: number): number {
  space.lastIndex = at
  space.exec(text)
  return space.lastIndex
}

function tokenAt(text: string, at: number): Token | null {
  for (const { is, pattern } of kinds) {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return { is, text: found, at, end: at + found.length }
  }
  return null
}

function unreadable(text: string, at: number, parameter: string) {
  const column = columnAt(text, at)
  const found = String.fromCodePoint(text.codePointAt(at) ?? 0)
  if (found === '"') {
    return syntaxProblem({ parameter, column, expected: 'a second " that ends the text' })
  }
  if (found === "'") {
    return syntaxProblem({ parameter, column, expected: 'a text in double quotes', found })
  }
  if (/[\d-]/.test(found)) {
    return syntaxProblem({ parameter, column, expected: 'a number such as 10 or -2.5' })
  }
  if (found === '@') return syntaxProblem({ parameter, column, expected: timeExamples })
  return syntaxProblem({ parameter, column, expected: 'a field, a comparison or a value', found })
}

export const timeExamples = 'a time such as @now, @now - 7d, @today or @2026-11-01'
