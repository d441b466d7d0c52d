/**
 * Refuses filters and sorts that cannot match: fields that neither the schema nor any document has,
 * and comparisons with a type that neither has. Documents are checked because they may predate the
 * schema, and open schemas accept undeclared fields.
 */
import { Problem } from '../../../../contract/errors.ts'
import type { Reader } from '../../../../kernel/database/database.ts'
import { findNearestName } from '../../../../kernel/values/nearest.ts'
import { scopeOf } from '../../documents/document-store.ts'
import { listFields, writeFieldPath, type FieldPath } from '../../field-path.ts'
import { lookUpField, type Lookup } from '../../../json-schema/service.ts'
import { rulesOf } from '../../collections/rules.ts'
import type { CollectionRow } from '../../store.ts'
import { systemFields } from './filter.ts'
import { comparableWith, fieldWith, type FieldUse } from './field-use.ts'
import { findUsedFields } from '../store/used-fields-sql.ts'

/** A use of a field that the schema does not declare, or not with the compared type. */
interface UnmatchedUse {
  use: FieldUse
  lookup: Exclude<Lookup, { is: 'open' }>
}

type Undeclared = Extract<Lookup, { is: 'undeclared' }>

interface FieldCheck {
  fieldUses: readonly FieldUse[]
  /** The only fields that a problem may name; undefined allows all. */
  showable?: readonly FieldPath[] | undefined
}

/** Throws 400 for the first field use that cannot match. */
export async function requireKnownFields(
  db: Reader,
  collection: CollectionRow,
  { fieldUses, showable }: FieldCheck,
): Promise<void> {
  const unmatched = unmatchedUses(collection, fieldUses)
  if (unmatched.length === 0) return
  const sought = unmatched.map(({ use }) => use)
  const held = await findUsedFields(db, scopeOf(collection), sought)
  const first = unmatched.find((_, index) => held[index] !== true)
  if (!first) return
  const { use, lookup } = first
  throw lookup.is === 'declared'
    ? wrongType(use, lookup)
    : unknownField(use, lookup, namesBelow(lookup, showable))
}

/** Returns the uses that contradict the schema, each field and type once. */
function unmatchedUses(collection: CollectionRow, fieldUses: readonly FieldUse[]): UnmatchedUse[] {
  if (fieldUses.length === 0) return []
  const { schema_json } = rulesOf(collection)
  const unmatched = new Map<string, UnmatchedUse>()
  for (const use of fieldUses) {
    const { path, wants } = use
    const key = JSON.stringify([path, wants && [...wants.types], wants?.item])
    if (unmatched.has(key)) continue
    const lookup = lookUpField(schema_json, path)
    if (lookup.is !== 'open' && !allows(lookup, use)) unmatched.set(key, { use, lookup })
  }
  return [...unmatched.values()]
}

function allows(lookup: UnmatchedUse['lookup'], { wants }: FieldUse): boolean {
  if (lookup.is === 'undeclared') return false
  if (wants === null) return true
  if (lookup.types.isDisjointFrom(wants.types)) return false
  return wants.item === null || lookup.items.has(wants.item)
}

/** Returns alternatives to an unknown field, including system fields. */
function namesBelow({ parent, names }: Undeclared, showable?: readonly FieldPath[]): string[] {
  const own = showable
    ? names.filter((name) => showable.some((one) => isWithin([...parent, name], one)))
    : names
  if (parent.length > 0 || showable) return own
  return [...new Set([...own, ...Object.keys(systemFields)])]
}

function isWithin(path: FieldPath, outer: FieldPath): boolean {
  return outer.every((part, index) => part === path[index])
}

function unknownField(use: FieldUse, { parent }: Undeclared, names: readonly string[]): Problem {
  const { parameter, path, column } = use
  const name = writeFieldPath(path)
  const near = findNearestName(path[parent.length] ?? '', names)
  const rest = path.slice(parent.length + 1)
  const suggestion = near === undefined ? undefined : writeFieldPath([...parent, near, ...rest])
  const advice = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const place = column === null ? '' : ` at character ${column}`
  const nowhere = 'which is neither in the schema of the collection nor in any of its documents'
  const detail = `${parameter} names ${name}${place}, ${nowhere}.${advice}`
  return new Problem('invalid_parameter', detail, {
    user_message: `There is no field "${name}" in this collection.${advice}`,
    next_step:
      'Correct the name and send the request again; available fields: ' +
      `${listFields(parent, names)}. If documents will have this field later, add it ` +
      'to the schema of the collection.',
    fields: {
      ...placeIn(use, column),
      expected: `one of these fields: ${listFields(parent, names)}`,
      ...(advice && { suggestion }),
    },
    ...pointed(use, `does not exist in this collection.${advice}`),
  })
}

function wrongType(use: FieldUse, { types, items }: Extract<Lookup, { is: 'declared' }>) {
  const { parameter, path, column, wants } = use
  const name = writeFieldPath(path)
  const value_column = wants?.column ?? null
  const is_item = wants !== null && !types.isDisjointFrom(wants.types)
  const value = is_item ? `${comparableWith(items)} after "has"` : comparableWith(types)
  const expected = value_column === null ? fieldWith(wants?.types ?? types) : value
  const at = value_column ?? column
  const place = at === null ? '' : ` at character ${at}`
  const why = `the schema allows only such values in ${name}, or no document has another kind`
  const preposition = value_column === null ? 'instead of' : 'for'
  return new Problem('invalid_parameter', `${parameter} needs ${expected}${place}: ${why}.`, {
    user_message: `The values of "${name}" are of another kind: use ${expected}.`,
    next_step: `Use ${expected} ${preposition} ${name} and send the request again.`,
    fields: { ...placeIn(use, at), expected },
    ...pointed(use, `must be ${expected}`),
  })
}

function placeIn({ parameter, path }: FieldUse, column: number | null) {
  return { parameter, ...(column !== null && { column }), field: writeFieldPath(path) }
}

/** Adds the JSON pointer if the parameter is a body member. */
function pointed({ parameter }: FieldUse, message: string) {
  return parameter.startsWith('/') ? { errors: [{ path: parameter, message }] } : {}
}
