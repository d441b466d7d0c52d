/** Parses the parameter `fields` and projects documents to it. */
import { limits } from '../../../contract/limits.ts'
import { parseFieldPath, type FieldPath } from '../field-path.ts'
import { isObject } from '../../json-schema/service.ts'
import type { JsonObject } from '../schema.ts'
import { columnAt, syntaxProblem } from './filter/syntax-problem.ts'
import type { FieldUse } from './filter/field-use.ts'

// A field between commas; quoted parts may contain commas.
const fieldPattern = /(?:[^",]|"(?:[^"\\]|\\.)*"?)*/y

export interface ListedName {
  text: string
  /** Position of its first character in the parameter, from 1. */
  column: number
}

/** Splits a comma-separated list of names. */
export function splitNames(list: string): ListedName[] {
  const names: ListedName[] = []
  for (let at = 0; at <= list.length;) {
    fieldPattern.lastIndex = at
    const [found = ''] = fieldPattern.exec(list) ?? []
    names.push({ text: found.trim(), column: columnAt(list, at + found.search(/\S|$/)) })
    at += found.length + 1
  }
  return names
}

/**
 * Parses `fields=name,address.city`; null means all fields. Appends the field uses to `fieldUses`.
 */
export function parseFields(text: string | undefined, fieldUses: FieldUse[]): FieldPath[] | null {
  if (text === undefined) return null
  const names = splitNames(text)
  if (names.length > limits.shown_fields_max) {
    const expected = `at most ${limits.shown_fields_max} fields`
    throw syntaxProblem({ parameter: 'fields', column: 1, expected })
  }
  return names.map(({ text: name, column }) => {
    const path = parseFieldPath(name)
    if (path) {
      fieldUses.push({ parameter: 'fields', path, column, wants: null })
      return path
    }
    const expected = 'a field such as name or address.city, with commas between'
    throw syntaxProblem({ parameter: 'fields', column, expected, found: name })
  })
}

/** Returns only the parts of a document at these paths. */
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
