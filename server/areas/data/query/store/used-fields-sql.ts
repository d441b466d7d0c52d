/** Asks whether any document of a collection has values of certain types at certain paths. */
import { sql } from 'kysely'
import type { Reader } from '../../../../kernel/database/database.ts'
import type { CollectionScope } from '../../document-store.ts'
import type { FieldPath } from '../../field-path.ts'
import type { ExpectedValue } from '../field-use.ts'
import { isOfType, jsonAt, type Sql } from './value-sql.ts'

export interface FieldLookup {
  path: FieldPath
  /** Null: a value of any type will do, and so will null itself. */
  wants: ExpectedValue | null
}

/** For each that is sought, whether a document has it. One scan of the collection. */
export async function findUsedFields(
  db: Reader,
  { project_id, collection_id }: CollectionScope,
  sought: readonly FieldLookup[],
): Promise<boolean[]> {
  const columns = sought.map((one) => sql`coalesce(bool_or(${isHeld(one)}), false)`)
  const { rows } = await sql<{ held: boolean[] }>`
    select array[${sql.join(columns)}] as held from documents as d
    where d.project_id = ${project_id} and d.collection_id = ${collection_id}
  `.execute(db)
  return rows[0]?.held ?? []
}

function isHeld({ path, wants }: FieldLookup): Sql<boolean> {
  if (wants === null) return sql`${jsonAt(path)} is not null`
  const { types, item } = wants
  if (item === null) return sql`jsonb_typeof(${jsonAt(path)}) = any(${[...types]}::text[])`
  return sql`case when ${isOfType(path, 'array')} then exists (
    select from jsonb_array_elements(${jsonAt(path)}) as e where jsonb_typeof(e) = ${item}::text
  ) else false end`
}
