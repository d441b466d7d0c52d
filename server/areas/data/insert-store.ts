/**
 * The SQL of sets in which each document is new and written once, which is how most are written:
 * counting them, numbering their changes and writing them is one statement. What all of them have
 * in common it is told once, and their data come as one JSON array, which nothing has to quote. It
 * takes the lock of the collection by itself, so it can also be a whole transaction, and be sent while
 * the one before it has the lock.
 */
import type { Reader } from '../../kernel/database/database.ts'
import { runStatement } from '../../kernel/database/driver/statement.ts'
import type { Value } from '../../kernel/database/driver/messages.ts'
import { parameterOf } from '../../kernel/database/driver/parameter.ts'
import { CHANGES_IN_A_ROW } from './change-store.ts'
import type { DocumentRow, Place } from './document-store.ts'
import type { FieldKey } from './judge.ts'

export interface NewDocument extends Pick<DocumentRow, 'id' | 'source' | 'bytes' | 'test'> {
  text: string
  keys: readonly FieldKey[]
}

/** Which write a collection was left by, and the plan its project had then. */
interface Basis {
  write_id: string
  plan: string
}

export interface NewSet extends Place {
  /** Of all of them. */
  bytes: number
  bytes_max: number
  now: Date
  documents: readonly NewDocument[]
  /** Of this write, never used before. */
  write_id: string
  /** Only if the collection is still what they were judged by; null: whoever asks holds its lock. */
  judged_by: Basis | null
}

// Whoever waited for the lock has the row as it was left, and looks at that.
const text = `
  with locked as (
    select c.write_id, c.write_xid = c.xmin as is_left from collections as c
    where c.project_id = $1::uuid and c.id = $2::uuid
    for no key update
  ), judged as (
    select from locked as l
    where $18::uuid is null or (l.write_id = $18 and l.is_left
      and exists (select from projects as p where p.id = $1 and p.plan = $19::text))
  ), charged as (
    insert into data_usage as u (project_id, bytes)
    select $1, greatest($3::bigint, 0) from judged where $3::bigint <= $4::bigint
    on conflict (project_id) do update set bytes = u.bytes + $3::bigint
    where $3::bigint <= 0 or u.bytes + $3::bigint <= $4::bigint
    returning 1
  ), counted as (
    update collections
    set document_count = document_count + $5::integer, bytes = bytes + $3::bigint,
      change_number = change_number + $5::integer, write_id = $17::uuid,
      write_xid = pg_current_xact_id()::xid
    where project_id = $1 and id = $2 and exists (select from charged)
    returning change_number - $5::integer as before
  ), written as (
    insert into documents (project_id, collection_id, id, data, version, source, bytes, test,
      created_at, updated_at)
    select $1, $2, d.id, d.data, 1, d.source, d.bytes, d.test, $6::timestamptz, $6::timestamptz
    from counted, rows from (unnest($7::uuid[]), jsonb_array_elements($8::jsonb),
      unnest($9::text[]), unnest($10::integer[]), unnest($11::boolean[]))
      as d (id, data, source, bytes, test)
  ), keyed as (
    insert into document_keys (project_id, collection_id, document_id, field, key, digest)
    select $1, $2, ($7::uuid[])[n.place], ($12::text[])[n.field], n.key, n.digest
    from counted, unnest($13::integer[], $14::integer[], $15::bytea[], $16::bytea[])
      as n (place, field, key, digest)
  )
  insert into document_changes (project_id, collection_id, number, kind, document_ids, version,
    created_at)
  select $1, $2, counted.before + first, 'created',
    ($7::uuid[])[first:first + ${CHANGES_IN_A_ROW - 1}], 1, $6
  from counted, generate_series(1, $5::integer, ${CHANGES_IN_A_ROW}) as first`

/** A set as PostgreSQL is sent it. */
export type Insertion = readonly Value[]

export function insertionOf(set: NewSet): Insertion {
  const { project_id, collection_id, bytes, bytes_max, now, documents, write_id, judged_by } = set
  const keys = keysOf(documents)
  return [
    project_id,
    collection_id,
    bytes,
    bytes_max,
    documents.length,
    now,
    documents.map(({ id }) => id),
    `[${documents.map((one) => one.text).join(',')}]`,
    documents.map(({ source }) => source),
    documents.map((one) => one.bytes),
    documents.map(({ test }) => test),
    keys.names,
    keys.places,
    keys.fields,
    keys.keys,
    keys.digests,
    write_id,
    judged_by?.write_id,
    judged_by?.plan,
  ].map(parameterOf)
}

/**
 * Whether they were written. If not, nothing was done: the project would have more than its plan
 * allows, or the collection is not what they were judged by.
 */
export async function insertNew(db: Reader, insertion: Insertion): Promise<boolean> {
  const { changed } = await runStatement(db, text, insertion)
  return changed > 0
}

/** Documents and fields by their numbers, which begin at one. */
function keysOf(documents: readonly NewDocument[]) {
  const names: string[] = []
  const places: number[] = []
  const fields: number[] = []
  const keys: Buffer[] = []
  const digests: (Buffer | null)[] = []
  for (const [at, document] of documents.entries()) {
    for (const { field, key, digest } of document.keys) {
      const known = names.indexOf(field)
      places.push(at + 1)
      fields.push(known === -1 ? names.push(field) : known + 1)
      keys.push(key)
      digests.push(digest)
    }
  }
  return { names, places, fields, keys, digests }
}
