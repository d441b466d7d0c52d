/** Which fields of the schema the headings of a table mean: exactly, or apart from case and spaces. */
import { nearest } from '../../../kernel/values/nearest.ts'
import { isObject } from '../json-schema/subschemas.ts'
import { propertiesOf } from '../json-schema/value-types.ts'
import { MalformedFile } from './format.ts'
import { nameInData, nameInFile } from './record.ts'

/** Of a table with more unknown columns, the others are no misspelt fields. */
const COMPARED_MAX = 50

export interface Heading {
  /** As the file has it. */
  heading: string
  /** As records name it; the heading itself where no field of the schema is meant. */
  name: string
  /** The field of the schema that was probably meant, where none is. */
  suggestion: string | null
}

/** Yields after each heading, because there may be thousands and as many fields. */
export function* matchHeadings(
  headings: readonly string[],
  schema: unknown,
): Generator<void, Heading[]> {
  const fields = propertiesOf(schema)
  const names = [...fields.keys()]
  const alike = new Map<string, string | null>()
  for (const [name, field] of fields) {
    const title = isObject(field) && typeof field['title'] === 'string' ? field['title'] : name
    for (const key of new Set([plain(name), plain(title)])) {
      // A heading that two fields could be meant by means neither.
      alike.set(key, alike.has(key) && alike.get(key) !== name ? null : name)
    }
  }
  const exactly = new Set(headings)
  let compared = 0
  const match = (heading: string): Heading => {
    const exact = nameInData(heading)
    if (heading === '' || exact === null || fields.has(exact))
      return { heading, name: heading, suggestion: null }
    const field = alike.get(plain(heading))
    // Another column has this very name, so this one is a field of its own.
    if (field && !exactly.has(nameInFile(field)))
      return { heading, name: nameInFile(field), suggestion: null }
    compared += 1
    const suggestion = compared > COMPARED_MAX ? null : (nearest(heading, names) ?? null)
    return { heading, name: heading, suggestion }
  }
  const matched: Heading[] = []
  for (const heading of headings) {
    matched.push(match(heading))
    yield
  }
  refuseShared(matched)
  return matched
}

/** Two headings such as `E-mail` and `email` may mean one field. */
function refuseShared(headings: readonly Heading[]): void {
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

/** Without case, accents, spaces and punctuation. */
function plain(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
