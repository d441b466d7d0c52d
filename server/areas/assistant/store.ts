/** SQL of the assistant: its row, its passages and the passage search. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { Profile } from './profile.ts'

export type PassageSource = 'fact' | 'instruction' | 'website' | 'document'

export interface StoredAssistant {
  profile: Profile
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
  /** Words of the title; words with a concept are replaced by it. */
  subject: string
  title_concepts: string[]
  /** Concepts of title and body. */
  concepts: string[]
}

export async function find(db: Reader, project_id: string): Promise<StoredAssistant | null> {
  const row = await db
    .selectFrom('assistants')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  if (row === undefined) return null
  const { version, updated_at, transfer_phone, transfer_email, ...rest } = row
  const transfer = { phone: transfer_phone, email: transfer_email }
  const { name, greeting, instructions, languages, voice, timezone, website_url, facts } = rest
  const texts = { name, greeting, instructions, languages, voice, timezone, website_url, facts }
  const { opening_hours, closures } = rest
  return { profile: { ...texts, opening_hours, closures, transfer }, version, updated_at }
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
    .select(['version', 'website_url'])
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
  const { name, greeting, instructions, languages, voice, timezone, website_url } = rest
  return {
    name,
    greeting,
    instructions,
    languages,
    voice,
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

/** Replaces all passages of a source. */
export async function replacePassages(tx: Transaction, write: PassagesWrite): Promise<void> {
  const { project_id, source, passages } = write
  await tx
    .deleteFrom('assistant_passages')
    .where('project_id', '=', project_id)
    .where('source', '=', source)
    .execute()
  if (passages.length === 0) return
  // One statement for any number of rows, so that its query plan is reused.
  await sql`
    insert into assistant_passages (project_id, source, position, title, body, url, language,
      folded, subject, title_concepts, concepts)
    select ${project_id}, ${source}, row_number() over (), title, body, url, language, folded,
      subject, title_concepts, concepts
    from jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as item (title text, body text,
      url text, language text, folded text, subject text, title_concepts text[], concepts text[])
  `.execute(tx)
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
      where project_id = ${project_id} and source = 'document'
    )
    insert into assistant_passages (project_id, source, position, collection_id, document_id,
      title, body, url, language, folded, subject, title_concepts, concepts)
    select ${project_id}, 'document', known.last + item.n, ${collection_id}, document_id, title,
      body, url, language, folded, subject, title_concepts, concepts
    from known cross join rows from (
      jsonb_to_recordset(${JSON.stringify(passages)}::jsonb) as (document_id uuid, title text,
        body text, url text, language text, folded text, subject text, title_concepts text[],
        concepts text[])
    ) with ordinality as item (document_id, title, body, url, language, folded, subject,
      title_concepts, concepts, n)
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
    where project_id = ${project_id} and collection_id = ${collection_id}
      and collection_id is not null`.execute(tx)
}

/** Reads the current website address and locks it against concurrent PUTs. */
export async function lockWebsite(tx: Transaction, project_id: string): Promise<string | null> {
  const row = await tx
    .selectFrom('assistants')
    .select('website_url')
    .where('project_id', '=', project_id)
    .forShare()
    .executeTakeFirst()
  return row?.website_url ?? null
}

export interface SearchQuestion {
  project_id: string
  language: string
  terms: readonly QuestionTerm[]
  limit: number
}

/** A term of a question: a word, its concept, or both. */
export interface QuestionTerm {
  word: string
  folded: string
  /** The stem by which related words are found. */
  root: string
  concept: string | null
}

export interface FoundPassage {
  source: PassageSource
  title: string
  body: string
  language: string
  score: number
}

const CANDIDATES_MAX = 60

/**
 * Finds the passages that cover most of a question. A term weighs more if fewer passages contain
 * it. A shared concept counts partly. Similarity by trigrams also counts partly; it is tried only
 * for terms without a match, on the questions of facts. The score is the covered share of the total
 * weight, averaged with the covered share of the fact's question. It serves as the confidence of an
 * answer.
 */
export async function searchPassages(
  db: Reader,
  question: SearchQuestion,
): Promise<FoundPassage[]> {
  const { project_id, limit } = question
  const { rows } = await sql<FoundPassage>`
    with ${asked(question)}, ${covered}
    select p.source, p.title, p.body, p.language,
      greatest(c.question, (c.question + t.share) / 2)::float8 as score
    from covered c
    join assistant_passages p
      on p.project_id = ${project_id} and p.source = c.source and p.position = c.position
    join asked on asked.language = p.language
    cross join lateral (
      select (
        (select count(*) from unnest(tsvector_to_array(p.title_words)) as word
          where word = any (asked.words))
        + (select count(*) from unnest(p.title_concepts) as concept
          where concept = any (asked.concepts))
      )::float8 / nullif(length(p.title_words) + cardinality(p.title_concepts), 0) as share
    ) as t
    order by score desc, c.rank desc, p.source, p.position limit ${limit}`.execute(db)
  return rows
}

/** The terms of the question as a CTE, stemmed in each language of the passages. */
function asked({ project_id, language, terms }: SearchQuestion) {
  return sql`term as (
    select row_number() over () as ord, item.*
    from jsonb_to_recordset(${JSON.stringify(terms)}::jsonb)
      as item (word text, folded text, root text, concept text)
    where word = ''
      or numnode(websearch_to_tsquery(assistant_text_config(${language}), word)) > 0
  ), passage as (
    select source, position, language, title, words, plain, title_concepts, concepts
    from assistant_passages where project_id = ${project_id}
  ), query as (
    select spoken.language, term.*,
      websearch_to_tsquery(assistant_text_config(spoken.language), word) as words,
      websearch_to_tsquery('pg_catalog.simple', folded) as plain,
      to_tsquery('pg_catalog.simple', case when root <> '' then root || ':*' end) as family
    from term cross join (select distinct language from passage) as spoken
  ), asked as (
    select language, array_agg(concept) as concepts,
      tsvector_to_array(
        to_tsvector(assistant_text_config(language), string_agg(word, ' '))
      ) as words
    from query group by language
  )`
}

/** The share of the question that each passage covers. */
const covered = sql`exact as (
    select p.source, p.position, p.title, q.ord, q.folded,
      case
        when p.words @@ q.words or p.plain @@ q.plain then 1
        when q.concept = any (p.title_concepts) or p.plain @@ q.family then 0.8
        when q.concept = any (p.concepts) then 0.5
        else 0
      end as value,
      case when p.words @@ q.words
        then ts_rank_cd('{0, 0, 0.5, 1}', p.words, q.words) else 0
      end as rank
    from passage p join query q on q.language = p.language
  ), nowhere as (
    select ord from exact group by ord having sum(value) = 0
  ), match as (
    select source, position, ord, rank,
      case when likeness >= 0.5 then 0.6 * likeness else value end as value
    from exact left join nowhere using (ord) left join lateral (
      select assistant_likeness(exact.folded, exact.title) as likeness
      where nowhere.ord is not null and exact.source = 'fact' and exact.folded <> ''
    ) as alike on true
  ), weight as (
    select ord, ln(1 + (select count(*) from passage) / (0.5 + greatest(1, sum(value)))) as weight
    from match group by ord
  ), covered as (
    select source, position, sum(weight * value) / sum(weight) as question, sum(rank) as rank
    from match join weight using (ord)
    group by source, position
    having sum(value) > 0
    order by question desc, rank desc limit ${CANDIDATES_MAX}
  )`
