/** Checks which fields and value types occur in the documents of a collection. */
import { sql } from 'kysely'
import * as costly from '../../../../kernel/database/costly-read.ts'
import type { Reader } from '../../../../kernel/database/database.ts'
import type { CollectionScope } from '../../documents/document-store.ts'
import type { FieldPath } from '../../field-path.ts'
import type { ExpectedValue } from '../filter/field-use.ts'
import { isOfType, jsonAt, type Sql } from './value-sql.ts'

export interface FieldLookup {
  path: FieldPath
  /** Null matches a value of any type, including null. */
  wants: ExpectedValue | null
}

/** Returns for each lookup whether a document matches, with one scan of the collection. */
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

interface AnyFields extends CollectionScope {
  paths: readonly FieldPath[]
  timeout_ms: number
}

/** Returns for each field whether a document has it. Reads up to the first one that does. */
export async function findFieldsOfAny(
  db: Reader,
  { project_id, collection_id, paths, timeout_ms }: AnyFields,
): Promise<readonly boolean[]> {
  const columns = paths.map(
    (path) => sql`exists (select from documents as d where d.project_id = ${project_id}
      and d.collection_id = ${collection_id} and ${jsonAt(path)} is not null)`,
  )
  const query = sql<{ held: boolean[] }>`select array[${sql.join(columns)}] as held`.compile(db)
  const [row] = await costly.readCostly(db, { project_id, query, timeout_ms })
  return row?.held ?? []
}

/** Returns the field names of the newest documents. */
export async function findFieldNames(
  db: Reader,
  { project_id, collection_id }: CollectionScope,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(data) as name from (
      select data from documents where project_id = ${project_id}
        and collection_id = ${collection_id} order by id desc limit 100
    ) as newest`.execute(db)
  return rows.map(({ name }) => name)
}
