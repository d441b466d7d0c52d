/**
 * What a collection asks of each of its documents, made ready once for the same settings: its
 * schema compiled, its fields parsed. A document checked by the same object is not checked again.
 */
import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import { parseFieldPath, type FieldPath } from './field-path.ts'
import { compileSchema, schemaErrors, type CompiledSchema } from './json-schema/schema-cache.ts'
import type { CollectionRow } from './store.ts'

export interface Field {
  name: string
  path: FieldPath
  unique: boolean
}

export interface Rules {
  schema: CompiledSchema
  /** The schema itself, to read from it what it says of a field. */
  schema_json: unknown
  /** Those named in `indexes` or `unique`, each once. */
  fields: readonly Field[]
}

/** What of a collection its rules are made of. */
export type Ruled = Pick<CollectionRow, 'schema' | 'indexes' | 'unique_fields'>

const KEPT_MAX = 500
const kept = new LRUCache<string, Rules>({ max: KEPT_MAX })

/** The same object for the same settings, as long as it is kept. */
export function rulesOf(row: Ruled): Rules {
  const name = JSON.stringify([row.indexes, row.unique_fields]) + row.schema
  const known = kept.get(name)
  if (known) return known
  const schema_json: unknown = JSON.parse(row.schema)
  const rules = { schema: checkerOf(schema_json), schema_json, fields: fieldsOf(row) }
  kept.set(name, rules)
  return rules
}

/**
 * A schema is looked at before it is kept, but maybe by a release that took more. One that cannot be
 * used refuses documents and says so; all else goes on, so that another can be given in its place.
 */
function checkerOf(schema: unknown): CompiledSchema {
  const [fault] = schemaErrors(schema)
  if (!fault) return compileSchema(schema)
  const place = `/schema${fault.path} ${fault.message}`
  const message = `cannot be checked, because the collection needs another schema: ${place}`
  return { check: () => [{ path: '', message }] }
}

export function fieldsOf({ indexes, unique_fields }: Omit<Ruled, 'schema'>): Field[] {
  return [...new Set([...unique_fields, ...indexes])].map((name) => {
    const path = parseFieldPath(name)
    assert(path, 'Fields are checked before they are kept.')
    return { name, path, unique: unique_fields.includes(name) }
  })
}
