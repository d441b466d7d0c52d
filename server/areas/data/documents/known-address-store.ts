/** The SQL that looks for email addresses in the documents of a project. */
import { sql } from 'kysely'
import { readCostly } from '../../../kernel/database/costly-read.ts'
import type { Reader } from '../../../kernel/database/database.ts'

const TIMEOUT_MS = 10_000

export interface KnownAddress {
  /** In lower case. */
  address: string
  /** Whether a visitor or a person of the team wrote it in one of the documents; otherwise software did. */
  by_people: boolean
}

/**
 * Returns those of the addresses, given in lower case, that are in a document. Forms and the portal are
 * people; keys, apps, agents and imports are software. A document that changed counts with its first
 * version, because software may have changed it. Documents created at `imported_at` or before came with
 * the import of the project, and count as software. Throws `StatementTimeout`.
 */
export function findAddressesInDocuments(
  db: Reader,
  {
    project_id,
    addresses,
    imported_at,
  }: { project_id: string; addresses: readonly string[]; imported_at: Date | null },
): Promise<KnownAddress[]> {
  const query = sql<KnownAddress>`
    with current as materialized (
      select collection_id, id, version, lower(data::text) as text, source in ('form', 'portal')
        and created_at > coalesce(${imported_at}::timestamptz, '-infinity') as by_people
      from documents where project_id = ${project_id} and strpos(data::text, '@') > 0
    ), texts as materialized (
      select text, true as is_current, by_people and version = 1 as by_people from current
      union all
      select lower(v.data::text), false, true from current as c
        join document_versions as v on v.project_id = ${project_id}
          and v.collection_id = c.collection_id and v.document_id = c.id and v.version = 1
      where c.by_people and c.version > 1 and strpos(v.data::text, '@') > 0
    )
    select wanted.address, bool_or(texts.by_people) as by_people
    from unnest(${addresses}::text[]) as wanted (address)
    join texts on strpos(texts.text, wanted.address) > 0
      and texts.text ~ ('(^|[^a-z0-9._%+-])' || regexp_replace(wanted.address, '([^a-z0-9@_])', '\\\\\\1', 'g')
        || '($|[^a-z0-9.-]|\\.($|[^a-z0-9]))')
    group by wanted.address having bool_or(texts.is_current)`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}
