/** Documents over HTTP: single reads and writes, versions and limits. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { limits } from '../../../contract/limits.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import { auditDocuments, newFixture, slugOf } from '../../../../test/fixtures/data/data.ts'

const { newCollection, runtime } = await newFixture()
const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
const people = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
}

suite('POST /collections/{name}/documents', () => {
  test('returns the document with every field, and its version as the ETag', async () => {
    const { call } = await newCollection({ schema: people })
    const data = { name: 'Anna', age: 3, more: [1, { x: null }] }
    const { status, headers, body } = await call('POST /documents', data)
    assert.equal(status, 201)
    assert.equal(headers.get('etag'), '"1"')
    const { id, created_at, ...others } = body
    assert.ok(isUuid(id))
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const fixed = { collection: 'c', version: 1, source: 'api', test: true }
    assert.deepEqual(others, { ...fixed, data, updated_at: created_at })
  })

  test('says that an Idempotency-Key has no effect here', async () => {
    const { call } = await newCollection()
    const headers = { 'idempotency-key': 'order-1' }
    const kept = await call('POST /documents', { n: 1 }, { headers })
    assert.equal(kept.headers.get('idempotency-key-ignored'), 'true')
    const plain = await call('POST /documents', { n: 1 })
    assert.equal(plain.headers.get('idempotency-key-ignored'), null)
  })

  test('GET returns the same document with the same ETag', async () => {
    const { call } = await newCollection()
    const data = { text: 'é😀', list: [1.5, -0.25, 1e21, true, null, {}], 'odd name': { '': 0 } }
    const made = await call('POST /documents', data)
    const read = await call(`GET /documents/${made.body.id}`)
    assert.deepEqual(read.body, made.body)
    assert.equal(read.headers.get('etag'), '"1"')
  })

  test('returns numbers unchanged, in no more bytes than a document may have', async () => {
    const { call } = await newCollection()
    const data = { many: Array.from({ length: 800 }, () => 1e308), few: [1e21, 5e-324, -0.5] }
    const { body } = await call('POST /documents', data)
    const one = await call(`GET /documents/${body.id}`)
    assert.deepEqual(one.body.data, data)
    const bytes = JSON.stringify(one.body).length
    assert.equal(Number(one.headers.get('content-length')), bytes)
    const list = await call('GET /documents')
    assert.deepEqual(list.body.data, [one.body])
    assert.ok(Number(list.headers.get('content-length')) < bytes + 100)
  })

  test('refuses a number that would be rounded, with its field, and accepts it as a string', async () => {
    const { call } = await newCollection({ unique: ['order'] })
    for (const number of ['2033735037361704962', '1e400', '0.1234567890123456789']) {
      const headers = { 'content-type': 'application/json' }
      const sent = { raw: `{"order":${number}}`, headers }
      const refused = await call('POST /documents', undefined, sent)
      assert.deepEqual([refused.status, slugOf(refused)], [422, 'validation_failed'])
      const message = 'is a number that would be rounded; send it as a string'
      assert.deepEqual(refused.body.errors, [{ path: '/order', message }])
      const kept = await call('POST /documents', { order: number })
      assert.deepEqual(kept.body.data, { order: number })
    }
  })

  test('refuses numbers with more digits than a document may have with 422 document_too_large', async () => {
    const { call } = await newCollection()
    const numbers = (length: number, n: number) => ({ n: Array.from({ length }, () => n) })
    for (const data of [numbers(5000, 1e308), numbers(5000, 5e-324), numbers(5000, -1e100)]) {
      const refused = await call('POST /documents', data)
      assert.match(refused.body.type, /document_too_large$/, refused.text)
      assert.match(refused.body.detail, /256 kB with its numbers written without exponents/)
    }
    const quoted = { text: '1e+308 "1e+308" \\'.repeat(2000), n: 1e21 }
    assert.equal((await call('POST /documents', quoted)).status, 201)
  })

  test('returns created_at and updated_at of a changed document, in GET and in the list', async () => {
    const { call } = await newCollection()
    const made = await call('POST /documents', { n: 1 })
    await runtime.passes('5 seconds')
    const changed = await call(`PATCH /documents/${made.body.id}`, { n: 2 })
    assert.notEqual(changed.body.updated_at, changed.body.created_at)
    const read = await call(`GET /documents/${made.body.id}`)
    assert.deepEqual(read.body, changed.body)
    assert.equal(read.headers.get('etag'), '"2"')
    assert.deepEqual((await call('GET /documents')).body.data, [changed.body])
  })

  test('counts documents and their bytes as UTF-8 JSON', async () => {
    const { call, project_id } = await newCollection()
    await call('POST /documents', { a: 'é' })
    await call('POST /documents', {})
    const { body } = await call('GET ')
    assert.deepEqual([body.document_count, body.bytes], [2, 10 + 2])
    await auditDocuments(runtime, project_id)
  })

  test('refuses a document that does not match the schema, with every error: 422 schema_mismatch', async () => {
    const { call } = await newCollection({ schema: people })
    const answer = await call('POST /documents', { age: 'old' })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
    assert.equal(answer.body.errors.length, 2)
    assert.ok(answer.body.errors.some(({ path }: { path: string }) => path === '/age'))
    assert.equal((await call('GET ')).body.document_count, 0)
  })

  test('refuses values that are not objects or cannot be stored as JSON: 422', async () => {
    const { call } = await newCollection()
    for (const raw of ['[]', '"a"', '1', 'null', '{"a":"\\u0000"}', '{"a":"\\ud800"}']) {
      const answer = await call('POST /documents', undefined, { raw })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], raw)
    }
    const large = await call('POST /documents', undefined, { raw: '{"a":[1e999]}' })
    assert.deepEqual([large.status, slugOf(large)], [422, 'validation_failed'])
    assert.equal(large.body.errors[0].path, '/a/0')
  })

  test('stores a field called __proto__ like any other', async () => {
    const { call } = await newCollection()
    const made = await call('POST /documents', undefined, { raw: '{"__proto__":{"a":1}}' })
    assert.equal(made.status, 201)
    const read = await call(`GET /documents/${made.body.id}`)
    assert.match(read.text, /"__proto__": ?\{"a": ?1\}/)
    const patched = await call(`PATCH /documents/${made.body.id}`, undefined, {
      raw: '{"__proto__":{"b":2}}',
    })
    assert.match(patched.text, /"__proto__":\{"a":1,"b":2\}/)
  })

  test('accepts 64 kB and refuses one byte more: 422 document_too_large', async () => {
    const { call } = await newCollection()
    const around = Buffer.byteLength('{"a":""}')
    const most = 'a'.repeat(limits.document_bytes_max - around)
    assert.equal((await call('POST /documents', { a: most })).status, 201)
    const answer = await call('POST /documents', { a: `${most}a` })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'document_too_large'])
    const wide = 'é'.repeat(most.length / 2 + 1)
    assert.equal((await call('POST /documents', { a: wide })).status, 422)
  })

  test('refuses an unknown collection: 404', async () => {
    const { callProject } = await newCollection()
    for (const name of ['other', 'C', 'a%20b']) {
      const answer = await callProject(`POST /collections/${name}/documents`, {})
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
  })

  test('marks the document as test or live by the key; both keys can read it', async () => {
    const { project_id, call } = await newCollection()
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const live = await runtime.call('POST /collections/c/documents', { key, body: {} })
    assert.equal(live.body.test, false)
    assert.equal((await call(`GET /documents/${live.body.id}`)).body.test, false)
  })
})

suite('GET /collections/{name}/documents/{id}', () => {
  test('is 404 for an unknown id, an id of another collection and a malformed id', async () => {
    const { call, callProject } = await newCollection()
    await callProject('POST /collections', { name: 'other' })
    const { body } = await callProject('POST /collections/other/documents', {})
    for (const id of [UNKNOWN_ID, body.id, 'x']) {
      const answer = await call(`GET /documents/${id}`)
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
  })

  test('is 404 for a document of another project', async () => {
    const { call } = await newCollection()
    const { body } = await (await newCollection()).call('POST /documents', {})
    assert.equal((await call(`GET /documents/${body.id}`)).status, 404)
    assert.equal((await call(`DELETE /documents/${body.id}`)).status, 404)
  })
})

suite('PUT /collections/{name}/documents/{id}', () => {
  test('replaces the whole document and increments the version', async () => {
    const { call, project_id } = await newCollection({ schema: people })
    const { body: made } = await call('POST /documents', { name: 'Anna', age: 3 })
    runtime.passes('1 second')
    const { status, headers, body } = await call(`PUT /documents/${made.id}`, { name: 'Bo' })
    assert.deepEqual([status, headers.get('etag')], [200, '"2"'])
    const { updated_at } = body
    assert.ok(updated_at > made.updated_at)
    assert.deepEqual(body, { ...made, data: { name: 'Bo' }, version: 2, updated_at })
    assert.deepEqual((await call(`GET /documents/${made.id}`)).body, body)
    await auditDocuments(runtime, project_id)
  })

  test('refuses an outdated If-Match with 412 version_conflict and current_version', async () => {
    const { call } = await newCollection()
    const { body: made } = await call('POST /documents', { n: 1 })
    const route = `PUT /documents/${made.id}`
    const put = (n: number, version: string) =>
      call(route, { n }, { headers: { 'if-match': version } })
    assert.equal((await put(2, '"1"')).status, 200)
    const answer = await put(3, '"1"')
    assert.deepEqual([answer.status, slugOf(answer)], [412, 'version_conflict'])
    assert.equal(answer.body.current_version, 2)
    assert.equal((await put(3, '*')).body.version, 3)
    assert.equal((await put(4, '"3"')).body.data.n, 4)
  })

  test('accepts a list of versions in If-Match, and refuses to overwrite with If-None-Match: *', async () => {
    const { call } = await newCollection({ unique: ['k'] })
    const { body } = await call('POST /documents', { k: 'a' })
    const put = (headers: Record<string, string>, route = `PUT /documents/${body.id}`) =>
      call(route, { k: 'a' }, { headers })
    assert.equal((await put({ 'if-match': '"7", W/"1"' })).body.version, 2)
    const outdated = await put({ 'if-match': '"7", "1"' })
    assert.deepEqual([outdated.status, outdated.body.current_version], [412, 2])
    assert.equal((await put({ 'if-match': '"2", x' })).status, 400)
    const there = await put({ 'if-none-match': '*' })
    assert.deepEqual([there.status, slugOf(there)], [412, 'version_conflict'])
    assert.match(there.body.detail, /If-None-Match is \*, but this exists/)
    const none = { 'if-none-match': '*' }
    assert.equal((await put(none, 'PUT /documents?by=k')).status, 412)
    assert.equal((await call('PUT /documents?by=k', { k: 'b' }, { headers: none })).status, 200)
  })

  test('replies 304 to a read whose If-None-Match has the version', async () => {
    const { call } = await newCollection()
    const { body } = await call('POST /documents', { n: 1 })
    const get = (tag: string) =>
      call(`GET /documents/${body.id}`, undefined, { headers: { 'if-none-match': tag } })
    for (const tag of ['"1"', 'W/"1"', '"4", "1"', '*']) {
      const { status, text, headers } = await get(tag)
      assert.deepEqual([status, text, headers.get('etag')], [304, '', '"1"'])
    }
    for (const tag of ['"2"', 'abc', '']) assert.equal((await get(tag)).status, 200)
  })

  test('lets one of 20 concurrent requests with the same If-Match succeed', async () => {
    const { call, project_id } = await newCollection()
    const { body: made } = await call('POST /documents', { n: 0 })
    const headers = { 'if-match': '"1"' }
    const asked = Array.from({ length: 20 }, (_, n) =>
      call(`PUT /documents/${made.id}`, { n }, { headers }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.equal(statuses.filter((status) => status === 412).length, 19)
    await auditDocuments(runtime, project_id)
  })

  test('refuses a document that does not match the schema, or does not exist', async () => {
    const { call } = await newCollection({ schema: people })
    const { body: made } = await call('POST /documents', { name: 'Anna' })
    const unfit = await call(`PUT /documents/${made.id}`, { age: 1 })
    assert.deepEqual([unfit.status, slugOf(unfit)], [422, 'schema_mismatch'])
    const missing = await call(`PUT /documents/${UNKNOWN_ID}`, { name: 'Anna' })
    assert.deepEqual([missing.status, slugOf(missing)], [404, 'not_found'])
    assert.equal((await call(`GET /documents/${made.id}`)).body.version, 1)
  })
})

suite('PATCH /collections/{name}/documents/{id}', () => {
  test('merges as RFC 7396: sets members, removes those that are null, keeps the others', async () => {
    const { call, project_id } = await newCollection()
    const { body: made } = await call('POST /documents', { a: 1, b: { c: 1, d: 2 }, e: [1, 2] })
    const patch = { a: null, b: { c: 5, f: 6 }, e: [3], g: { h: null } }
    const type = { 'content-type': 'application/merge-patch+json' }
    const { body } = await call(`PATCH /documents/${made.id}`, patch, { headers: type })
    assert.deepEqual(body.data, { b: { c: 5, d: 2, f: 6 }, e: [3], g: {} })
    assert.deepEqual((await call(`GET /documents/${made.id}`)).body, body)
    await auditDocuments(runtime, project_id)
  })

  test('validates the merged document, not the patch', async () => {
    const { call } = await newCollection({ schema: people })
    const { body: made } = await call('POST /documents', { name: 'Anna' })
    assert.equal((await call(`PATCH /documents/${made.id}`, { age: 3 })).status, 200)
    const refused = await call(`PATCH /documents/${made.id}`, { name: null })
    assert.deepEqual([refused.status, slugOf(refused)], [422, 'schema_mismatch'])
  })

  test('loses no update of 20 concurrent patches', async () => {
    const { call, project_id } = await newCollection()
    const { body: made } = await call('POST /documents', {})
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => call(`PATCH /documents/${made.id}`, { [`n${n}`]: n })),
    )
    const { body } = await call(`GET /documents/${made.id}`)
    assert.equal(Object.keys(body.data).length, 20)
    assert.equal(body.version, 21)
    await auditDocuments(runtime, project_id)
  })

  test('refuses an outdated If-Match with 412', async () => {
    const { call } = await newCollection()
    const { body: made } = await call('POST /documents', {})
    const headers = { 'if-match': '"7"' }
    const answer = await call(`PATCH /documents/${made.id}`, { a: 1 }, { headers })
    assert.deepEqual([answer.status, answer.body.current_version], [412, 1])
  })
})

suite('DELETE /collections/{name}/documents/{id}', () => {
  test('deletes the document once and decrements the count', async () => {
    const { call, project_id } = await newCollection({ indexes: ['a'] })
    const { body: made } = await call('POST /documents', { a: 1 })
    assert.equal((await call(`DELETE /documents/${made.id}`)).status, 204)
    assert.equal((await call(`DELETE /documents/${made.id}`)).status, 404)
    assert.equal((await call(`GET /documents/${made.id}`)).status, 404)
    const { body } = await call('GET ')
    assert.deepEqual([body.document_count, body.bytes], [0, 0])
    await auditDocuments(runtime, project_id)
  })

  test('accepts the id in upper case, as every route does', async () => {
    const { call } = await newCollection()
    const { body: made } = await call('POST /documents', { a: 1 })
    const route = `/documents/${made.id.toUpperCase()}`
    assert.equal((await call(`GET ${route}`)).body.id, made.id)
    assert.equal((await call(`PATCH ${route}`, { b: 2 })).body.id, made.id)
    const operations = [{ op: 'patch', id: made.id.toUpperCase(), data: { c: 3 } }]
    assert.equal((await call('POST /documents/batch', { operations })).status, 200)
    assert.equal((await call(`DELETE ${route}`)).status, 204)
  })

  test('refuses an outdated If-Match with 412 and deletes nothing', async () => {
    const { call } = await newCollection()
    const { body: made } = await call('POST /documents', {})
    const headers = { 'if-match': '"2"' }
    assert.equal((await call(`DELETE /documents/${made.id}`, undefined, { headers })).status, 412)
    assert.equal((await call(`GET /documents/${made.id}`)).status, 200)
  })
})

suite('PUT /collections/{name}/documents?by=field', () => {
  test('creates a document, or replaces the one with the same value', async () => {
    const { call, project_id } = await newCollection({ unique: ['email', 'address.code'] })
    const route = 'PUT /documents?by=email'
    const first = await call(route, { email: 'a@b.c', n: 1 })
    assert.deepEqual([first.status, first.body.version], [200, 1])
    const second = await call(route, { email: 'a@b.c', n: 2 })
    assert.deepEqual([second.body.id, second.body.version], [first.body.id, 2])
    const third = await call('PUT /documents?by=address.code', { address: { code: 7 } })
    assert.equal(third.body.version, 1)
    assert.equal((await call('GET ')).body.document_count, 2)
    await auditDocuments(runtime, project_id)
  })

  test('creates one document for 30 concurrent requests', async () => {
    const { call, project_id } = await newCollection({ unique: ['email'] })
    const asked = Array.from({ length: 30 }, (_, n) =>
      call('PUT /documents?by=email', { email: 'a@b.c', n }),
    )
    const answers = await Promise.all(asked)
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
    const versions = answers.map(({ body }) => body.version).toSorted((a, b) => a - b)
    assert.deepEqual(
      versions,
      Array.from({ length: 30 }, (_, n) => n + 1),
    )
    await auditDocuments(runtime, project_id)
  })

  test('requires a unique field and a value in it', async () => {
    const { call } = await newCollection({ unique: ['email'] })
    const other = await call('PUT /documents?by=name', { name: 'a' })
    assert.deepEqual([other.status, slugOf(other)], [400, 'invalid_parameter'])
    assert.match(other.body.detail, /email/)
    const without = await call('PUT /documents', { email: 'a' })
    assert.deepEqual([without.status, slugOf(without)], [400, 'invalid_parameter'])
    for (const data of [{}, { email: null }, { email: ['a'] }]) {
      const missing = await call('PUT /documents?by=email', data)
      assert.deepEqual([missing.status, slugOf(missing)], [422, 'schema_mismatch'])
      assert.equal(missing.body.errors[0].path, '/email')
    }
  })

  test('replaces only the version of an If-Match', async () => {
    const { call } = await newCollection({ unique: ['k'] })
    const put = (k: string, version: string) =>
      call('PUT /documents?by=k', { k }, { headers: { 'if-match': version } })
    assert.equal((await put('a', '"1"')).status, 412)
    await call('POST /documents', { k: 'a' })
    assert.equal((await put('a', '"1"')).body.version, 2)
    assert.equal((await put('a', '"1"')).body.current_version, 2)
  })

  test('replaces any version and creates nothing with If-Match: *', async () => {
    const { call } = await newCollection({ unique: ['k'] })
    const put = () => call('PUT /documents?by=k', { k: 'a' }, { headers: { 'if-match': '*' } })
    const none = await put()
    assert.deepEqual([none.status, slugOf(none)], [412, 'version_conflict'])
    await call('POST /documents', { k: 'a' })
    assert.equal((await put()).body.version, 2)
  })

  test('a body over the size limit is 422 document_too_large on every route that takes a document', async () => {
    const { call } = await newCollection({ unique: ['k'] })
    const { body: one } = await call('POST /documents', { k: 'a' })
    const data = { k: 'a', text: 'x'.repeat(2 * limits.json_body_bytes_max) }
    for (const route of ['POST /documents', 'PUT /documents?by=k']) {
      const answer = await call(route, data)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'document_too_large'], route)
    }
    for (const method of ['PUT', 'PATCH']) {
      const answer = await call(`${method} /documents/${one.id}`, data)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'document_too_large'], method)
    }
  })
})
