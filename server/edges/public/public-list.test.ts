/** Tests of public reading over HTTP: readable fields only, without a way to infer others. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { BROWSER, openSite, ORIGIN, slugOf } from '../../../test/fixtures/sites/site.ts'

const runtime = await openTestRuntime({ work: false })
const site = await openSite(runtime)

async function newCollection(name: string, settings: object = {}): Promise<void> {
  const body = { name, public_read: true, readable_fields: ['title', 'place.city'], ...settings }
  const made = await runtime.call('POST /collections', { body })
  assert.equal(made.status, 201, made.text)
}

async function add(name: string, data: object): Promise<string> {
  const { status, body, text } = await runtime.call(`POST /collections/${name}/documents`, {
    body: data,
  })
  assert.equal(status, 201, text)
  return body.id
}

const list = (name: string, query: Record<string, string> = {}) =>
  site.send(`GET /public/collections/${name}/documents?${new URLSearchParams(query).toString()}`)

await newCollection('events', { indexes: ['title', 'secret'] })
const ids: string[] = []
for (const [at, title] of ['Cake', 'Bread', 'Apple', 'Date'].entries()) {
  ids.push(
    await add('events', {
      title,
      place: { city: 'Delft', street: 'Markt' },
      secret: `s${at}`,
      price: at,
    }),
  )
}

describe('a collection with public_read', () => {
  test('is listed newest first, with its readable fields only', async () => {
    const { status, body, headers } = await list('events')
    assert.equal(status, 200)
    assert.equal(headers.get('access-control-allow-origin'), ORIGIN)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      ids.toReversed(),
    )
    const [first] = body.data
    assert.deepEqual(Object.keys(first), ['id', 'data', 'created_at'])
    assert.deepEqual(first.data, { title: 'Date', place: { city: 'Delft' } })
    assert.equal(body.next_cursor, null)
  })

  test('is filtered and sorted by readable fields only', async () => {
    const { body } = await list('events', {
      filter: 'title != "Date" and place.city = "Delft" and created_at > @now - 1h',
      sort: 'title',
    })
    const titles = body.data.map(({ data }: { data: { title: string } }) => data.title)
    assert.deepEqual(titles, ['Apple', 'Bread', 'Cake'])
  })

  test("is paginated, with filter and sort in each page's cursor", async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = { limit: '1', sort: '-title', ...(cursor ? { cursor } : {}) }
      const { body } = await list('events', query)
      seen.push(...body.data.map(({ data }: { data: { title: string } }) => data.title))
      cursor = body.next_cursor
    } while (cursor)
    assert.deepEqual(seen, ['Date', 'Cake', 'Bread', 'Apple'])
  })

  const probes: Record<string, string>[] = [
    { filter: 'secret = "s1"' },
    { filter: 'data.secret starts with "s"' },
    { filter: '"secret" = "s1"' },
    { filter: 'not (title = "Cake" or not secret exists)' },
    { filter: 'title = "Cake" and price > 0' },
    { filter: 'price in (1, 2)' },
    { filter: 'place exists' },
    { filter: 'place.street = "Markt"' },
    { filter: 'title = "Cake" or nothing = 1' },
    { filter: 'source = "api"' },
    { filter: 'version = 1' },
    { filter: 'updated_at > @now - 1h' },
    { sort: 'secret' },
    { sort: 'title,-price' },
    { sort: 'data."secret"' },
    { sort: 'updated_at' },
    { sort: '-version' },
    { sort: 'place' },
  ]
  for (const query of probes) {
    test(`refuses ${JSON.stringify(query)}, whatever is stored`, async () => {
      const answer = await list('events', query)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
    })
  }

  const unknown: Record<string, string>[] = [
    { q: 'Cake' },
    { fields: 'secret' },
    { count: 'true' },
    { limit: '0' },
    { limit: '101' },
    { cursor: 'x' },
    { filter: '' },
    { filter: 'title =' },
    { redirect: '/a' },
    { timezone: 'UTC' },
  ]
  for (const query of unknown) {
    test(`replies 400 for ${JSON.stringify(query)}`, async () => {
      const answer = await list('events', query)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
    })
  }

  test('replies with JSON to browsers too', async () => {
    const answer = await site.send('GET /public/collections/events/documents', { accept: BROWSER })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  })

  test('does not become writable', async () => {
    const answer = await site.send('POST /public/collections/events/documents', { body: {} })
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'collection_not_public'])
  })
})

test('a public list returns empty documents if no field is readable', async () => {
  await newCollection('bare', { readable_fields: [] })
  await add('bare', { title: 'Cake' })
  const { body } = await list('bare')
  assert.deepEqual(body.data[0].data, {})
})

test('a readable object is shown completely, and a path through a scalar is not', async () => {
  await newCollection('whole', { readable_fields: ['place', 'place.city', 'title.x', 'none'] })
  await add('whole', { title: 'Cake', place: { city: 'Delft', street: 'Markt' } })
  const { body } = await list('whole', { filter: 'place.street = "Markt"' })
  assert.deepEqual(body.data[0].data, { place: { city: 'Delft', street: 'Markt' } })
})

test('readable fields may have unusual names', async () => {
  await newCollection('strange', { readable_fields: ['"a.b"', '"__proto__".x'] })
  const raw = '{"a.b":1,"a":{"b":2},"__proto__":{"x":3,"y":4}}'
  await runtime.call('POST /collections/strange/documents', { raw })
  const { body } = await list('strange')
  assert.equal(JSON.stringify(body.data[0].data), '{"a.b":1,"__proto__":{"x":3}}')
})

test('reading gets 403 if the collection is closed, and 404 in another project', async () => {
  await newCollection('closed', { public_read: false, public_write: true })
  const closed = await list('closed')
  assert.deepEqual([closed.status, slugOf(closed)], [403, 'collection_not_public'])
  const stranger = await openSite(runtime, {
    project_id: (await runtime.newProject()).project_id,
  })
  const other = await stranger.send('GET /public/collections/events/documents')
  assert.deepEqual([other.status, slugOf(other)], [404, 'not_found'])
})
