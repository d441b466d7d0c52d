/**
 * Export and import over HTTP: round trips, reports of refused lines, and streams that end when
 * their client disconnects.
 */
import assert from 'node:assert/strict'
import { request, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import readExcelFile from 'read-excel-file/node'
import { depth, longTest } from '../../../test/fixtures/depth.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { mediaFixture } from '../../../test/fixtures/media/media.ts'
import {
  addTeamMember,
  decide,
  propose,
  readApproval,
} from '../../../test/fixtures/mcp/approvals.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { limits } from '../../contract/limits.ts'
import { isExactNumber } from '../../kernel/values/exact-number.ts'

const runtime = await openTestRuntime({ work: false })
const { call } = runtime
const sockets = new Set<Socket>()
runtime.app.server.on('connection', (socket) => sockets.add(socket))

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const types = { ndjson: 'application/x-ndjson', csv: 'text/csv', xlsx: XLSX } as const
type Format = keyof typeof types

let collections = 0
async function newCollection(settings: object = {}): Promise<string> {
  const name = `things-${(collections += 1)}`
  // Resets the rate limit of the key that all requests share.
  runtime.passes('61 seconds')
  const made = await call('POST /collections', { body: { name, ...settings } })
  assert.equal(made.status, 201, made.text)
  return name
}

async function add(name: string, ...documents: object[]): Promise<void> {
  for (let from = 0; from < documents.length; from += 500) {
    const operations = documents.slice(from, from + 500).map((data) => ({ op: 'create', data }))
    const done = await call(`POST /collections/${name}/documents/batch`, { body: { operations } })
    assert.equal(done.status, 200, done.text)
  }
}

interface ImportOptions {
  query?: string
  type?: string
}

function send(
  name: string,
  file: string | Uint8Array,
  { query = '', type = types.ndjson }: ImportOptions = {},
) {
  const headers = { 'content-type': type }
  return call(`POST /collections/${name}/documents/import?${query}`, { raw: file, headers })
}

async function fileOf(name: string, format: Format, query = ''): Promise<Response> {
  const response = await fetch(
    `${runtime.url}/api/v1/collections/${name}/documents/export?format=${format}${query}`,
    { headers: { authorization: `Bearer ${runtime.key}` } },
  )
  assert.equal(response.status, 200)
  return response
}

const bytesOf = async (name: string, format: Format, query = '') =>
  Buffer.from(await (await fileOf(name, format, query)).arrayBuffer())

/** Returns the exported records in order. */
async function recordsOf(name: string, query = ''): Promise<Record<string, any>[]> {
  const text = (await bytesOf(name, 'ndjson', query)).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Returns the records without system fields. */
async function dataOf(name: string) {
  return (await recordsOf(name)).map((record) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !/^_[a-z]/.test(key))),
  )
}

const person = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    email: { type: 'string' },
    age: { type: 'integer' },
    since: { type: 'string', format: 'date-time' },
  },
  required: ['name'],
}

