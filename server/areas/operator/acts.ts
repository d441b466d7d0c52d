/** The audit log: what operators did in the console and on the command line. */
import type { PersonCaller } from '../../contract/people.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { CSV_START, csvLine } from '../../kernel/tables/csv.ts'
import * as activity from '../activity/service.ts'
import { limits } from '../../contract/limits.ts'
import { refuseSlowSearch } from '../../contract/problems/search-timeout.ts'
import { readPage } from './page.ts'
import type { ActFilter, ActPage, ActQuery } from './schema-acts.ts'

const EXPORTED_MAX = 10_000
const PAGE = 1_000

export async function listActs(
  caller: Pick<PersonCaller, 'runtime' | 'db'>,
  { limit, cursor, ...filter }: ActQuery,
): Promise<ActPage> {
  return readPage(caller, {
    list: `acts ${JSON.stringify(Object.entries(filter).toSorted())}`,
    query: { limit, ...(cursor !== undefined && { cursor }) },
    filter,
    read: (count, after) => activity.listActs(caller.runtime, { count, after, filter }),
  })
}

const columns = [
  'created_at',
  'operator',
  'entry_point',
  'address',
  'operation',
  'project_id',
  'project_name',
  'resource_id',
  'resource_name',
  'note',
  'error',
  'input',
  'before',
  'after',
] as const

const refuseSlowExport = refuseSlowSearch(
  limits.operator_list_s_max,
  'Ask for a shorter period with from and to.',
)

/** The newest acts as CSV, newest first. */
export async function exportActs(
  runtime: Pick<Runtime, 'db'>,
  filter: ActFilter,
): Promise<{ csv: string; rows: number; is_complete: boolean }> {
  const lines: string[] = []
  let after: string | null = null
  for (;;) {
    const page = activity.listActs(runtime, { count: PAGE, after, filter })
    const acts: activity.Act[] = await page.catch(
      refuseSlowExport({ ...filter, from: filter.from ?? '' }),
    )
    lines.push(...acts.map(lineOf))
    after = acts.at(-1)?.id ?? null
    const is_last = acts.length < PAGE
    if (!is_last && lines.length < EXPORTED_MAX) continue
    const csv = CSV_START + csvLine(columns) + lines.join('')
    return { csv, rows: lines.length, is_complete: is_last }
  }
}

function lineOf(act: activity.Act): string {
  return csvLine(
    columns.map((column) => {
      const value = act[column]
      if (value === null || value === undefined) return undefined
      return typeof value === 'string' ? value : JSON.stringify(value)
    }),
  )
}
