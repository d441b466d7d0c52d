/** Lists in one process after another process changed the documents or the collection. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { callerOf, newFixtureOfTwo, slugOf } from '../../../../test/fixtures/data/data.ts'
import type { Answer } from '../../../../test/fixtures/runtime.ts'

const { runtime, other, newCollection } = await newFixtureOfTwo()

/** More than the longest filtered index scan. */
const DOCUMENTS = 600
const numbered = (count: number, first = 0) =>
  Array.from({ length: count }, (_, at) => ({ op: 'create', data: { n: first + at } }))
const byNumber = 'GET /documents?sort=-n&limit=3'
const newest = 'GET /documents?limit=3'

const numbersOf = (answer: Answer): number[] => {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ data }: { data: { n: number } }) => data.n)
}

/** Creates a collection that this process has listed, and a client of the other process. */
async function newListed() {
  const collection = await newCollection({ indexes: ['n'] })
  const there = callerOf(other, collection.project_id)
  const add = async (all: object[]) => {
    for (let at = 0; at < all.length; at += 500) {
      const operations = all.slice(at, at + 500)
      const made = await there('POST /collections/c/documents/batch', { operations })
      assert.equal(made.status, 200, made.text)
    }
  }
  await add(numbered(DOCUMENTS))
  assert.deepEqual(numbersOf(await collection.call(byNumber)), [599, 598, 597])
  assert.deepEqual(numbersOf(await collection.call(newest)), [599, 598, 597])
  const makeAgain = async (first: number) => {
    assert.equal((await there('DELETE /collections/c?confirm=c')).status, 204)
    await there('POST /collections', { name: 'c', indexes: ['n'] })
    await add(numbered(DOCUMENTS, first))
  }
  return { ...collection, there, add, makeAgain }
}

suite('a list after a change in another process', () => {
  test('contains added documents and no deleted ones', async () => {
    const { call, there, add } = await newListed()
    await add(numbered(1, 1000))
    assert.deepEqual(numbersOf(await call(byNumber)), [1000, 599, 598])
    assert.deepEqual(numbersOf(await call(newest)), [1000, 599, 598])
    const { body } = await there('GET /collections/c/documents?sort=n&limit=100')
    const left: string[] = body.data.slice(0, 2).map(({ id }: { id: string }) => id)
    for (let page = await there('GET /collections/c/documents?limit=100'); ;) {
      const ids = page.body.data.map(({ id }: { id: string }) => id)
      const gone = ids.filter((id: string) => !left.includes(id))
      if (gone.length === 0) break
      await add(gone.map((id: string) => ({ op: 'delete', id })))
      page = await there('GET /collections/c/documents?limit=100')
    }
    assert.deepEqual(numbersOf(await call(byNumber)), [1, 0])
    assert.deepEqual(numbersOf(await call(newest)), [1, 0])
  })

  test('is refused with 404 if the collection was deleted, before any other error', async () => {
    const { call, there } = await newListed()
    assert.equal((await there('DELETE /collections/c?confirm=c')).status, 204)
    for (const route of [byNumber, newest, `${newest}&filter=n%20%3D`])
      assert.equal((await call(route)).status, 404, route)
  })

  test('shows a new collection of the same name and refuses old cursors', async () => {
    const { call, makeAgain } = await newListed()
    const { body } = await call(byNumber)
    await makeAgain(5000)
    assert.deepEqual(numbersOf(await call(newest)), [5599, 5598, 5597])
    const again = await call(byNumber)
    assert.deepEqual(numbersOf(again), [5599, 5598, 5597])
    const old = await call(`${byNumber}&cursor=${body.next_cursor}`)
    assert.deepEqual([old.status, slugOf(old)], [400, 'invalid_parameter'])
    await makeAgain(7000)
    const next = await call(`${byNumber}&cursor=${again.body.next_cursor}`)
    assert.deepEqual([next.status, slugOf(next)], [400, 'invalid_parameter'])
  })

  test('accepts a cursor that the other process issued for the new collection', async () => {
    const { call, there, makeAgain } = await newListed()
    await makeAgain(5000)
    const { body } = await there('GET /collections/c/documents?sort=-n&limit=3')
    const next = await call(`${byNumber}&cursor=${body.next_cursor}`)
    assert.deepEqual(numbersOf(next), [5596, 5595, 5594])
  })

  test('is in order after an index was dropped and created again', async () => {
    const { call, there } = await newListed()
    assert.equal((await there('PATCH /collections/c', { indexes: [] })).status, 200)
    assert.deepEqual(numbersOf(await call(byNumber)), [599, 598, 597])
    assert.equal((await there('PATCH /collections/c', { indexes: ['n'] })).status, 200)
    assert.deepEqual(numbersOf(await call(byNumber)), [599, 598, 597])
  })
})

test('is 403 for a limited key, even after another key listed the collection', async () => {
  const { project_id, call, callProject } = await newListed()
  await callProject('POST /collections', { name: 'other' })
  const access = { sites: [], apps: [], collections: ['other'], limited_by: 'api_key' as const }
  const key = await runtime.newKey({ project_id, access })
  const refused = await call(byNumber, undefined, { key })
  assert.deepEqual([refused.status, slugOf(refused)], [403, 'forbidden'])
})
