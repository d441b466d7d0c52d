/**
 * Tests of call plans in PostgreSQL: stored as received, version conflicts between concurrent
 * writers, and isolation of projects.
 */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, dropTestDatabase } from '../../../test/fixtures/cluster.ts'
import { systemClock } from '../../kernel/clock.ts'
import { openDatabase } from '../../kernel/database/database.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as store from './store.ts'

const connection = await createTestDatabase()
const db = openDatabase({ connection, onError: () => {} })
after(async () => {
  await db.close()
  await dropTestDatabase(connection)
})

const earlier = new Date('2026-03-02T09:00:00Z')
const later = new Date('2026-03-02T10:00:00Z')

async function newProject(): Promise<string> {
  const id = newId(systemClock)
  const row = { id, name: 'Test', shape: 'single', rails: '{}', created_at: earlier } as const
  await db.transact((tx) => tx.insertInto('projects').values(row).execute())
  return id
}

/** Waits until a connection of this database waits for a lock of another. */
async function untilOneWaits(): Promise<void> {
  const waiting = sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (;;) {
    const { rows } = await db.transact((tx) => waiting.execute(tx))
    if (rows[0] && rows[0].count > 0) return
  }
}

const project_id = await newProject()

/** A number without a plan, and functions that write one. */
function aNumber(of_project = project_id) {
  const number_id = newId(systemClock)
  const write = (text = '{}', now = earlier) => ({ project_id: of_project, number_id, text, now })
  return {
    number_id,
    write,
    replace: (text?: string, now?: Date) =>
      db.transact((tx) => store.replace(tx, write(text, now))),
    replaceVersion: (from: number, text?: string) =>
      db.transact((tx) => store.replaceVersion(tx, from, write(text))),
    version: () => store.readVersion(db, of_project, number_id),
    inForce: () => store.findApplyingPlan(db, of_project, number_id),
    row: () =>
      db
        .selectFrom('call_plans')
        .selectAll()
        .where('project_id', '=', of_project)
        .where('number_id', '=', number_id)
        .executeTakeFirst(),
  }
}

describe('a plan', () => {
  it('is returned exactly as stored: spaces, key order, numbers and escapes', async () => {
    const text =
      '{ "b":1,"10":1.50,\n\t"2":1e3, "a":"\\u00e9\\ud83d\\ude00é", "z" : 12345678901234567890 }'
    const number = aNumber()
    await number.replace(text)
    assert.deepEqual(await number.inForce(), {
      number_id: number.number_id,
      version: 1,
      plan: text,
    })
  })

  it('has version 0 before it exists, 1 at first, and one more at each write', async () => {
    const number = aNumber()
    assert.equal(await number.version(), 0)
    assert.deepEqual(
      [await number.replace(), await number.replace(), await number.replace()],
      [1, 2, 3],
    )
    assert.equal(await number.version(), 3)
  })

  it('keeps the times of its creation and of its latest replacement', async () => {
    const number = aNumber()
    await number.replace('{}', earlier)
    await number.replace('{}', later)
    const row = await number.row()
    assert.deepEqual([row?.created_at, row?.updated_at], [earlier, later])
  })
})

describe('a plan with a version', () => {
  it('is replaced if the writer names its version', async () => {
    const number = aNumber()
    assert.equal(await number.replaceVersion(0, '{"a":1}'), 1)
    assert.equal(await number.replaceVersion(1, '{"a":2}'), 2)
    assert.equal((await number.inForce())?.plan, '{"a":2}')
  })

  it('is not replaced if the writer names another version, and nothing changes', async () => {
    const number = aNumber()
    assert.equal(await number.replaceVersion(1), undefined)
    await number.replace('{"a":1}')
    await number.replace('{"a":2}')
    for (const from of [0, 1, 3, 999_999_999, 2_147_483_647, 9_007_199_254_740_991]) {
      assert.equal(await number.replaceVersion(from, '{"lost":true}'), undefined, String(from))
    }
    const stored = await number.inForce()
    assert.deepEqual([stored?.version, stored?.plan], [2, '{"a":2}'])
  })

  it('is replaced by exactly one of many concurrent writers that expect it', async () => {
    const number = aNumber()
    for (const from of [0, 1, 2]) {
      const tries = Array.from({ length: 8 }, (_, index) =>
        number.replaceVersion(from, `{"by":${index}}`),
      )
      const versions = await Promise.all(tries)
      const winner = versions.indexOf(from + 1)
      assert.deepEqual(
        versions.filter((version) => version !== undefined),
        [from + 1],
      )
      assert.equal((await number.inForce())?.plan, `{"by":${winner}}`)
    }
  })

  it('is replaced by the first of two overlapping transactions, while the second waits', async () => {
    const number = aNumber()
    await number.replace()
    const { promise: first_wrote, resolve } = Promise.withResolvers<void>()
    const { promise: first_may_commit, resolve: commit } = Promise.withResolvers<void>()
    const first = db.transact(async (tx) => {
      const version = await store.replaceVersion(tx, 1, number.write('{"by":"first"}'))
      resolve()
      await first_may_commit
      return version
    })
    await first_wrote
    const second = number.replaceVersion(1, '{"by":"second"}')
    await untilOneWaits()
    commit()
    assert.deepEqual(await Promise.all([first, second]), [2, undefined])
    assert.equal((await number.inForce())?.plan, '{"by":"first"}')
  })

  it('gets a higher version at every replacement without an expected version, also concurrent ones', async () => {
    const number = aNumber()
    const versions = await Promise.all(Array.from({ length: 8 }, () => number.replace()))
    assert.deepEqual(
      versions.toSorted((one, other) => one - other),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })
})

describe('the plan that applies', () => {
  it("is the number's own, then the project's, otherwise none", async () => {
    const own_project = await newProject()
    const number = aNumber(own_project)
    assert.equal(await number.inForce(), undefined)
    const plan = { project_id: own_project, number_id: null, version: 4, plan: '{"of":"project"}' }
    const times = { created_at: earlier, updated_at: earlier }
    await db.transact((tx) =>
      tx
        .insertInto('call_plans')
        .values({ ...plan, ...times })
        .execute(),
    )
    assert.deepEqual(await number.inForce(), { number_id: null, version: 4, plan: plan.plan })
    assert.equal(await number.version(), 0)
    await number.replace('{"of":"number"}')
    assert.equal((await number.inForce())?.plan, '{"of":"number"}')
  })

  it('is never the plan of another project', async () => {
    const number = aNumber()
    await number.replace()
    const other = await newProject()
    assert.equal(await store.findApplyingPlan(db, other, number.number_id), undefined)
    assert.equal(await store.readVersion(db, other, number.number_id), 0)
    await db.transact((tx) => store.remove(tx, other, number.number_id))
    assert.equal(await number.version(), 1)
  })

  it('is missing after its removal, and a new one starts at version 1', async () => {
    const number = aNumber()
    const neighbour = aNumber()
    await number.replace()
    await number.replace()
    await neighbour.replace()
    await db.transact((tx) => store.remove(tx, project_id, number.number_id))
    assert.equal(await number.inForce(), undefined)
    assert.equal(await neighbour.version(), 1)
    assert.equal(await number.replace(), 1)
  })

  it('is the only plan of its project', async () => {
    const own_project = await newProject()
    const times = { created_at: earlier, updated_at: earlier }
    const plan = { project_id: own_project, number_id: null, version: 1, plan: '{}', ...times }
    const insert = () => db.transact((tx) => tx.insertInto('call_plans').values(plan).execute())
    await insert()
    await assert.rejects(insert, /call_plans_of_number/)
  })
})
