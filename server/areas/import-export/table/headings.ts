/**
 * Matches the headings of a table to fields of the schema: exactly, or ignoring case, accents,
 * spaces and punctuation.
 */
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { isObject, propertiesOf } from '../../json-schema/service.ts'
import { MalformedFile } from '../../../kernel/tables/malformed-file.ts'
import { nameInData, nameInFile } from '../record.ts'

/** Limits the search for misspelt headings; a table with more unknown columns has other fields. */
const COMPARED_MAX = 50

export interface ColumnHeading {
  /** The heading in the file. */
  heading: string
  /** The field name in records; the heading itself if no field matches. */
  name: string
  /** The nearest field of the schema if none matches; else null. */
  suggestion: string | null
}

/** Fields of headings that the request names; null leaves the column out. */
export type GivenColumns = ReadonlyMap<string, string | null>

/**
 * A generator that yields after each heading, because a table and a schema can both have thousands
 * of names.
 */
export function* matchHeadings(
  headings: readonly string[],
  schema: unknown,
  given: GivenColumns,
): Generator<void, ColumnHeading[]> {
  const fields = propertiesOf(schema)
  const names = [...fields.keys()]
  const taken = new Set(given.values())
  const alike = new Map<string, string | null>()
  for (const [name, field] of fields) {
    const title = isObject(field) && typeof field['title'] === 'string' ? field['title'] : name
    for (const key of new Set([plain(name), plain(title)])) {
      // A normalized heading that matches two fields matches neither.
      alike.set(key, alike.has(key) && alike.get(key) !== name ? null : name)
    }
  }
  // A field that the request gives to a column is not matched by the heading of another one.
  for (const [key, name] of alike) if (taken.has(name)) alike.set(key, null)
  const exactly = new Set(headings)
  let compared = 0
  const match = (heading: string): ColumnHeading => {
    const named = given.get(heading)
    if (named === null) return { heading, name: '', suggestion: null }
    if (named !== undefined) return { heading, name: nameInFile(named), suggestion: null }
    const exact = nameInData(heading)
    if (heading === '' || exact === null || fields.has(exact))
      return { heading, name: heading, suggestion: null }
    const field = alike.get(plain(heading))
    // Another column has this exact name, so this column is a separate field.
    if (field && !exactly.has(nameInFile(field)))
      return { heading, name: nameInFile(field), suggestion: null }
    compared += 1
    const suggestion = compared > COMPARED_MAX ? null : (findNearestName(heading, names) ?? null)
    return { heading, name: heading, suggestion }
  }
  const matched: ColumnHeading[] = []
  for (const heading of headings) {
    matched.push(match(heading))
    yield
  }
  refuseShared(matched)
  return matched
}

/** Throws if two headings such as `E-mail` and `email` match one field. */
function refuseShared(headings: readonly ColumnHeading[]): void {
  const seen = new Map<string, string>()
  for (const { heading, name } of headings) {
    if (name === '') continue
    const other = seen.get(name)
    if (other !== undefined) {
      const both = `The columns "${other}" and "${heading}" both mean the field "${name}".`
      throw new MalformedFile(`${both} Rename or remove one.`, { line: 1 })
    }
    seen.set(name, heading)
  }
}

/** Removes case, accents, spaces and punctuation. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
