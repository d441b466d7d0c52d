/**
 * The lists of field names among the settings of a collection: each name once, in the one way it
 * is written, and none that the schema rules out. A misspelt name would be kept and do nothing.
 */
import { nearest } from '../../kernel/values/nearest.ts'
import { parseFieldPath, listFields, writeFieldPath, type FieldPath } from './field-path.ts'
import { lookUpField } from './json-schema/field-lookup.ts'
import type { FieldError } from './json-schema/field-errors.ts'
import { isSystemField } from './query/filter.ts'

interface FieldList {
  /** Name of the body member that holds the list, used in fault paths. */
  member: string
  names: readonly string[]
  /** The schema that documents will have. null: it has faults of its own. */
  schema: unknown
}

/** What is wrong with the names is added to `faults`. */
export function readFieldNames(
  { member, names, schema }: FieldList,
  faults: FieldError[],
): string[] {
  const read = names.map((name, index) => {
    const path = parseFieldPath(name)
    const message = path ? faultOf(path, schema) : unreadable
    if (message !== null) faults.push({ path: `/${member}/${index}`, message })
    return path ? writeFieldPath(path) : name
  })
  return [...new Set(read)]
}

const unreadable = 'must be names between dots, such as email or address."zip code"'

/** Only a closed schema rules a name out: documents of any other may have the field. */
function faultOf(path: FieldPath, schema: unknown): string | null {
  const lookup = schema === null ? null : lookUpField(schema, path)
  if (lookup?.is !== 'undeclared' || !lookup.is_closed) return null
  const { parent, names } = lookup
  const [name = '', ...rest] = path.slice(parent.length)
  if (parent.length === 0 && isSystemField(name)) {
    return `names ${name}, which every document has beside its data: leave it out`
  }
  const near = nearest(name, names)
  const meant =
    near === undefined
      ? `Fields there: ${listFields(parent, names)}.`
      : `Did you mean ${written(parent, near, rest)}?`
  return `names ${writeFieldPath(path)}, a field that the schema rules out. ${meant}`
}

function written(parent: FieldPath, name: string, rest: FieldPath = []): string {
  return writeFieldPath([...parent, name, ...rest])
}
