/** Runs costly selects of documents. Cancels each after `query_s_max`. */
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import * as costly from '../../../../kernel/database/costly-read.ts'
import { StatementTimeout, type Reader } from '../../../../kernel/database/database.ts'
import type { Sql } from './value-sql.ts'

export async function readCostly<Row>(
  db: Reader,
  project_id: string,
  query: Sql<Row>,
): Promise<Row[]> {
  const timeout_ms = limits.query_s_max * 1000
  try {
    return await costly.readCostly(db, { project_id, query: query.compile(db), timeout_ms })
  } catch (error) {
    throw error instanceof StatementTimeout ? tooCostly(error) : error
  }
}

function tooCostly(cause: StatementTimeout): Problem {
  const detail = `This needs more than ${limits.query_s_max} seconds to be looked up.`
  return new Problem('invalid_parameter', detail, {
    cause,
    user_message: 'This question takes too long to answer for a collection of this size.',
    next_step:
      'Ask with fewer comparisons, without q, or for a shorter time. Compare a field of the ' +
      "collection's indexes with = or a range, and add the field to indexes if it is not there.",
  })
}
