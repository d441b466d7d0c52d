/**
 * Full-text search by regular expressions on the JSON text of documents. Field names are excluded
 * only for documents that match. There is no word index to maintain: the size of a collection and
 * early termination of ordered scans bound the cost.
 */
import { sql } from 'kysely'
import type { Reader } from '../../../../kernel/database/database.ts'
import { patternOf, type SearchWord } from '../search-words.ts'
import type { Sql } from './value-sql.ts'

/** Every pattern must match. */
export interface SearchPatterns {
  patterns: readonly string[]
}

export function searchSql({ patterns }: SearchPatterns): Sql<boolean> {
  const conditions = patterns.map((pattern) => {
    const wanted = sql`${pattern}::text`
    return sql`case when d.data::text ~ ${wanted} then ${valuesText} ~ ${wanted} else false end`
  })
  return sql`(${sql.join(conditions, sql` and `)})`
}

const valuesText = sql`jsonb_path_query_array(
  d.data, 'strict $.** ? (@.type() == "string" || @.type() == "number")')::text`

interface FormsRow extends SearchWord {
  is_stop_word: boolean
}

/**
 * Builds the patterns for the words in these languages. Drops stop words such as "the" unless there
 * are no other words.
 */
export async function searchFor(
  db: Reader,
  { languages, words }: { languages: readonly string[]; words: readonly string[] },
): Promise<SearchPatterns> {
  const { rows } = await sql<FormsRow>`
    select w.word, array_remove(array_agg(distinct form), null) as roots,
      bool_or(numnode(f.words) = 0) as is_stop_word
    from unnest(${[...words]}::text[]) with ordinality as w (word, place)
      cross join unnest(${[...languages]}::text[]) as spoken (language)
      cross join lateral (select plainto_tsquery(
        assistant_text_config(split_part(spoken.language, '-', 1)), w.word) as words) as f
      left join lateral unnest(tsvector_to_array(
        to_tsvector(assistant_text_config(split_part(spoken.language, '-', 1)), w.word))) as form
        on true
    group by w.word, w.place order by w.place
  `.execute(db)
  const telling = rows.filter(({ is_stop_word }) => !is_stop_word)
  return { patterns: (telling.length > 0 ? telling : rows).map(patternOf) }
}
