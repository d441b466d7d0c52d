/**
 * Runs selects whose cost depends on the request: filters, sorts, searches, groups. Cancels each
 * after `query_s_max`, and limits the connections that one project can use.
 */
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { readWithin, StatementTimeout, type Reader } from '../../../../kernel/database/database.ts'
import { createSlots } from '../../../../kernel/limits/slots.ts'
import type { Sql } from './value-sql.ts'

/** All other requests share the ten connections of the pool. */
const slots = createSlots({
  name: 'documents are searched',
  units: 6,
  units_each: 3,
  waiting_max: 100,
  waiting_each_max: 30,
  wait_ms_max: 10_000,
  retry_after_s: 5,
})

export function readCostly<Row>(db: Reader, project_id: string, query: Sql<Row>): Promise<Row[]> {
  const timeout_ms = limits.query_s_max * 1000
  return slots.run(project_id, async () => {
    try {
      return await readWithin(db, { query: query.compile(db), timeout_ms })
    } catch (error) {
      throw error instanceof StatementTimeout ? tooCostly(error) : error
    }
  })
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