describe('a file of the media library', () => {
  const media = mediaFixture(runtime)
  const importMedia = (name: string, body: object) =>
    call(`POST /collections/${name}/documents/import-media`, { body })

  test('is imported by the rules of a file that is sent, whatever its upload said it is', async () => {
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    const name = await newCollection({ schema, unique: ['name'] })
    const file = Buffer.from('name,price\nLoaf,2.50\nRoll,0.60\n')
    for (const content_type of ['text/csv', 'text/plain']) {
      const { id } = await media.ready(file, { filename: 'prices.csv', content_type })
      const tried = await importMedia(name, { media_id: id, dry_run: true })
      assert.deepEqual([tried.status, tried.body.inserted], [200, 2], tried.text)
    }
    const { id } = await media.ready(file, { filename: 'prices.csv', content_type: 'text/csv' })
    const again = { media_id: id, mode: 'upsert', by: 'name' }
    assert.equal((await importMedia(name, again)).body.inserted, 2)
    assert.deepEqual((await importMedia(name, again)).body.updated, 2)
    const { body } = await call(`GET /collections/${name}/documents?sort=-price`)
    assert.deepEqual(
      body.data.map(({ data }: any) => data),
      [
        { name: 'Loaf', price: 2.5 },
        { name: 'Roll', price: 0.6 },
      ],
    )
  })

  test('is refused with 404 if it is no table or of another project', async () => {
    const name = await newCollection()
    const letter = await media.ready(Buffer.from('Hi'), {
      filename: 'a.txt',
      content_type: 'text/plain',
    })
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    const theirs = await media.ready(Buffer.from('a\n1\n'), {
      filename: 'a.csv',
      content_type: 'text/csv',
      key,
    })
    for (const media_id of [letter.id, theirs.id, crypto.randomUUID()])
      assert.equal((await importMedia(name, { media_id })).status, 404)
  })

  test('is imported only for a key that may read the library', async () => {
    const name = await newCollection()
    const table = { filename: 'a.csv', content_type: 'text/csv' }
    const { id: media_id } = await media.ready(Buffer.from('secret\nx\n'), table)
    const key = await runtime.newKey({ scopes: ['project:read', 'data:write', 'data:read'] })
    const body = { media_id, dry_run: true }
    const answer = await call(`POST /collections/${name}/documents/import-media`, { body, key })
    assert.deepEqual([answer.status, answer.body.detail.includes('sites:read')], [403, true])
  })

  test('is approved with its name and content, and not with the content that replaced it', async () => {
    const name = await newCollection()
    const project = runtime.project_id
    const owner = await addTeamMember(runtime, project, {
      email: 'o@bakery.example',
      role: 'owner',
    })
    const create = Array.from({ length: 21 }, (_, n) => ({ op: 'create', data: { n } }))
    await call(`POST /collections/${name}/documents/batch`, { body: { operations: create } })
    const table = { filename: 'a.csv', content_type: 'text/csv' }
    const { id: media_id } = await media.ready(Buffer.from('n\n1\n'), table)
    const other = await media.ready(Buffer.from('n\n2\n'), table)
    const asked = { name, media_id, mode: 'upsert' }
    const id = await propose(runtime, 'documents.import_media', asked)
    const { input_hash, loss } = await readApproval(runtime, id)
    assert.match(loss, /21 documents in .* with a\.csv, 4 bytes\.$/)
    await call(`POST /media/${media_id}/replace`, { body: { media_id: other.id } })
    const said = { project_id: project, id, verb: 'approve' as const, input_hash }
    assert.equal((await decide(runtime, owner, said)).status, 409)
  })
})

