/** SQL of the assistant: its row and its passages. */
import { sql } from 'kysely'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { Profile } from './profile.ts'
import type { ToolSettings } from './tools/tool-settings.ts'

export type PassageSource = 'fact' | 'instruction' | 'website' | 'document'

export interface StoredAssistant {
  profile: Profile
  tools: ToolSettings
  version: number
  updated_at: Date
}

export interface NewPassage {
  title: string
  body: string
  url: string | null
  language: string
  /** Title and body, case-folded. */
  folded: string
}

/** The source of facts and instructions, which belong to the settings. */
const SETTINGS = '00000000-0000-0000-0000-000000000000'

export async function find(db: Reader, project_id: string): Promise<StoredAssistant | null> {
  const row = await db
    .selectFrom('assistants')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  if (row === undefined) return null
  const { version, updated_at, transfer_phone, transfer_email, ...rest } = row
  const transfer = { phone: transfer_phone, email: transfer_email }
  const { name, greeting, instructions, languages, voice, model, timezone } = rest
  const { website_url, facts } = rest
  const texts = { name, greeting, instructions, languages, voice, model, timezone }
  const { opening_hours, closures } = rest
  return {
    profile: { ...texts, website_url, facts, opening_hours, closures, transfer },
    tools: row.tools,
    version,
    updated_at,
  }
}

export async function exists(db: Reader, project_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('assistants')
    .select('version')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return row !== undefined
}

export interface ProfileWrite {
  project_id: string
  profile: Profile
  now: Date
}

/**
 * Locks the row until the transaction ends and returns its state. Inserts one first if there is
 * none.
 */
