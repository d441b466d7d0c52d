/**
 * A process that runs jobs until it is killed, for the test that kills it. It says on stdout how
 * far it is with each job, one line each, so that the test can choose its moments.
 */
import { Type } from 'typebox'
import { sql } from 'kysely'
import { job, startJobs } from '../../server/kernel/jobs.ts'
import { openBareHouse, standingClock } from './bare-house.ts'

/** Writes one row for its order. The table has no unique index: a second effect would show. */
export const shipOrder = job({
  name: 'crash_test.ship_order',
  payload: Type.Object({ order_id: Type.String() }),
  retry_after_s: [],
  async run({ payload, finish }) {
    say('begun')
    await finish(async (tx) => {
      await sql`insert into shipped (order_id) values (${payload.order_id})`.execute(tx)
      say('written')
    })
    say('kept')
  },
})

function say(line: string): void {
  if (import.meta.main) process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  const { connection, offset_s } = JSON.parse(process.argv[2] ?? '{}')
  const house = openBareHouse(connection, standingClock(offset_s))
  startJobs(house, { jobs: [shipOrder], reconcilers: [] })
}
