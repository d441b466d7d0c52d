/** Parts of documents: the fields that a request names, and nothing else of the data. */
import { limits } from '../../../contract/limits.ts'
import { parseFieldPath, type FieldPath } from '../field-path.ts'
import type { JsonObject } from '../schema.ts'
import { columnAt, syntaxProblem } from './syntax-problem.ts'
import type { FieldUse } from './field-use.ts'

// A field between commas, which may have a comma within quotes.
const fieldPattern = /(?:[^",]|"(?:[^"\\]|\\.)*"?)*/y

export interface ListedName {
  text: string
  /** Of its first character in the whole text; the first one is 1. */
  column: number
}

/** The names of a list between commas. */
export function namesIn(list: string): ListedName[] {
  const names: ListedName[] = []
  for (let at = 0; at <= list.length;) {
    fieldPattern.lastIndex = at
    const [found = ''] = fieldPattern.exec(list) ?? []
    names.push({ text: found.trim(), column: columnAt(list, at + found.search(/\S|$/)) })
    at += found.length + 1
  }
  return names
}

/** Reads `fields=name,address.city`; null for all of them. Adds what is named to `mentions`. */
export function parseFields(text: string | undefined, mentions: FieldUse[]): FieldPath[] | null {
  if (text === undefined) return null
  const names = namesIn(text)
  if (names.length > limits.shown_fields_max) {
    const expected = `at most ${limits.shown_fields_max} fields`
    throw syntaxProblem({ parameter: 'fields', column: 1, expected })
  }
  return names.map(({ text: name, column }) => {
    const path = parseFieldPath(name)
    if (path) {
      mentions.push({ parameter: 'fields', path, column, wants: null })
      return path
    }
    const expected = 'a field such as name or address.city, with commas between'
    throw syntaxProblem({ parameter: 'fields', column, expected, found: name })
  })
}

/** The parts of a document that the paths name. */
export function pickFields(data: unknown, paths: readonly FieldPath[]): JsonObject {
  const byFirst = Map.groupBy(paths, ([first = '']) => first)
  const members = [...byFirst].flatMap(([name, named]): [string, unknown][] => {
    const own: PropertyDescriptor | undefined = Object.getOwnPropertyDescriptor(Object(data), name)
    if (!own) return []
    if (named.some((path) => path.length === 1)) return [[name, own.value]]
    if (!isObject(own.value)) return []
    const inside = pickFields(
      own.value,
      named.map((path) => path.slice(1)),
    )
    return Object.keys(inside).length > 0 ? [[name, inside]] : []
  })
  return Object.fromEntries(members)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