export async function lockProfile(tx: Transaction, { project_id, profile, now }: ProfileWrite) {
  const columns = { project_id, version: 0, ...columnsOf(profile), updated_at: now }
  await tx
    .insertInto('assistants')
    .values(columns)
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute()
  return tx
    .selectFrom('assistants')
    .select(['version', 'website_url', 'model'])
    .where('project_id', '=', project_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Updates the locked row. */
export async function replaceProfile(tx: Transaction, write: ProfileWrite & { version: number }) {
  await tx
    .updateTable('assistants')
    .set({ ...columnsOf(write.profile), version: write.version, updated_at: write.now })
    .where('project_id', '=', write.project_id)
    .execute()
}

function columnsOf({ transfer, opening_hours, closures, facts, ...rest }: Profile) {
  const { name, greeting, instructions, languages, voice, model, timezone, website_url } = rest
  return {
    name,
    greeting,
    instructions,
    languages,
    voice,
    model,
    timezone,
    website_url,
    opening_hours: JSON.stringify(opening_hours),
    closures: JSON.stringify(closures),
    facts: JSON.stringify(facts),
    transfer_phone: transfer.phone,
    transfer_email: transfer.email,
  }
}

export interface PassagesWrite {
  project_id: string
  source: PassageSource
  passages: readonly NewPassage[]
}

/** Replaces all facts, or all sentences of the instructions. */
export async function replacePassages(tx: Transaction, write: PassagesWrite): Promise<void> {
  const { project_id, source, passages } = write
  await tx
    .deleteFrom('assistant_passages')
    .where('project_id', '=', project_id)
    .where('source_id', '=', SETTINGS)
    .where('source', '=', source)
    .execute()
  if (passages.length === 0) return
  // One statement for any number of rows, so that its query plan is reused.
  await sql`
    insert into assistant_passages (project_id, source_id, source, position, title, body, url,
      language, folded)
    select ${project_id}, ${SETTINGS}, ${source}, row_number() over (), title, body, url, language,
      folded
    from jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as item (title text, body text,
      url text, language text, folded text)
  `.execute(tx)
}

export interface ChunksWrite {
  project_id: string
  source_id: string
  source: PassageSource
  /** Replaces the chunks of this page; null: all chunks of the source. */
  url: string | null
  passages: readonly NewPassage[]
  /** Maximum number of chunks of all sources of the project; the rest is omitted. */
  chunks_max: number
}

/** Replaces chunks of a source. Returns how many were stored. */
export async function replaceChunks(tx: Transaction, write: ChunksWrite): Promise<number> {
  const { project_id, source_id, source, url, passages, chunks_max } = write
  const key = `chunks of the assistant of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  await sql`delete from assistant_passages where project_id = ${project_id}
    and source_id = ${source_id} and (${url}::text is null or url = ${url})`.execute(tx)
  if (passages.length === 0) return 0
  const { numAffectedRows } = await sql`
    with known as (
      select count(*) as count,
        coalesce(max(position) filter (where source_id = ${source_id}), 0) as last
      from assistant_passages
      where project_id = ${project_id} and source_id <> ${SETTINGS} and document_id is null
    )
    insert into assistant_passages (project_id, source_id, source, position, title, body, url,
      language, folded)
    select ${project_id}, ${source_id}, ${source}, known.last + item.n, title, body, url, language,
      folded
    from known cross join rows from (
      jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as (title text, body text, url text,
        language text, folded text)
    ) with ordinality as item (title, body, url, language, folded, n)
    where known.count + item.n <= ${chunks_max}
  `.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export interface DocumentsWrite {
  project_id: string
  collection_id: string
  passages: readonly (NewPassage & { document_id: string })[]
  /** Maximum number of passages of documents per project; the rest is omitted. */
  documents_max: number
}

/** Appends passages of documents up to the maximum. */
export async function addDocuments(tx: Transaction, write: DocumentsWrite): Promise<void> {
  const { project_id, collection_id, passages, documents_max } = write
  const key = `documents of the assistant of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  await sql`
    with known as (
      select count(*) as count, coalesce(max(position), 0) as last from assistant_passages
      where project_id = ${project_id} and document_id is not null
    )
    insert into assistant_passages (project_id, source_id, source, position, document_id, title,
      body, url, language, folded)
    select ${project_id}, ${collection_id}, 'document', known.last + item.n, document_id, title,
      body, url, language, folded
    from known cross join rows from (
      jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as (document_id uuid, title text,
        body text, url text, language text, folded text)
    ) with ordinality as item (document_id, title, body, url, language, folded, n)
    where known.count + item.n <= ${documents_max}
  `.execute(tx)
}

export async function removeDocuments(
  tx: Transaction,
  project_id: string,
  document_ids: readonly string[],
): Promise<void> {
  await sql`delete from assistant_passages
    where project_id = ${project_id} and document_id = any(${document_ids}::uuid[])
      and document_id is not null`.execute(tx)
}

export async function removeCollection(
  tx: Transaction,
  project_id: string,
  collection_id: string,
): Promise<void> {
  await sql`delete from assistant_passages
    where project_id = ${project_id} and source_id = ${collection_id}`.execute(tx)
}

export interface StoredPassage {
  source: PassageSource
  title: string
  body: string
  language: string
}

/** All passages of a project, facts first. A text that several pages have is returned once. */
export async function readPassages(db: Reader, project_id: string): Promise<StoredPassage[]> {
  const { rows } = await sql<StoredPassage>`
    select source, title, body, language from (
      select distinct on (source, title, body) source, title, body, language, source_id, position
      from assistant_passages where project_id = ${project_id}
      order by source, title, body, source_id, position
    ) as passage order by source, source_id, position`.execute(db)
  return rows
}

export interface PassageSearch {
  project_id: string
  /** Case-folded. */
  question: string
  count: number
  timeout_ms: number
  /** Aborting it ends the wait for a connection. */
  signal: AbortSignal
}

/**
 * The passages with words of the question, each compared in the language of the passage, and all
 * facts and sentences of the instructions. Reads the passages of one project, whose number is
 * limited.
 */
export function searchPassages(
  db: Reader,
  { project_id, question, count, ...bounds }: PassageSearch,
): Promise<StoredPassage[]> {
  const query = sql<StoredPassage>`
    with asked as materialized (
      select language, replace(
        plainto_tsquery(assistant_text_config(language), ${question})::text, ' & ', ' | '
      )::tsquery as query
      from (
        select distinct language from assistant_passages where project_id = ${project_id}
      ) as spoken
    ), found as materialized (
      select source, title, body, p.language, ts_rank_cd(words, query, 1) as rank
      from assistant_passages as p join asked on asked.language = p.language
      where project_id = ${project_id} and source not in ('fact', 'instruction') and words @@ query
      order by rank desc limit ${count}
    )
    select distinct on (source, title, body) source, title, body, language from (
      select source, title, body, language from assistant_passages
      where project_id = ${project_id} and source in ('fact', 'instruction')
      union all select source, title, body, language from found
    ) as passage order by source, title, body`
  return readCostly(db, { project_id, query: query.compile(db), ...bounds })
}

/** The passages with words that are spelled most like those of the question. Reads all of them. */
export function searchSimilar(
  db: Reader,
  { project_id, question, count, ...bounds }: PassageSearch,
): Promise<StoredPassage[]> {
  const query = sql<StoredPassage>`
    select source, title, body, language from assistant_passages
    where project_id = ${project_id} and source not in ('fact', 'instruction')
    order by assistant_likeness(${question}, folded) desc limit ${count}`
  return readCostly(db, { project_id, query: query.compile(db), ...bounds })
}

/** The origin of a passage: the address of its page, and the id of its source. */
export interface FoundSource {
  url: string | null
  source_id: string
}

/** Finds the origin of passages by their text. If several have it, facts come first. */
export async function findSources(
  db: Reader,
  project_id: string,
  bodies: readonly string[],
): Promise<Map<string, FoundSource>> {
  if (bodies.length === 0) return new Map()
  const { rows } = await sql<FoundSource & { body: string }>`
    select distinct on (body) body, url, case source_id
      when ${SETTINGS} then source || ':' || position else source_id::text end as source_id
    from assistant_passages where project_id = ${project_id} and body = any(${bodies}::text[])
    order by body, source, source_id, position`.execute(db)
  return new Map(rows.map(({ body, ...found }) => [body, found]))
}

/**
 * Counts at most `count_max` passages, and returns a mark of these that changes with each write (by
 * the transaction ids of the rows).
 */
export async function readPassagesMark(
  db: Reader,
  { project_id, count_max }: { project_id: string; count_max: number },
): Promise<{ count: number; mark: string }> {
  const { rows } = await sql<{ count: number; mark: string }>`
    select count(*)::int as count,
      concat_ws(' ', count(*), sum(version), max(version)) as mark
    from (
      select xmin::text::bigint as version from assistant_passages
      where project_id = ${project_id} limit ${count_max}
    ) as counted`.execute(db)
  return rows[0] ?? { count: 0, mark: '' }
}
