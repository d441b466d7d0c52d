/**
 * Tests of limits of a plan, or of a spending cap, that is lowered while a request waits for a
 * lock: the request meets the new limit, because limits are read under the lock that counts.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import * as billing from '../server/areas/billing/service.ts'
import { plans } from '../server/contract/plans.ts'
import { microFromEuro } from '../server/kernel/values/money.ts'
import { eventually } from './fixtures/eventually.ts'
import { liveFixture, slugOfProblem } from './fixtures/live-projects.ts'
import { openTestRuntime } from './fixtures/runtime.ts'

/** A direct database connection, separate from those of the server. */
let beside = new pg.Client()
const fixture = await openTestRuntime({
  work: false,
  relay: async (connection) => {
    beside = new pg.Client(connection)
    await beside.connect()
    return { connection, close: () => beside.end() }
  },
})
const { runtime } = fixture

/** Starts the work, waits until it waits for a lock that `statement` takes, and commits. */
async function whileWaiting<T>(statement: string, project_id: string, work: () => Promise<T>) {
  await beside.query('begin')
  await beside.query(statement, [project_id])
  const working = work()
  // `pg_stat_activity` would show, in this transaction, only the connections of its first query.
  await eventually(async () => {
    const { rowCount } = await beside.query('select from pg_locks where not granted')
    return rowCount
  })
  await beside.query('commit')
  return working
}

const lowerPlan = `update projects set plan = 'free' where id = $1`

async function newProject() {
  const { project_id } = await fixture.newProject({ plan: 'reachable' })
  return { project_id, key: await fixture.newKey({ project_id }) }
}

describe('a plan that is lowered while a request waits for a lock', () => {
  test('limits the number of collections', async () => {
    const { project_id, key } = await newProject()
    const create = (n: number) =>
      fixture.call('POST /collections', { key, body: { name: `c${n}` } })
    for (let n = 0; n < plans.free.collections_max; n += 1)
      assert.equal((await create(n)).status, 201)
    const answer = await whileWaiting(lowerPlan, project_id, () => create(100))
    assert.equal(slugOfProblem(answer), 'collection_limit_reached', answer.text)
    assert.match(answer.body.detail, /the plan Free has 20/)
  })

  test('limits the bytes of documents', async () => {
    const { project_id, key } = await newProject()
    await fixture.call('POST /collections', { key, body: { name: 'things' } })
    const documents = '/collections/things/documents'
    const made = await fixture.call(`POST ${documents}`, { key, body: { text: '' } })
    await beside.query('update data_usage set bytes = $2 where project_id = $1', [
      project_id,
      plans.free.data_bytes_max,
    ])
    const lock = `with locked as (select from collections where project_id = $1 for update)
      update projects set plan = 'free' where id = $1 and exists (select from locked)`
    const answer = await whileWaiting(lock, project_id, () =>
      fixture.call(`PATCH ${documents}/${made.body.id}`, { key, body: { text: 'longer' } }),
    )
    assert.equal(slugOfProblem(answer), 'plan_limit_reached', answer.text)
  })

  test('limits the bytes of files', async () => {
    const { project_id, key } = await newProject()
    const announce = (n: number) => {
      const about = { filename: `${n}.pdf`, content_type: 'application/pdf' }
      const file = { ...about, bytes: 1000, sha256: `${n}`.repeat(64) }
      return fixture.call('POST /media/uploads', { key, body: { files: [file] } })
    }
    const first = await announce(1)
    assert.equal(first.status, 201, first.text)
    await beside.query('update file_usage set bytes = $2 where project_id = $1', [
      project_id,
      plans.free.files_bytes_max,
    ])
    const lock = `with locked as (select from file_usage where project_id = $1 for update)
      update projects set plan = 'free' where id = $1 and exists (select from locked)`
    const answer = await whileWaiting(lock, project_id, () => announce(2))
    assert.equal(slugOfProblem(answer), 'plan_limit_reached', answer.text)
  })

  test('limits live numbers', async () => {
    const live = liveFixture(fixture)
    const { project_id, key } = await live.readyProject()
    const answer = await whileWaiting(lowerPlan, project_id, () => live.order(key))
    assert.deepEqual(
      [answer.status, slugOfProblem(answer)],
      [402, 'plan_limit_reached'],
      answer.text,
    )
    assert.deepEqual(await live.listed(key), [])
  })
})

test('a spending cap that is lowered while a charge waits for a lock limits the charge', async () => {
  const { project_id } = await liveFixture(fixture).readyProject({ cap: 50 })
  const lock = `with locked as (select from ledger_accounts where project_id = $1 for update)
    update projects set spending_limit_micro = 1 where id = $1 and exists (select from locked)`
  const charging = whileWaiting(lock, project_id, () =>
    runtime.db.transact((tx) =>
      billing.charge(tx, runtime, {
        project_id,
        amount_micro: microFromEuro(10),
        source: 'sms',
        description: 'SMS',
        quantity: 1,
        unit: 'segment',
        reference_id: project_id,
        reference: 'a charge',
      }),
    ),
  )
  await assert.rejects(charging, { slug: 'billing_blocked' })
})
