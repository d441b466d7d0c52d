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
import { CHANGES_IN_A_ROW } from '../../changes/change-store.ts'
import type { CheckedDocument } from '../document-check.ts'
import type { CollectionScope, DocumentRow } from '../document-store.ts'

export interface NewDocument {
  document: DocumentRow
  prepared: CheckedDocument
}

export interface NewSet extends CollectionScope {
  /** The settings that the documents were checked against. */
  settings_version: number
  /** Of all documents together. */
  bytes: number
  documents: readonly NewDocument[]
}

const quotas = Object.entries(plans)
  .map(([plan, { data_bytes_max }]) => `when '${plan}' then ${data_bytes_max}::bigint`)
  .join(' ')

/**
 * The arrays in subselects hide their lengths from the planner, which would otherwise plan the
 * statement again at each execution.
 */
const text = `
  with locked as (
    select s.place, s.project_id, s.collection_id, s.bytes, s.count, s.first, c.change_number
    from unnest((select $1::uuid[]), $2::uuid[], $3::integer[], $4::bigint[], $5::bigint[],
        $6::integer[], $7::integer[]) with ordinality
        as s (collection_id, project_id, settings_version, bytes, project_bytes, count, first, place)
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
    select l.project_id, l.collection_id, d.id, d.data, 1, d.source, d.bytes, d.test, t.at, t.at
    from rows from (unnest($8::integer[]), unnest($9::uuid[]), jsonb_array_elements($10::jsonb),
        unnest($11::text[]), unnest($12::integer[]), unnest($13::boolean[]), unnest($14::integer[]))
        as d (place, id, data, source, bytes, test, later_ms)
      join locked as l on l.place = d.place
      cross join lateral (select $15::timestamptz + d.later_ms * interval '1 ms' as at) as t
  ), keyed as (
    insert into document_keys (project_id, collection_id, document_id, field, key, digest)
    select l.project_id, l.collection_id, k.document_id, k.field, k.key, k.digest
    from unnest((select $16::integer[]), $17::uuid[], $18::text[], $19::bytea[], $20::bytea[])
        as k (place, document_id, field, key, digest)
      join locked as l on l.place = k.place
  )
  insert into document_changes (project_id, collection_id, number, kind, document_ids, version,
    created_at)
  select l.project_id, l.collection_id, l.change_number + n, 'created',
    ($9::uuid[])[l.first + n : l.first + least(n + ${CHANGES_IN_A_ROW - 1}, l.count)], 1, $15
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
  const documents = sets.flatMap((set, index) =>
    set.documents.map((one) => ({ place: index + 1, ...one })),
  )
  const keys = documents.flatMap(({ place, document, prepared }) =>
    prepared.keys.map((key) => ({ place, document_id: document.id, ...key })),
  )
  const began_ms = Math.min(...documents.map(({ document }) => document.created_at.getTime()))
  const project_bytes = new Map<string, number>()
  for (const { project_id, bytes } of sets)
    project_bytes.set(project_id, (project_bytes.get(project_id) ?? 0) + bytes)
  let before = 0
  const firsts = sets.map((set) => (before += set.documents.length) - set.documents.length)
  return [
    sets.map(({ collection_id }) => collection_id),
    sets.map(({ project_id }) => project_id),
    sets.map(({ settings_version }) => settings_version),
    sets.map(({ bytes }) => bytes),
    sets.map(({ project_id }) => project_bytes.get(project_id)),
    sets.map((set) => set.documents.length),
    firsts,
    documents.map(({ place }) => place),
    documents.map(({ document }) => document.id),
    `[${documents.map(({ prepared }) => prepared.text).join(',')}]`,
    documents.map(({ document }) => document.source),
    documents.map(({ document }) => document.bytes),
    documents.map(({ document }) => document.test),
    documents.map(({ document }) => document.created_at.getTime() - began_ms),
    new Date(began_ms),
    keys.map(({ place }) => place),
    keys.map(({ document_id }) => document_id),
    keys.map(({ field }) => field),
    keys.map(({ key }) => key),
    keys.map(({ digest }) => digest),
  ]
}
