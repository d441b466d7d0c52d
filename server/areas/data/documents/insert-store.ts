/**
 * Inserts a set of new documents with one statement, which is its own transaction. It locks the
 * collection, updates the counts and the plan usage, and logs the changes. A round trip costs
 * PostgreSQL and this process more than most of these parts.
 */
import { CompiledQuery } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
import { CHANGES_IN_A_ROW } from '../changes/change-store.ts'
import type { CheckedDocument } from './document-check.ts'
import type { CollectionScope, DocumentRow } from './document-store.ts'

export interface NewDocument {
  document: DocumentRow
  prepared: CheckedDocument
}

export interface NewSet extends CollectionScope {
  /** The settings that the documents were checked against. */
  settings_version: number
  /** Of all documents together. */
  bytes: number
  now: Date
  documents: readonly NewDocument[]
}

const text = `
  with locked as (
    select from collections
    where project_id = $1::uuid and id = $2::uuid and settings_version = $3::integer
      and document_count + $5::integer <= ${limits.documents_per_collection_max}
    for no key update
  ), allowed as (
    select m.bytes_max from locked, projects as p
      join unnest($6::text[], $7::bigint[]) as m (plan, bytes_max) on m.plan = p.plan
    where p.id = $1 and $4::bigint <= m.bytes_max
  ), charged as (
    insert into data_usage as u (project_id, bytes)
    select $1, $4 from allowed
    on conflict (project_id) do update set bytes = u.bytes + $4
    where u.bytes + $4 <= (select bytes_max from allowed)
    returning 1
  ), counted as (
    update collections
    set document_count = document_count + $5, bytes = bytes + $4, change_number = change_number + $5
    where project_id = $1 and id = $2 and exists (select from charged)
    returning change_number - $5 as before
  ), written as (
    insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
      created_at, updated_at)
    select $1, $2, d.id, d.data, 1, d.source, d.bytes, d.test, $8::timestamptz, $8
    from counted, rows from (unnest($9::uuid[]), jsonb_array_elements($10::jsonb),
      unnest($11::text[]), unnest($12::integer[]), unnest($13::boolean[]))
      as d (id, data, source, bytes, test)
  ), keyed as (
    insert into document_keys (project_id, collection_id, document_id, field, key, digest)
    select $1, $2, n.document_id, n.field, n.key, n.digest
    from counted, unnest($14::uuid[], $15::text[], $16::bytea[], $17::bytea[])
      as n (document_id, field, key, digest)
  )
  insert into document_changes (project_id, collection_id, number, kind, document_ids, version,
    created_at)
  select $1, $2, counted.before + first, 'created',
    ($9::uuid[])[first:first + ${CHANGES_IN_A_ROW - 1}], 1, $8
  from counted, generate_series(1, $5, ${CHANGES_IN_A_ROW}) as first`

const planNames = Object.keys(plans)
const planBytes = Object.values(plans).map(({ data_bytes_max }) => data_bytes_max)

/**
 * The statement for a set. It writes nothing if the collection was deleted, if its settings have
 * changed, or if the set exceeds a limit. It fails with a unique violation if another document has
 * a unique value of the set.
 */
export function insertNewQuery(set: NewSet): CompiledQuery {
  const { project_id, collection_id, settings_version, bytes, now, documents } = set
  const keys = documents.flatMap(({ document, prepared }) =>
    prepared.keys.map((key) => ({ document_id: document.id, ...key })),
  )
  return CompiledQuery.raw(text, [
    project_id,
    collection_id,
    settings_version,
    bytes,
    documents.length,
    planNames,
    planBytes,
    now,
    documents.map(({ document }) => document.id),
    `[${documents.map(({ prepared }) => prepared.text).join(',')}]`,
    documents.map(({ document }) => document.source),
    documents.map(({ document }) => document.bytes),
    documents.map(({ document }) => document.test),
    keys.map(({ document_id }) => document_id),
    keys.map(({ field }) => field),
    keys.map(({ key }) => key),
    keys.map(({ digest }) => digest),
  ])
}
