/**
 * Pagination of lists: `limit` and `cursor` in the query, `{data, next_cursor}` in the reply,
 * newest first. A cursor is valid for one list of one project.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { pageOf, readCursor, writeCursor, type Page } from '../../kernel/database/page.ts'
import type { Caller } from '../caller.ts'
import { Problem } from '../errors.ts'
import { limits } from '../limits.ts'

const exampleCursor = 'MDE5YWFmZTItN2MzYS03ZDQxLTlmNTItM2I4ZTZhMWM0ZDIw.q3VtT0xJc2RfUjdh'

export const PageQuery = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: limits.page_limit_max,
      default: limits.page_limit_default,
      description: 'Maximum number of records to return.',
    }),
    cursor: Type.Optional(
      Type.String({ description: 'next_cursor of the previous page.', examples: [exampleCursor] }),
    ),
  },
  { additionalProperties: false },
)
export type PageQuery = Static<typeof PageQuery>

/** The reply schema of a list of `items`. */
export function PageReply<Item extends TSchema>(items: Item) {
  return Type.Object({
    data: Type.Array(items, { description: 'One page of the list, newest first.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Cursor of the next page; null on the last page.',
      examples: [exampleCursor],
    }),
  })
}

export interface PageReading<Row> {
  /** Name of the list, for example `calls`; part of the cursor's MAC. */
  list: string
  query: PageQuery
  /** Reads up to `count` rows after the id `after`; null means from the start. */
  read(count: number, after: string | null): Promise<Row[]>
  /** The approximate size of a row in the reply, if rows may be large. */
  bytesOf?(row: Row): number
  /** Whether a short page is not the last one, because the search for more ended at this row. */
  goesOn?(row: Row): boolean
}

/**
 * Reads one page, and one extra row to know whether there is a next page. The page ends at the limit
 * or before the row that would make it too large.
 */
export async function readPage<Row extends { id: string }>(
  caller: Caller,
  { list, query, read, bytesOf = () => 0, goesOn = () => false }: PageReading<Row>,
): Promise<Page<Row>> {
  const { seal } = caller.runtime
  const name = `${list} ${caller.project.id}`
  const after = query.cursor === undefined ? null : readCursor(seal, name, query.cursor)
  if (query.cursor !== undefined && after === null) {
    throw new Problem('invalid_parameter', 'This cursor was not issued for this list.')
  }
  const rows = await read(query.limit + 1, after)
  let bytes = 0
  const fitting = rows.findIndex((row, index) => {
    bytes += bytesOf(row)
    return bytes > limits.page_bytes_max && index > 0
  })
  const count = fitting === -1 ? query.limit : Math.min(query.limit, fitting)
  const page = pageOf(rows, count, (last) => writeCursor(seal, name, last))
  const end = rows.at(-1)
  if (page.next_cursor !== null || end === undefined || !goesOn(end)) return page
  return { ...page, next_cursor: writeCursor(seal, name, end.id) }
}
