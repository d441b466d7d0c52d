/**
 * Validates `indexes` and `unique` of a collection: normalizes each name, removes duplicates, and
 * refuses names that a closed schema does not declare, because an index on a misspelt name would be
 * silently useless.
 */
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { parseFieldPath, listFields, writeFieldPath, type FieldPath } from '../field-path.ts'
import { lookUpField, type FieldError } from '../../json-schema/service.ts'
import { isSystemField } from '../query/filter/filter.ts'

interface FieldList {
  /** Body member with the list, for the paths of errors. */
  member: string
  names: readonly string[]
  /** The schema after the change; null if it is invalid. */
  schema: unknown
}

/** Returns the normalized names. Appends errors to `faults`. */
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

const unreadable = 'must be field names separated by dots, such as email or address."zip code"'

/** Returns why no document can have the field, or null. Only a closed schema excludes fields. */
function faultOf(path: FieldPath, schema: unknown): string | null {
  const lookup = schema === null ? null : lookUpField(schema, path)
  if (lookup?.is !== 'undeclared' || !lookup.is_closed) return null
  const { parent, names } = lookup
  const [name = '', ...rest] = path.slice(parent.length)
  if (parent.length === 0 && isSystemField(name)) {
    return `names ${name}, which is not part of the data of a document: remove it`
  }
  const near = findNearestName(name, names)
  const meant =
    near === undefined
      ? `Fields there: ${listFields(parent, names)}.`
      : `Did you mean ${written(parent, near, rest)}?`
  return `names ${writeFieldPath(path)}, a field that the schema does not allow. ${meant}`
}

function written(parent: FieldPath, name: string, rest: FieldPath = []): string {
  return writeFieldPath([...parent, name, ...rest])
}