describe('an export', () => {
  test('is an attachment with a file name and the requested media type', async () => {
    const name = await newCollection()
    await add(name, { a: 1 })
    for (const format of ['ndjson', 'csv', 'xlsx'] as const) {
      const { headers, body } = await fileOf(name, format)
      assert.ok(headers.get('content-type')?.startsWith(types[format]), format)
      assert.match(
        headers.get('content-disposition') ?? '',
        new RegExp(`^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.${format}"$`),
      )
      assert.equal(headers.get('cache-control'), 'no-store')
      assert.match(headers.get('x-request-id') ?? '', /./)
      await body?.cancel()
    }
  })

  test('contains every document once, oldest first or in the requested order', async () => {
    const name = await newCollection()
    await add(name, ...Array.from({ length: 250 }, (_, number) => ({ number })))
    const numbers = (await recordsOf(name)).map(({ number }) => number)
    assert.deepEqual(numbers, [...numbers.keys()])
    const sorted = await recordsOf(name, '&sort=-number&filter=number < 100')
    assert.deepEqual(
      sorted.map(({ number }) => number),
      [...numbers.keys()].slice(0, 100).toReversed(),
    )
  })

  test('is an empty file, or a header row, for an empty collection', async () => {
    const name = await newCollection({ schema: person })
    assert.equal((await bytesOf(name, 'ndjson')).length, 0)
    const csv = (await bytesOf(name, 'csv')).toString('utf8')
    assert.match(csv, /^\ufeff_id,name,email,age,since,_more,_version,_source,.*\r\n$/)
    const sheet = (await readExcelFile(await bytesOf(name, 'xlsx')))[0]!.data
    assert.equal(sheet.length, 1)
  })

  test('has the columns of the schema, then those of other fields in the documents', async () => {
    const name = await newCollection({ schema: person })
    await add(name, { zeta: 1, name: '=1+1' }, { alpha: { b: [1] }, name: 'b', age: -4 })
    const csv = (await bytesOf(name, 'csv')).toString('utf8').split('\r\n')
    assert.match(csv[0]!, /^\ufeff_id,name,email,age,since,alpha,zeta,_more,/)
    assert.match(csv[1]!, /^[\w-]{36},'=1\+1,,,,,1,,1,api,/)
    assert.match(csv[2]!, /^[\w-]{36},b,,-4,,"\{""b"":\[1\]\}",,,1,api,/)
  })

  test('refuses an invalid filter, an unknown format and a request without access', async () => {
    const name = await newCollection()
    const filter = await call(`GET /collections/${name}/documents/export?filter=a = `)
    assert.equal(filter.status, 400)
    assert.equal(filter.body.parameter, 'filter')
    assert.equal((await call(`GET /collections/${name}/documents/export?format=pdf`)).status, 400)
    assert.equal((await call('GET /collections/none/documents/export')).status, 404)
    const limited = await runtime.newKey({
      access: { sites: [], apps: [], collections: ['other'], limited_by: 'api_key' },
    })
    assert.equal(
      (await call(`GET /collections/${name}/documents/export`, { key: limited })).status,
      403,
    )
  })
})

/** Any JSON without numbers that are refused because they would be rounded. */
const storedValue = fc.jsonValue({ maxDepth: 2 }).filter(isStored)

function isStored(value: unknown): boolean {
  if (typeof value === 'number') return isExactNumber(String(value))
  return typeof value !== 'object' || Object.values(value ?? {}).every(isStored)
}

describe('an import', () => {
  test('restores exported documents with their ids', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), storedValue, { maxKeys: 4 }),
          { minLength: 1, maxLength: 20 },
        ),
        fc.constantFrom<Format>('ndjson', 'csv', 'xlsx'),
        async (documents, format) => {
          const [from, to] = [await newCollection(), await newCollection()]
          const first = await send(from, documents.map((one) => JSON.stringify(one)).join('\n'))
          assert.equal(first.body.inserted, documents.length, first.text)
          const again = await send(to, await bytesOf(from, format), { type: types[format] })
          assert.equal(again.body.inserted, documents.length, again.text)
          const plain = ({ _created_at, _updated_at, ...rest }: Record<string, any>) => rest
          assert.deepEqual((await recordsOf(to)).map(plain), (await recordsOf(from)).map(plain))
          for (const name of [from, to]) await call(`DELETE /collections/${name}?confirm=${name}`)
        },
      ),
      { numRuns: depth(4, 15) },
    )
  })

  test('refuses invalid lines with the reason and imports the others', async () => {
    const name = await newCollection({ schema: person, unique: ['email'] })
    const lines = [
      { name: 'a', email: 'a@x' },
      { email: 'b@x' },
      '{"name": }',
      { name: 'c', email: 'a@x' },
      { name: 'd', _id: 'no uuid' },
      { name: 'e' },
    ]
    const file = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    const { body } = await send(name, file.join('\n'))
    assert.deepEqual([body.inserted, body.updated, body.refused], [2, 0, 4])
    assert.deepEqual(
      body.errors.map((one: any) => [one.line, one.type]),
      [
        [2, 'schema_mismatch'],
        [3, 'validation_failed'],
        [4, 'schema_mismatch'],
        [5, 'validation_failed'],
      ],
    )
    assert.equal(body.errors[2].errors[0].path, '/email')
    assert.deepEqual(body.stopped, null)
    assert.equal((await recordsOf(name))[0]?.['_source'], 'import')
  })

  test('lists the first 100 refused lines and counts all', async () => {
    const name = await newCollection({ schema: person })
    const { body } = await send(name, '{}\n'.repeat(450))
    assert.equal(body.refused, 450)
    assert.equal(body.errors.length, limits.import_errors_max)
  })

  test('converts CSV and XLSX cells to the types of the schema', async () => {
    const name = await newCollection({ schema: person })
    const csv = 'name;age;since;extra\nAnna;41;2026-01-02T03:04:05Z;x\n5;x;;\n'
    const { body } = await send(name, csv, { type: types.csv })
    assert.deepEqual([body.inserted, body.refused], [1, 1])
    assert.equal(body.errors[0].line, 3)
    assert.equal(body.errors[0].errors[0].path, '/age')
    const anna = { name: 'Anna', age: 41, since: '2026-01-02T03:04:05Z', extra: 'x' }
    assert.deepEqual(await dataOf(name), [anna])
    const sheet = await bytesOf(name, 'xlsx')
    const other = await newCollection({ schema: person })
    assert.equal((await send(other, sheet, { type: XLSX })).body.inserted, 1)
    assert.deepEqual(await dataOf(other), [anna])
  })

  test('replaces, with upsert, documents of the same id or unique value', async () => {
    const name = await newCollection({ schema: person, unique: ['email'] })
    await add(name, { name: 'a', email: 'a@x', age: 1 }, { name: 'b', email: 'b@x' })
    const by_email = await send(
      name,
      '{"name":"A","email":"a@x"}\n{"name":"c","email":"c@x"}\n{"name":"no email"}',
      { query: 'mode=upsert&by=email' },
    )
    const { inserted, updated, refused } = by_email.body
    assert.deepEqual([inserted, updated, refused], [1, 1, 1], by_email.text)
    const csv = (await bytesOf(name, 'csv')).toString('utf8').replace(',b,b@x,', ',B,b@x,')
    const by_id = await send(name, csv, { query: 'mode=upsert', type: types.csv })
    assert.deepEqual([by_id.body.inserted, by_id.body.updated], [0, 3], by_id.text)
    assert.deepEqual(
      (await dataOf(name)).map((one) => one['name']),
      ['A', 'B', 'c'],
    )
    assert.equal((await send(name, '{}', { query: 'mode=upsert&by=name' })).status, 400)
    assert.equal((await send(name, '{}', { query: 'by=email' })).status, 400)
  })

  test('refuses an id that exists, in the collection or earlier in the same file', async () => {
    const name = await newCollection()
    const id = '0190aafe-8f10-7c55-a1b2-4c5d6e7f8091'
    assert.equal((await send(name, JSON.stringify({ _id: id }))).body.inserted, 1)
    assert.equal((await send(name, JSON.stringify({ _id: id }))).body.refused, 1)
    const twice = `{"_id":"${id.replace('8f10', '8f11')}","a":1}\n`.repeat(2)
    const { body } = await send(name, twice, { query: 'mode=upsert' })
    assert.deepEqual([body.inserted, body.updated], [1, 1])
  })

  test('imports everything or nothing with atomic', async () => {
    const name = await newCollection({ schema: person })
    const file = `${'{"name":"a"}\n'.repeat(450)}{"age":1}`
    const refused = await send(name, file, { query: 'atomic=true' })
    assert.equal(refused.status, 422)
    assert.equal(refused.body.refused, 1)
    assert.match(refused.body.errors[0].message, /^Line 451: /)
    assert.deepEqual(await recordsOf(name), [])
    const { body } = await send(name, '{"name":"a"}\n'.repeat(450), { query: 'atomic=true' })
    assert.equal(body.inserted, 450)
  })

  test('returns the report with dry_run and writes nothing, even between its lines', async () => {
    const name = await newCollection({ schema: person, unique: ['email'] })
    const line = '{"name":"a","email":"a@x"}\n'
    const { body } = await send(name, line.repeat(2) + '{}', { query: 'dry_run=true' })
    assert.deepEqual([body.inserted, body.refused, body.dry_run], [1, 2, true])
    assert.deepEqual(await recordsOf(name), [])
    const { body: collection } = await call(`GET /collections/${name}`)
    assert.deepEqual([collection.document_count, collection.bytes], [0, 0])
  })

  test('imports a truncated file up to the fault and reports its position', async () => {
    const name = await newCollection()
    const { body } = await send(name, 'a\n1\n2\n"never closed\n', { type: types.csv })
    assert.equal(body.inserted, 2)
    assert.ok(body.stopped.line >= 4, JSON.stringify(body.stopped))
    const none = await send(name, 'a,a\n1,2\n', { type: types.csv })
    assert.equal(none.status, 422)
    assert.equal(none.body.line, 1)
    const whole = await send(name, 'a\n1\n"never', { query: 'atomic=true', type: types.csv })
    assert.equal(whole.status, 422)
    assert.match(whole.body.errors[0].message, /^Line 3/)
    const sheet = await send(name, 'no workbook', { type: XLSX })
    assert.equal(sheet.status, 422)
  })

  test('decodes a file in gzip', async () => {
    const name = await newCollection()
    const headers = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
    const route = `POST /collections/${name}/documents/import`
    const sent = await call(route, { raw: gzipSync('a\n1\n'), headers })
    assert.deepEqual([sent.status, sent.body.inserted], [200, 1])
    const damaged = await call(route, { raw: Buffer.from('a\n1\n'), headers })
    assert.equal(damaged.status, 400)
    assert.match(damaged.body.detail, /the body is not gzip/)
  })

  test('refuses a body that is too large, missing or of another media type', async () => {
    const name = await newCollection()
    const large = await send(name, Buffer.alloc(limits.import_bytes_max + 1, 'x'))
    assert.equal(large.status, 400)
    assert.match(large.body.detail, /larger than/)
    assert.equal((await send(name, '<a/>', { type: 'application/xml' })).status, 400)
    assert.equal((await send(name, '{}', { type: 'application/octet-stream' })).status, 400)
    const named = await send(name, '{}', {
      query: 'format=ndjson',
      type: 'application/octet-stream',
    })
    assert.equal(named.body.inserted, 1)
    assert.equal((await call(`POST /collections/${name}/documents/import`)).status, 400)
    assert.equal((await call('POST /collections/none/documents/import')).status, 404)
  })

  longTest('answers before the whole body has arrived if it stops early', async () => {
    const name = await newCollection()
    const rest = '1,2,3\n'.repeat(1_500_000)
    const broken = await send(name, `a\n1\n"x"y\n${rest}`, { type: types.csv })
    assert.equal(broken.body.inserted, 1, broken.text)
    assert.match(broken.body.stopped.message, /closing quote/)
    const long = await send(name, rest, { type: types.csv })
    assert.equal(long.body.stopped.line, limits.import_lines_max + 2, long.text)
    async function* endless() {
      for (let sent = 0; sent <= limits.import_bytes_max; sent += 1_048_576)
        yield Buffer.alloc(1_048_576, '\n')
    }
    const unannounced = await fetch(`${runtime.url}/api/v1/collections/${name}/documents/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${runtime.key}`, 'content-type': types.ndjson },
      body: ReadableStream.from(endless()),
      duplex: 'half',
    })
    assert.equal(unannounced.status, 400)
  })

  longTest('stops at the maximum number of lines', async () => {
    const name = await newCollection({ schema: person })
    const { body } = await send(name, '{}\n'.repeat(limits.import_lines_max + 1))
    assert.equal(body.refused, limits.import_lines_max)
    assert.match(body.stopped.message, /more than 20000 lines/)
  })

  test('requires data:write', async () => {
    const key = await runtime.newKey({ scopes: ['data:read'] })
    assert.equal((await call('POST /collections/x/documents/import', { key })).status, 403)
  })

  test('imports nothing if the client disconnects', async () => {
    const name = await newCollection()
    const path = `${runtime.url}/api/v1/collections/${name}/documents/import`
    const headers = { authorization: `Bearer ${runtime.key}`, 'content-type': types.ndjson }
    const sending = request(path, { method: 'POST', headers })
    sending.on('error', () => {})
    await new Promise((sent) => sending.write('{"a":1}\n'.repeat(500), sent))
    sending.destroy()
    // The server has finished the previous request when it answers this one.
    await call('GET /project')
    assert.equal((await recordsOf(name)).length, 0)
  })
})

