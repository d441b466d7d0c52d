/**
 * The SQL of sets in which documents are only made, which is how most are written: counting them,
 * numbering their changes and writing them is one statement.
 */
import type { Transaction } from '../../kernel/database.ts'
import { runStatement } from '../../kernel/statement.ts'
import type { Books, Rows } from './document-store.ts'

const text = `
  with charged as (
    insert into data_usage as u (project_id, bytes)
    select $1::uuid, greatest($3::bigint, 0) where $3::bigint <= $4::bigint
    on conflict (project_id) do update set bytes = u.bytes + $3::bigint
    where $3::bigint <= 0 or u.bytes + $3::bigint <= $4::bigint
    returning 1
  ), counted as (
    update collections
    set document_count = document_count + $5::integer, bytes = bytes + $3::bigint,
      change_number = change_number + $6::bigint
    where project_id = $1 and id = $2::uuid and exists (select from charged)
    returning change_number - $6::bigint as before
  ), written as (
    insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
      created_at, updated_at)
    select $1, $2, d.id, d.data::jsonb, d.version, d.source, d.bytes, d.test, d.created_at,
      d.updated_at
    from counted, unnest($7::uuid[], $8::text[], $9::integer[], $10::text[], $11::integer[],
      $12::boolean[], $13::timestamptz[], $14::timestamptz[])
      as d (id, data, version, source, bytes, test, created_at, updated_at)
  ), keyed as (
    insert into document_keys (project_id, collection_id, document_id, field, key, digest)
    select $1, $2, n.document_id, n.field, n.key, n.digest
    from counted, unnest($15::uuid[], $16::text[], $17::bytea[], $18::bytea[])
      as n (document_id, field, key, digest)
  )
  insert into document_changes (project_id, collection_id, number, kind, document_id, version,
    created_at)
  select $1, $2, counted.before + e.place, e.kind, e.document_id, e.version, e.created_at
  from counted, unnest($19::text[], $20::uuid[], $21::integer[], $22::timestamptz[])
    with ordinality as e (kind, document_id, version, created_at, place)`

/**
 * Writes documents that are new. False, and nothing is done, when the documents of the project
 * would grow beyond what its plan allows.
 */
export async function insertBooked(
  tx: Transaction,
  { books, rows, keys }: { books: Books } & Pick<Rows, 'rows' | 'keys'>,
): Promise<boolean> {
  const { project_id, collection_id, documents, bytes, bytes_max, entries } = books
  const { changed } = await runStatement(tx, text, [
    ...[project_id, collection_id, bytes, bytes_max, documents, entries.length],
    rows.map(({ id }) => id),
    rows.map((row) => row.text),
    rows.map(({ version }) => version),
    rows.map(({ source }) => source),
    rows.map((row) => row.bytes),
    rows.map(({ test }) => test),
    rows.map(({ created_at }) => created_at),
    rows.map(({ updated_at }) => updated_at),
    keys.map(({ document_id }) => document_id),
    keys.map(({ field }) => field),
    keys.map(({ key }) => key),
    keys.map(({ digest }) => digest),
    entries.map(({ kind }) => kind),
    entries.map(({ document_id }) => document_id),
    entries.map(({ version }) => version),
    entries.map(({ created_at }) => created_at),
  ])
  return changed === entries.length
}
