/** Tests of batched lookups: results and errors belong to their keys. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { lookup } from './lookup.ts'

const { runtime } = await openTestRuntime({ work: false })
const { db } = runtime

interface Key {
  id: string
  divisor: number
}

let asked: number[] = []

const divide = lookup<Key, { id: string; result: number }>({
  text: `select w.place::integer, w.id, 100 / w.divisor as result
    from unnest($1::text[], $2::integer[]) with ordinality as w (id, divisor, place)
    where w.id <> 'nobody'`,
  parameters(keys) {
    asked.push(keys.length)
    return [keys.map(({ id }) => id), keys.map(({ divisor }) => divisor)]
  },
  nameOf: ({ id }) => id,
})

const key = (id: string, divisor = 1) => ({ id, divisor })

suite('concurrent lookups', () => {
  test('share a statement and return their own rows', async () => {
    asked = []
    const ids = Array.from({ length: 50 }, (_, n) => `id ${n}`)
    const found = await Promise.all(ids.map((id, n) => divide(db, key(id, n + 1))))
    assert.deepEqual(
      found.map((row) => [row?.id, row?.result]),
      ids.map((id, n) => [id, Math.floor(100 / (n + 1))]),
    )
    assert.deepEqual(asked, [50])
  })

  test('return undefined for missing rows', async () => {
    const found = await Promise.all(['a', 'nobody', 'b'].map((id) => divide(db, key(id))))
    assert.deepEqual(
      found.map((row) => row?.id),
      ['a', undefined, 'b'],
    )
    assert.equal(await divide(db, key('nobody')), undefined)
  })

  test('share one query if they read the same row', async () => {
    asked = []
    const found = await Promise.all(['a', 'b', 'a', 'a'].map((id) => divide(db, key(id))))
    assert.deepEqual(
      found.map((row) => row?.id),
      ['a', 'b', 'a', 'a'],
    )
    assert.deepEqual(asked, [2])
  })

  test('fail separately', async () => {
    const wanted = [key('a'), key('b', 0), key('c', 2)]
    const ends = await Promise.allSettled(wanted.map((one) => divide(db, one)))
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    await assert.rejects(divide(db, key('b', 0)), /division by zero/)
  })

  test('put at most a hundred keys in a statement', async () => {
    asked = []
    const ids = Array.from({ length: 250 }, (_, n) => `id ${n}`)
    const found = await Promise.all(ids.map((id) => divide(db, key(id))))
    assert.deepEqual(
      found.map((row) => row?.id),
      ids,
    )
    assert.deepEqual(asked, [100, 100, 50])
  })

  test('see everything that was written before the call', async () => {
    await sql`create table if not exists looked_up (id text primary key, value integer)`.execute(db)
    const read = lookup<string, { value: number }>({
      text: `select w.place::integer, t.value from unnest($1::text[]) with ordinality as w (id, place)
        join looked_up as t on t.id = w.id`,
      parameters: (ids) => [ids],
      nameOf: (id) => id,
    })
    for (let value = 0; value < 50; value += 1) {
      const earlier = read(db, 'one')
      await sql`insert into looked_up values ('one', ${value})
        on conflict (id) do update set value = excluded.value`.execute(db)
      const [found] = await Promise.all([read(db, 'one'), earlier])
      assert.equal(found?.value, value)
    }
    await sql`drop table looked_up`.execute(db)
  })
})
