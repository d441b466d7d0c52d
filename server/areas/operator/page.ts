/** One page of a list of the console, like `readPage` of the contract for a project. */
import { Problem } from '../../contract/errors.ts'
import type { PersonCaller } from '../../contract/people.ts'
import type { PageQuery } from '../../contract/schema/pages.ts'
import { limits } from '../../contract/limits.ts'
import { refuseSlowSearch } from '../../contract/problems/search-timeout.ts'
import { pageOf, readCursor, writeCursor, type Page } from '../../kernel/database/page.ts'

export interface ListReading<Row> {
  list: string
  query: PageQuery
  /** The other parameters, of which a refusal names one. */
  filter: object
  read(count: number, after: string | null): Promise<Row[]>
}

const refuseSlow = refuseSlowSearch(
  limits.operator_list_s_max,
  'Ask with another filter, or for fewer rows with limit.',
)

export async function readPage<Row extends { id: string }>(
  { runtime: { seal } }: Pick<PersonCaller, 'runtime'>,
  { list, query, filter, read }: ListReading<Row>,
): Promise<Page<Row>> {
  const { limit, cursor } = query
  const name = `operator ${list}`
  const after = cursor === undefined ? null : readCursor(seal, name, cursor)
  if (cursor !== undefined && after === null)
    throw new Problem('invalid_parameter', 'This cursor was not issued for this list.')
  const rows = await read(limit + 1, after).catch(refuseSlow(filter))
  return pageOf(rows, limit, (last) => writeCursor(seal, name, last))
}