describe('a large export', () => {
  const DOCUMENTS = 10_000
  let name = ''

  longTest('streams ten thousand documents in every format with bounded memory', async () => {
    name = await newCollection()
    await add(
      name,
      ...Array.from({ length: DOCUMENTS }, (_, number) => ({ number, text: 'lorem '.repeat(80) })),
    )
    for (const format of ['ndjson', 'csv', 'xlsx'] as const) {
      const before = process.memoryUsage.rss()
      let most = 0
      let bytes = 0
      for await (const chunk of (await fileOf(name, format)).body!) {
        bytes += chunk.length
        most = Math.max(most, process.memoryUsage.rss() - before)
      }
      assert.ok(bytes > (format === 'xlsx' ? 100_000 : 4_000_000), `${format}: ${bytes}`)
      assert.ok(most < 120 * 1_048_576, `${format}: ${most} more bytes`)
    }
    assert.equal((await recordsOf(name)).length, DOCUMENTS)
  })

  /** Opens a client that does not read until it is resumed. */
  function openSlowClient(path: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const asking = request(
        `${runtime.url}/api/v1${path}`,
        { headers: { authorization: `Bearer ${runtime.key}` } },
        (response) => resolve(response.pause()),
      )
      asking.on('error', reject).end()
    })
  }

  /** Returns the server socket of a client's response. */
  async function serverSideOf(response: IncomingMessage): Promise<Socket> {
    const port = response.socket.localPort
    return eventually(() => [...sockets].find(({ remotePort }) => remotePort === port))
  }

  /**
   * Returns the number of bytes sent once it stops growing; the socket buffers always take some.
   */
  async function bytesWhenStalled(served: Socket): Promise<number> {
    let last = -1
    await eventually(async () => {
      const before = last
      last = served.bytesWritten
      for (let count = 0; count < 5; count += 1) await call('GET /project', { key: null })
      return served.writableLength > 0 && before === last
    })
    return last
  }

  longTest('pauses while the client does not read, and resumes', async () => {
    const response = await openSlowClient(`/collections/${name}/documents/export`)
    const served = await serverSideOf(response)
    const last = await bytesWhenStalled(served)
    let read = 0
    for await (const chunk of response) read += chunk.length
    assert.ok(read > 4_800_000)
    assert.ok(last < read, `${last} of ${read} bytes came unasked`)
  })

  longTest('ends when its client disconnects', async () => {
    const response = await openSlowClient(`/collections/${name}/documents/export`)
    const served = await serverSideOf(response)
    response.destroy()
    await eventually(() => served.destroyed)
  })

  longTest('is visibly truncated when the server stops', async () => {
    const other = await openTestRuntime({ work: false })
    await other.call('POST /collections', { body: { name } })
    const headers = { 'content-type': types.ndjson }
    const raw = `{"text":"${'x'.repeat(2000)}"}\n`.repeat(9000)
    await other.call(`POST /collections/${name}/documents/import`, { raw, headers })
    const response = await fetch(`${other.url}/api/v1/collections/${name}/documents/export`, {
      headers: { authorization: `Bearer ${other.key}` },
    })
    await other.app.close()
    await assert.rejects(response.text())
  })

  longTest('is visibly truncated if the client reads nothing for minutes', async () => {
    const response = await openSlowClient(`/collections/${name}/documents/export`)
    const served = await serverSideOf(response)
    await bytesWhenStalled(served)
    assert.equal(served.destroyed, false)
    // Absence of progress is only observable over time, so the clock advances in steps.
    await eventually(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      runtime.passes(`${limits.stream_unread_s / 4} seconds`)
      return served.destroyed
    })
    await assert.rejects(async () => {
      for await (const chunk of response) assert.ok(chunk)
    })
    assert.equal(response.complete, false)
  })
})
