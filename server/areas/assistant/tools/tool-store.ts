/** SQL of the tools: their settings, the records that they read, and their daily counts. */
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { readCostly } from '../../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { CollectionsTable } from '../../../kernel/database/tables.ts'
import type { ToolSettings } from './tool-settings.ts'

/** Returns false if the assistant is not set up. */
export async function replaceTools(
  tx: Transaction,
  project_id: string,
  tools: ToolSettings,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('assistants')
    .set({ tools: JSON.stringify(tools) })
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type FoundCollection = Pick<Selectable<CollectionsTable>, 'id' | 'name' | 'schema'>

export function findCollections(
  db: Reader,
  project_id: string,
  names: readonly string[],
): Promise<FoundCollection[]> {
  return db
    .selectFrom('collections')
    .select(['id', 'name', 'schema'])
    .where('project_id', '=', project_id)
    .where('name', 'in', [...names, ''])
    .execute()
}

type Data = Readonly<Record<string, unknown>>

interface Search {
  project_id: string
  collection_id: string
  timeout_ms: number
}

/**
 * Normalizes like `fold`: lower case, no accents; replaces each run of other characters by
 * `between`.
 */
const folded = (text: RawBuilder<unknown>, between: '' | ' ') => sql`regexp_replace(translate(
  lower(${text}), 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿ', 'aaaaaaceeeeiiiinooooouuuuyy'),
  '[^[:alnum:]]+', ${between}::text, 'g')`

interface Identified {
  data: Data
  /** The folded values of the fields that identify it. */
  given: string[]
}

/** The record that has one of the values in each field of `match`; null unless exactly one does. */
export async function identify(
  db: Reader,
  search: Search & { match: readonly string[]; values: readonly string[] },
): Promise<Identified | null> {
  const { project_id, collection_id, timeout_ms, match, values } = search
  const stored = match.map((field) => folded(sql`data->>${field}::text`, ''))
  const equal = stored.map((value) => sql`${value} = any(${values}::text[])`)
  const query = sql<Identified>`select data, array[${sql.join(stored)}] as given from documents
    where project_id = ${project_id} and collection_id = ${collection_id}
      and ${sql.join(equal, sql` and `)} limit 2`
  const rows = await readCostly(db, { project_id, query: query.compile(db), timeout_ms })
  return rows.length === 1 ? rows[0]! : null
}

/** The records whose fields contain the most of the words, best first. */
export async function searchRows(
  db: Reader,
  search: Search & { fields: readonly string[]; words: readonly string[]; count: number },
): Promise<Data[]> {
  const { project_id, collection_id, timeout_ms, fields, words, count } = search
  if (words.length === 0) return []
  const values = sql.join(fields.map((field) => sql`data->>${field}::text`))
  const query = sql<{ data: Data }>`
    select data from (
      select data, id, (
        select count(*) from unnest(${words}::text[]) as word
        where told.text like '% ' || word || '%'
      ) as hits
      from documents cross join lateral (
        select ' ' || ${folded(sql`concat_ws(' ', ${values})`, ' ')} as text
        offset 0 -- Without it, the text would be folded again for each word.
      ) as told
      where project_id = ${project_id} and collection_id = ${collection_id}
    ) as found where hits > 0 order by hits desc, id limit ${count}`
  const rows = await readCostly(db, { project_id, query: query.compile(db), timeout_ms })
  return rows.map(({ data }) => data)
}

export interface CountedUse {
  project_id: string
  tool: string
  test: boolean
  day: string
  uses_max: number
}

/** Counts one more use. Returns false, counting nothing, if the maximum of the day is reached. */
export async function countUse(tx: Transaction, use: CountedUse): Promise<boolean> {
  const { project_id, tool, test, day, uses_max } = use
  const { rows } = await sql`
    insert into assistant_tool_days as used (project_id, tool, test, day, uses)
    values (${project_id}, ${tool}, ${test}, ${day}, 1)
    on conflict (project_id, tool, test) do update set
      day = excluded.day,
      uses = case when used.day = excluded.day then used.uses + 1 else 1 end
    where used.day <> excluded.day or used.uses < ${uses_max}
    returning uses`.execute(tx)
  return rows.length > 0
}

/** Takes a use back that was counted. */
export async function uncountUse(
  tx: Transaction,
  { project_id, tool, test, day }: Omit<CountedUse, 'uses_max'>,
): Promise<void> {
  await tx
    .updateTable('assistant_tool_days')
    .set({ uses: sql`greatest(uses - 1, 0)` })
    .where('project_id', '=', project_id)
    .where('tool', '=', tool)
    .where('test', '=', test)
    .where('day', '=', day)
    .execute()
}

/** The uses of the day by tool. */
export async function listUses(
  db: Reader,
  { project_id, test, day }: Omit<CountedUse, 'tool' | 'uses_max'>,
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('assistant_tool_days')
    .select(['tool', 'uses'])
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('day', '=', day)
    .execute()
  return new Map(rows.map(({ tool, uses }) => [tool, uses]))
}
