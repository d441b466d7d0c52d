/**
 * Warns about fields that no document has. A collection whose schema is open or missing accepts any
 * field, so a misspelt one is not refused.
 */
import { limits } from '../../../../contract/limits.ts'
import { StatementTimeout, type Reader } from '../../../../kernel/database/database.ts'
import { NoSlot } from '../../../../kernel/limits/slots.ts'
import { findNearestName } from '../../../../kernel/values/nearest.ts'
import { rulesOf } from '../../collections/rules.ts'
import { scopeOf } from '../../documents/document-store.ts'
import { writeFieldPath } from '../../field-path.ts'
import { isObject, lookUpField } from '../../../json-schema/service.ts'
import type { CollectionRow } from '../../store.ts'
import { findFieldsOfAny, findFieldNames } from '../store/used-fields-sql.ts'
import type { FieldUse } from './field-use.ts'
import { systemFields } from './filter.ts'

interface Listed {
  fieldUses: readonly FieldUse[]
  /** A document of the reply, which has most fields of its filter. */
  example?: unknown
}

/** Returns a sentence for each field; none if the documents cannot be searched in time. */
export async function warnAboutUnusedFields(
  db: Reader,
  collection: CollectionRow,
  { fieldUses, example }: Listed,
): Promise<string[]> {
  if (fieldUses.length === 0 || collection.document_count === 0) return []
  const { schema_json } = rulesOf(collection)
  const byName = new Map(fieldUses.map((use) => [writeFieldPath(use.path), use]))
  const open = [...byName].filter(
    ([, { path }]) => lookUpField(schema_json, path).is === 'open' && !hasField(example, path),
  )
  if (open.length === 0) return []
  const scope = scopeOf(collection)
  const paths = open.map(([, { path }]) => path)
  const timeout_ms = limits.query_s_max * 1000
  try {
    const held = await findFieldsOfAny(db, { ...scope, paths, timeout_ms })
    const unused = open.filter((_, index) => held[index] === false)
    if (unused.length === 0) return []
    const names = await findFieldNames(db, scope)
    return unused.map(([name, { parameter }]) => warningOf(name, parameter, names))
  } catch (error) {
    if (error instanceof StatementTimeout || error instanceof NoSlot) return []
    throw error
  }
}

function hasField(data: unknown, path: readonly string[]): boolean {
  let value = data
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return false
    value = value[name]
  }
  return true
}

function warningOf(name: string, parameter: string, names: readonly string[]): string {
  const near = findNearestName(name, [...names, ...Object.keys(systemFields)])
  const advice = near === undefined ? '' : ` Did you mean ${near}?`
  return `${parameter} names ${name}, which no document of this collection has.${advice}`
}
