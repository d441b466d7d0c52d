/**
 * The rules of a collection for documents: compiled schema and parsed fields, cached by settings. A
 * document that passed the same object is not checked again.
 */
import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import { parseFieldPath, type FieldPath } from '../field-path.ts'
import { compileSchema, schemaErrors, type CompiledSchema } from '../../json-schema/service.ts'
import type { CollectionRow } from '../store.ts'

export interface IndexedField {
  name: string
  path: FieldPath
  unique: boolean
}

export interface Rules {
  schema: CompiledSchema
  /** The parsed schema, for lookups of fields. */
  schema_json: unknown
  /** The indexed and unique fields, without duplicates. */
  fields: readonly IndexedField[]
}

/** The columns that determine the rules. */
export type RuleSettings = Pick<CollectionRow, 'schema' | 'indexes' | 'unique_fields'>

const KEPT_MAX = 500
const kept = new LRUCache<string, Rules>({ max: KEPT_MAX })

/** Returns the same object for the same settings while it is cached. */
export function rulesOf(row: RuleSettings): Rules {
  const name = JSON.stringify([row.indexes, row.unique_fields]) + row.schema
  const known = kept.get(name)
  if (known) return known
  const schema_json: unknown = JSON.parse(row.schema)
  const rules = { schema: checkerOf(schema_json), schema_json, fields: indexedFields(row) }
  kept.set(name, rules)
  return rules
}

/**
 * Compiles a stored schema. If this release cannot compile it, every document is refused with the
 * reason, but the collection stays usable and the schema can be replaced.
 */
function checkerOf(schema: unknown): CompiledSchema {
  const [fault] = schemaErrors(schema)
  if (!fault) return compileSchema(schema)
  const place = `/schema${fault.path} ${fault.message}`
  const message = `cannot be checked, because the collection needs another schema: ${place}`
  return { check: () => [{ path: '', message }] }
}

export function indexedFields({
  indexes,
  unique_fields,
}: Omit<RuleSettings, 'schema'>): IndexedField[] {
  return [...new Set([...unique_fields, ...indexes])].map((name) => {
    const path = parseFieldPath(name)
    assert(path, 'Fields are checked before they are kept.')
    return { name, path, unique: unique_fields.includes(name) }
  })
}
