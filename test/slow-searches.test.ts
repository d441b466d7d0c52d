/** Searches that take too long, over HTTP. A lock on a table makes them wait. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { slugOf } from './fixtures/data/data.ts'
import { eventually } from './fixtures/eventually.ts'
import { openTestRuntime } from './fixtures/runtime.ts'

const { call, connection } = await openTestRuntime({ work: false })
const holder = new pg.Client(connection)
holder.on('error', () => {})
await holder.connect()
after(() => holder.end())

const searches = [
  { path: '/conversations', table: 'conversation_messages' },
  { path: '/calls', table: 'calls' },
  { path: '/media', table: 'media' },
] as const

for (const { path, table } of searches) {
  test(`GET ${path}?q= uses at most three connections of a project, for three seconds`, async () => {
    const countWaiting = async (): Promise<number> => {
      const { rows } = await holder.query(
        `select count(*)::int as n from pg_locks
         where relation = '${table}'::regclass and not granted`,
      )
      return rows[0].n
    }
    await holder.query('begin')
    await holder.query(`lock table ${table} in access exclusive mode`)
    const asked = Array.from({ length: 5 }, () => call(`GET ${path}?q=park`))
    await eventually(async () => (await countWaiting()) === 3)
    assert.equal((await call('GET /assistant')).status, 200)
    assert.equal(await countWaiting(), 3)
    const first = await Promise.race(asked)
    assert.deepEqual([first.status, slugOf(first)], [400, 'invalid_parameter'], first.text)
    assert.match(first.body.detail, /more than 3 seconds/)
    assert.match(first.body.next_step, /fewer words/)
    await holder.query('rollback')
    await Promise.all(asked)
    assert.equal((await call(`GET ${path}?q=park`)).status, 200)
  })
}
