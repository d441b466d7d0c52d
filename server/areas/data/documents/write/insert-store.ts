/**
 * Inserts sets of new documents of several collections with one statement, which is its own
 * transaction. It locks the collections and their plan usage, updates both, and logs the changes. A
 * round trip and the start of a statement cost PostgreSQL more than the rows of a small set.
 */
import assert from 'node:assert/strict'
import { CompiledQuery } from 'kysely'
import { limits } from '../../../../contract/limits.ts'
import { plans } from '../../../../contract/plans.ts'
import type { Database } from '../../../../kernel/database/database.ts'
import { encodeUuids } from '../../../../kernel/database/driver/parameter.ts'
import { CHANGES_IN_A_ROW } from '../../changes/change-store.ts'
import type { CheckedDocument } from '../document-check.ts'
import type { CollectionScope, DocumentRow } from '../document-store.ts'

export interface NewDocument {
  id: string
  prepared: CheckedDocument
}

export interface NewSet extends CollectionScope, Pick<DocumentRow, 'source' | 'test'> {
  /** The settings that the documents were checked against. */
  settings_version: number
  created_at: Date
  /** Of all documents together. */
  bytes: number
  /** Indexed fields, in the order of the keys of each document. */
  fields: readonly string[]
  documents: readonly NewDocument[]
}

const quotas = Object.entries(plans)
  .map(([plan, { data_bytes_max }]) => `when '${plan}' then ${data_bytes_max}::bigint`)
  .join(' ')

/**
 * A row for each item of a set in an array. Such functions in one select list advance together, a
 * shorter one with nulls; in FROM, each would first fill a table, for each set again.
 */
function eachOf(array: string, first = 'l.first'): string {
  return `unnest((${array})[${first} + 1 : ${first} + l.count])`
}

/**
 * The array in a subselect hides its length from the planner, which would otherwise plan the
 * statement again at each execution.
 */
const text = `
  with locked as (
    select s.*, c.change_number
    from unnest((select $1::uuid[]), $2::uuid[], $3::integer[], $4::bigint[], $5::bigint[],
        $6::integer[], $7::integer[], $8::text[], $9::boolean[], $10::timestamptz[])
        with ordinality as s (collection_id, project_id, settings_version, bytes, project_bytes,
          count, first, source, test, created_at, place)
      cross join lateral (
        select change_number from collections
        where project_id = s.project_id and id = s.collection_id
          and settings_version = s.settings_version
          and document_count + s.count <= ${limits.documents_per_collection_max}
        for no key update skip locked
      ) as c
      cross join lateral (
        select from data_usage as u join projects as p on p.id = u.project_id
        where u.project_id = s.project_id and u.bytes + s.project_bytes <= case p.plan ${quotas} end
        for no key update of u skip locked
      ) as u
  ), counted as (
    update collections as c
    set document_count = c.document_count + l.count, bytes = c.bytes + l.bytes,
      change_number = c.change_number + l.count
    from locked as l where c.project_id = l.project_id and c.id = l.collection_id
  ), charged as (
    -- The rows exist. An update of several projects would scan the whole table.
    insert into data_usage as u (project_id, bytes)
    select project_id, sum(bytes) from locked group by project_id
    on conflict (project_id) do update set bytes = u.bytes + excluded.bytes
  ), written as (
    insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
      created_at, updated_at)
    select l.project_id, l.collection_id, ${eachOf('$11::uuid[]')},
      jsonb_array_elements($12::jsonb -> (l.place - 1)::integer), 1, l.source,
      ${eachOf('$13::integer[]')}, l.test, l.created_at, l.created_at
    from locked as l
  ), keyed as (
    insert into document_keys (project_id, collection_id, document_id, field, key, digest)
    select l.project_id, l.collection_id, ${eachOf('$11::uuid[]')}, f.name,
      ${eachOf('$17::bytea[]', 'f.first')}, ${eachOf('$18::bytea[]', 'f.first')}
    from unnest($14::integer[], $15::text[], $16::integer[]) as f (place, name, first)
      join locked as l on l.place = f.place
  )
  insert into document_changes (project_id, collection_id, number, kind, document_ids, version,
    created_at)
  select l.project_id, l.collection_id, l.change_number + n, 'created',
    ($11::uuid[])[l.first + n : l.first + least(n + ${CHANGES_IN_A_ROW - 1}, l.count)], 1,
    l.created_at
  from locked as l, generate_series(1, l.count, ${CHANGES_IN_A_ROW}) as n
  returning collection_id`

/**
 * Inserts sets of different collections. Returns the collections whose sets were written: not those
 * that were deleted, that another transaction has locked, whose settings have changed, or whose set
 * exceeds a limit. Returns null, writing nothing, if another document has a unique value or the id.
 */
export async function insertSets(
  db: Database,
  sets: readonly NewSet[],
): Promise<ReadonlySet<string> | null> {
  assert(db.writeAlone, 'Sets are written outside of other transactions.')
  const query = CompiledQuery.raw(text, parametersOf(sets))
  const rows = await db.writeAlone(query as CompiledQuery<{ collection_id: string }>)
  return rows && new Set(rows.map(({ collection_id }) => collection_id))
}

function parametersOf(sets: readonly NewSet[]): unknown[] {
  const documents = sets.flatMap((set) => set.documents)
  const project_bytes = new Map<string, number>()
  for (const { project_id, bytes } of sets)
    project_bytes.set(project_id, (project_bytes.get(project_id) ?? 0) + bytes)
  const counts = sets.map((set) => set.documents.length)
  const columns = sets.flatMap((set, index) =>
    set.fields.map((field, at) => ({
      place: index + 1,
      field,
      keys: set.documents.map(({ prepared }) => prepared.keys[at]),
    })),
  )
  const keys = columns.flatMap((column) => column.keys)
  const texts = sets.map((set) => set.documents.map(({ prepared }) => prepared.text).join(','))
  return [
    sets.map(({ collection_id }) => collection_id),
    sets.map(({ project_id }) => project_id),
    sets.map(({ settings_version }) => settings_version),
    sets.map(({ bytes }) => bytes),
    sets.map(({ project_id }) => project_bytes.get(project_id)),
    counts,
    startsOf(counts),
    sets.map(({ source }) => source),
    sets.map(({ test }) => test),
    sets.map(({ created_at }) => created_at),
    encodeUuids(documents.map(({ id }) => id)),
    `[[${texts.join('],[')}]]`,
    documents.map(({ prepared }) => prepared.bytes),
    columns.map(({ place }) => place),
    columns.map(({ field }) => field),
    startsOf(columns.map((column) => column.keys.length)),
    keys.map((key) => key?.key),
    // Missing digests are null.
    keys.some((key) => key?.digest) ? keys.map((key) => key?.digest) : [],
  ]
}

/** Where each of consecutive parts begins. */
function startsOf(lengths: readonly number[]): number[] {
  let end = 0
  return lengths.map((length) => (end += length) - length)
}
