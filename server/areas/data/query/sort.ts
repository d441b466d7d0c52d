/**
 * The sort of a list and positions in it. A position consists of the values of the last document
 * (keyset pagination), so inserts and deletes do not shift pages.
 */
import { limits } from '../../../contract/limits.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { createdMs, dataOf, updatedMs, type FoundDocument } from '../documents/document-store.ts'
import { parseFieldPath, valueAt } from '../field-path.ts'
import { syntaxProblem } from './filter/syntax-problem.ts'
import { splitNames } from './fields.ts'
import { isSystemField, type FilterField, type Scalar } from './filter/filter.ts'
import { sortableTypes, type FieldUse } from './filter/field-use.ts'
import { pathInRow, rowExamples } from './group/row-names.ts'

export interface SortField {
  field: FilterField
  descending: boolean
}

/** Never empty. The id breaks ties, in the direction of the last field. */
export type Sort = readonly [SortField, ...SortField[]]

/** The sort values and the id of a document; a page continues after it. */
export interface SortPosition {
  values: readonly Scalar[]
  id: string
}

/** Ids increase with creation time. */
export const newestFirst: Sort = [{ field: { system: 'id' }, descending: true }]

interface SortSource {
  text: string | undefined
  parameter: string
  /** Restricts the sort to these row members, without system fields. */
  names?: readonly string[]
  /** Receives each data field of the sort. */
  fieldUses?: FieldUse[]
}

/** Parses `-total,name`; the default is newest first. */
export function parseSort({ text, parameter, names, fieldUses }: SortSource): Sort {
  if (text === undefined) return newestFirst
  const fields: SortField[] = []
  for (const { text: name, column } of splitNames(text)) {
    const field = parseSortField(name, names)
    const expected = names ? rowExamples(names) : sortExamples
    const suggestion = findNearestName(name.replace(/^[-+]/, ''), names ?? [])
    if (!field) throw syntaxProblem({ parameter, column, expected, found: name, suggestion })
    const wants = { types: sortableTypes, item: null, column: null }
    if ('path' in field.field) fieldUses?.push({ parameter, path: field.field.path, column, wants })
    // Ids are unique, so later fields cannot affect the order.
    if (!fields.some(isById)) fields.push(field)
  }
  const [first, ...rest] = fields
  if (!first || fields.length > limits.sort_fields_max) {
    const expected = `at most ${limits.sort_fields_max} fields`
    throw syntaxProblem({ parameter, column: 1, expected })
  }
  return [first, ...rest]
}

const sortExamples = 'a field such as name, or -name for the other direction, with commas between'

function isById({ field }: SortField): boolean {
  return 'system' in field && field.system === 'id'
}

function parseSortField(text: string, names?: readonly string[]): SortField | null {
  const trimmed = text.trim()
  const descending = trimmed.startsWith('-')
  const name = descending || trimmed.startsWith('+') ? trimmed.slice(1) : trimmed
  if (!names && isSystemField(name)) return { field: { system: name }, descending }
  const path = parseFieldPath(name)
  const placed = path && names ? pathInRow(path, names) : path
  return placed && { field: { path: placed }, descending }
}

/** Returns whether documents with equal values are in descending order of ids. */
export function idDescends(sort: Sort): boolean {
  return sort.at(-1)?.descending ?? false
}

/** Returns the position after this document. */
export function positionOf(row: FoundDocument, sort: Sort): SortPosition {
  return { values: sort.map(({ field }) => sortValue(row, field)), id: row.id }
}

function sortValue(row: FoundDocument, field: FilterField): Scalar {
  if ('path' in field) return sortableValue(valueAt(dataOf(row), field.path))
  switch (field.system) {
    case 'created_at':
      return createdMs(row)
    case 'updated_at':
      return updatedMs(row)
    default:
      return row[field.system]
  }
}

function sortableValue(value: unknown): Scalar {
  if (typeof value === 'string') return beginningOf(value)
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Returns the prefix of a string that sorting compares; see sort-key.ts. */
function beginningOf(text: string): string {
  const characters: string[] = []
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > limits.sort_text_bytes_max) break
    characters.push(character)
  }
  return characters.join('')
}
