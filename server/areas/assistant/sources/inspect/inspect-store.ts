/** SQL of the indexed passages. */
import { sql } from 'kysely'
import { limits } from '../../../../contract/limits.ts'
import { readCostly } from '../../../../kernel/database/costly-read.ts'
import type { Reader } from '../../../../kernel/database/database.ts'

export interface KnowledgeCounts {
  sources: number
  chunks: number
  documents: number
}

/** Counts the items that the limits of knowledge restrict. */
export async function countKnowledge(db: Reader, project_id: string): Promise<KnowledgeCounts> {
  const { rows } = await sql<KnowledgeCounts>`
    select (select count(*)::int from assistant_sources
        where project_id = ${project_id} and managed_by = 'sources') as sources,
      (count(*) filter (where document_id is null and source not in ('fact', 'instruction')))::int
        as chunks,
      (count(*) filter (where document_id is not null))::int as documents
    from assistant_passages where project_id = ${project_id}`.execute(db)
  return rows[0] ?? { sources: 0, chunks: 0, documents: 0 }
}

export interface PassageRow {
  /** The position in the source. */
  id: string
  title: string
  text: string
  url: string | null
}

export interface PassagePage {
  project_id: string
  source_id: string
  /** Case-folded words that a passage must contain; empty for all passages. */
  words: string
  count: number
  after: string | null
}

/** In the order of reading. A search throws `StatementTimeout` after `assistant_search_s_max`. */
export async function listPassages(db: Reader, page: PassagePage): Promise<PassageRow[]> {
  const { project_id, source_id, words, count, after } = page
  const query = sql<PassageRow>`
    select position::text as id, title, body as text, nullif(url, '') as url
    from assistant_passages
    where project_id = ${project_id} and source_id = ${source_id}
      and position > ${Number(after ?? 0)} and folded like ${`%${words}%`}
    order by position limit ${count}`
  if (words === '') return (await query.execute(db)).rows
  const timeout_ms = limits.assistant_search_s_max * 1000
  return readCostly(db, { project_id, query: query.compile(db), timeout_ms })
}
