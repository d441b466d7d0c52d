/** Pages that end at their size in bytes: each has records, and the cursor continues after it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callMessage, post, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { openSite } from '../../../../test/fixtures/sites/site.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })
const NUMBERS = Array.from({ length: 40 }, (_, n) => n)

/** A collection of 40 documents of 60 kB. */
async function newCollection(name: string): Promise<string> {
  const settings = { public_read: true, readable_fields: ['n', 'text'] }
  const made = await fixture.call('POST /collections', { body: { name, ...settings } })
  assert.equal(made.status, 201, made.text)
  const text = '"é'.repeat(15_000)
  for (const part of [NUMBERS.slice(0, 20), NUMBERS.slice(20)]) {
    const operations = part.map((n) => ({ op: 'create', data: { n, text } }))
    const body = { operations }
    const stored = await fixture.call(`POST /collections/${name}/documents/batch`, { body })
    assert.equal(stored.status, 200, stored.text)
  }
  return name
}

const name = await newCollection('large')

interface PageOfNumbers {
  data: { data: { n: number } }[]
  next_cursor: string | null
}

/** Follows the cursors, and returns the numbers of the documents and the number of pages. */
async function readAll(read: (cursor: string) => Promise<PageOfNumbers>) {
  const numbers: number[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const page: PageOfNumbers = await read(cursor === '' ? '' : `cursor=${cursor}`)
    assert.ok(page.data.length > 0)
    numbers.push(...page.data.map(({ data }) => data.n))
    cursor = page.next_cursor
  }
  return { numbers, pages }
}

describe('a page of large documents', () => {
  for (const sort of ['', 'sort=n', 'filter=n>=0&sort=-n']) {
    test(`ends at its size and continues with the cursor: ${sort || 'newest first'}`, async () => {
      const { numbers, pages } = await readAll(async (cursor) => {
        const query = ['limit=100', sort, cursor].filter(Boolean).join('&')
        const answer = await fixture.call(`GET /collections/${name}/documents?${query}`)
        assert.ok(Buffer.byteLength(answer.text) < limits.page_bytes_max + 10_000)
        return answer.body
      })
      assert.deepEqual(numbers, sort === 'sort=n' ? NUMBERS : NUMBERS.toReversed())
      assert.equal(pages, 3)
    })
  }

  test('counts only the fields that are shown', async () => {
    const answer = await fixture.call(`GET /collections/${name}/documents?limit=100&fields=n`)
    assert.equal(answer.body.data.length, NUMBERS.length)
    assert.equal(answer.body.next_cursor, null)
  })

  test('ends at its size for websites too', async () => {
    const site = await openSite(fixture)
    const { numbers, pages } = await readAll(async (cursor) => {
      const answer = await site.send(
        `GET /public/collections/${name}/documents?limit=100&${cursor}`.replace(/&$/, ''),
      )
      assert.ok(Buffer.byteLength(answer.text) < limits.page_bytes_max + 10_000, answer.text)
      return answer.body
    })
    assert.deepEqual(numbers, NUMBERS.toReversed())
    assert.equal(pages, 3)
  })

  test('fits in the result of a tool of MCP', async () => {
    const { numbers, pages } = await readAll(async (cursor) => {
      const more = cursor === '' ? {} : { cursor: cursor.slice('cursor='.length) }
      const asked = callMessage('documents_list', { name, limit: 10, ...more })
      const { body } = await post(fixture, asked)
      const [{ text }] = body.result.content
      assert.ok(Buffer.byteLength(text) <= limits.mcp_result_bytes_max)
      return valueOf(body.result)
    })
    assert.deepEqual(numbers, NUMBERS.toReversed())
    assert.equal(pages, NUMBERS.length)
  })
})

describe('a list of collections', () => {
  test('ends at its size and continues with the cursor', async () => {
    const description = 'x'.repeat(60_000)
    const schema = { type: 'object', description }
    for (const n of NUMBERS) {
      const made = await fixture.call('POST /collections', { body: { name: `wide-${n}`, schema } })
      assert.equal(made.status, 201, made.text)
    }
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`
      const answer = await fixture.call(`GET /collections?limit=100${more}`)
      assert.ok(Buffer.byteLength(answer.text) < limits.page_bytes_max + 70_000)
      names.push(...answer.body.data.map((one: { name: string }) => one.name))
      cursor = answer.body.next_cursor
    }
    assert.equal(new Set(names).size, NUMBERS.length + 1)
    assert.equal(names.length, NUMBERS.length + 1)
  })

  test('is cut to the maximum result of a tool and says how to get the rest', async () => {
    const call = (limit: number) =>
      post(
        fixture,
        callMessage('run_read_operation', { operation: 'collections.list', arguments: { limit } }),
      )
    const { result } = (await call(40)).body
    assert.equal(result.isError, true)
    const problem = JSON.parse(result.content[0].text)
    assert.match(problem.detail, /has [\d.]+ (?:k|M)B, and the result of a tool has at most 128 kB/)
    assert.match(problem.next_step, /smaller limit and then the next_cursor/)
    const few = await call(1)
    assert.equal(valueOf(few.body.result).data.length, 1)
  })
})

describe('groups of documents', () => {
  test('end at their size and say so in truncated', async () => {
    const aggregates = Array.from({ length: 5 }, (_, n) => ({
      function: 'max',
      field: 'text',
      name: `max_${n}`,
    }))
    const body = { group_by: [{ field: 'n' }], aggregates, sort: 'n', limit: 40 }
    const answer = await fixture.call(`POST /collections/${name}/documents/query`, { body })
    assert.equal(answer.status, 200, answer.text)
    assert.ok(Buffer.byteLength(answer.text) < limits.page_bytes_max + 10_000)
    const { data, truncated } = answer.body
    assert.equal(truncated, true)
    assert.deepEqual(
      data.map(({ n }: { n: number }) => n),
      NUMBERS.slice(0, data.length),
    )
    assert.ok(data.length > 1)
  })
})
