/** Tests of phone numbers over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ work: false })

async function newProject() {
  const { project_id } = await runtime.newProject()
  return runtime.newKey({ project_id })
}

let orders = 0
const order = (key: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  runtime.call('POST /numbers', {
    key,
    body,
    headers: { 'idempotency-key': `order-${++orders}`, ...headers },
  })

const slug = (answer: { body: { type: string } }) => answer.body.type.split('/').at(-1)

describe('POST /numbers with a test key', () => {
  test('assigns a number of the test range, free and at once', async () => {
    const key = await newProject()
    const { status, body: ordered } = await order(key)
    assert.equal(status, 201)
    const { warnings, ...body } = ordered
    assert.match(warnings[0], /asked to try again later: set up the assistant/)
    assert.match(body.e164, /^\+447700900\d{3}$/)
    assert.deepEqual(
      { ...body, id: '', e164: '', created_at: '' },
      {
        id: '',
        e164: '',
        type: 'national',
        status: 'active',
        created_at: '',
        test: true,
        from_stock: true,
      },
    )
    assert.equal((await runtime.call('GET /balance', { key })).body.balance_eur, 0)
  })
  test('assigns a geographic number for an area code, and a national one for a national prefix', async () => {
    const key = await newProject()
    assert.equal((await order(key, { area: '020' })).body.type, 'geographic')
    assert.equal((await order(key, { area: '085' })).body.type, 'national')
  })
  test('refuses a fourth number with 422 test_number_limit_reached', async () => {
    const key = await newProject()
    for (let count = 0; count < 3; count++) assert.equal((await order(key)).status, 201)
    const refused = await order(key)
    assert.deepEqual([refused.status, slug(refused)], [422, 'test_number_limit_reached'])
  })
  test('creates at most three numbers for ten concurrent orders', async () => {
    const key = await newProject()
    const answers = await Promise.all(Array.from({ length: 10 }, () => order(key)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    const { body } = await runtime.call('GET /numbers', { key })
    assert.equal(new Set(body.data.map((number: { e164: string }) => number.e164)).size, 3)
    assert.equal((await runtime.call('GET /project', { key })).body.numbers_count, 3)
  })
  test('assigns the number that e164 names', async () => {
    const key = await newProject()
    const { body } = await runtime.call('GET /numbers/available', { key })
    const { e164 } = body.data[5]
    assert.equal((await order(key, { e164 })).body.e164, e164)
    const again = await order(key, { e164 })
    assert.deepEqual([again.status, slug(again)], [409, 'number_already_yours'])
  })
  test('refuses an e164 outside the test range with 422 validation_failed', async () => {
    const key = await newProject()
    for (const e164 of ['+447700900099', '+447700901000', '+31850000001', 'x', 1]) {
      const refused = await order(key, { e164 })
      assert.deepEqual([refused.status, slug(refused)], [422, 'validation_failed'])
      assert.equal(refused.body.errors[0].path, '/e164')
    }
  })
  test('refuses an unknown area with 422 validation_failed', async () => {
    const key = await newProject()
    for (const area of ['', 'x', '1', '123456', 20, null]) {
      const refused = await order(key, { area })
      assert.deepEqual(
        [refused.status, slug(refused), refused.body.errors[0].path],
        [422, 'validation_failed', '/area'],
      )
    }
  })
})

describe('the Idempotency-Key of POST /numbers', () => {
  test('returns the same number to a retry, marked as replayed', async () => {
    const key = await newProject()
    const first = await order(key, {}, { 'idempotency-key': 'same' })
    const again = await order(key, {}, { 'idempotency-key': 'same' })
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await runtime.call('GET /numbers', { key })).body.data.length, 1)
  })
  test('creates one number for twenty concurrent requests', async () => {
    const key = await newProject()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => order(key, {}, { 'idempotency-key': 'burst' })),
    )
    for (const answer of answers) {
      if (answer.status === 201) continue
      assert.deepEqual([answer.status, slug(answer)], [409, 'idempotency_request_in_progress'])
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    }
    assert.equal((await runtime.call('GET /numbers', { key })).body.data.length, 1)
  })
  test('refuses another body with 409 idempotency_key_reused', async () => {
    const key = await newProject()
    await order(key, {}, { 'idempotency-key': 'reused' })
    const refused = await order(key, { area: '020' }, { 'idempotency-key': 'reused' })
    assert.deepEqual([refused.status, slug(refused)], [409, 'idempotency_key_reused'])
  })
  test('is kept for 24 hours and no longer', async () => {
    const key = await newProject()
    const first = await order(key, {}, { 'idempotency-key': 'daily' })
    runtime.passes('23 hours')
    assert.equal((await order(key, {}, { 'idempotency-key': 'daily' })).body.id, first.body.id)
    runtime.passes('2 hours')
    assert.notEqual((await order(key, {}, { 'idempotency-key': 'daily' })).body.id, first.body.id)
  })
  test('does not store a refusal, so the client can correct the request and retry', async () => {
    const key = await newProject()
    const numbers = await Promise.all([order(key), order(key), order(key)])
    assert.equal((await order(key, {}, { 'idempotency-key': 'mend' })).status, 422)
    await runtime.call(`DELETE /numbers/${numbers[0]!.body.id}`, { key })
    assert.equal((await order(key, {}, { 'idempotency-key': 'mend' })).status, 201)
  })
  test('does not conflict with the same key of another project', async () => {
    const [one, other] = [await newProject(), await newProject()]
    const first = await order(one, {}, { 'idempotency-key': 'shared' })
    const second = await order(other, {}, { 'idempotency-key': 'shared' })
    assert.equal(second.status, 201)
    assert.notEqual(first.body.id, second.body.id)
  })
})

describe('POST /numbers with a live key', () => {
  test('is refused on the Free plan with 402 plan_limit_reached', async () => {
    const { project_id } = await runtime.newProject({ plan: 'free' })
    const refused = await order(await runtime.newKey({ project_id, mode: 'live' }))
    assert.deepEqual([refused.status, slug(refused)], [402, 'plan_limit_reached'])
  })
})

describe('GET /numbers', () => {
  test('lists the numbers of its own project only, oldest first', async () => {
    const key = await newProject()
    const made = [await order(key), await order(key)]
    const { body } = await runtime.call('GET /numbers', { key })
    assert.deepEqual(
      body.data.map((number: { id: string }) => number.id),
      made.map((answer) => answer.body.id),
    )
    assert.deepEqual(Object.keys(body.data[0]), [
      'id',
      'e164',
      'type',
      'status',
      'created_at',
      'test',
    ])
    assert.deepEqual((await runtime.call('GET /numbers', { key: await newProject() })).body, {
      data: [],
    })
  })
})

describe('GET /numbers/available', () => {
  test('lists free test numbers, each of which can be ordered', async () => {
    const key = await newProject()
    const { body } = await runtime.call('GET /numbers/available', { key })
    assert.ok(body.data.length > 0)
    for (const number of body.data) {
      assert.deepEqual(Object.keys(number), ['e164', 'type', 'from_stock', 'test'])
      assert.equal(number.test, true)
    }
    const ordered = (await order(key)).body.e164
    assert.ok(body.data.some((number: { e164: string }) => number.e164 === ordered))
    const after = await runtime.call('GET /numbers/available', { key })
    assert.ok(!after.body.data.some((number: { e164: string }) => number.e164 === ordered))
  })
  test('derives the type from the area', async () => {
    const types = await Promise.all(
      ['', '?area=020', '?area=085', '?type=national', '?type=geographic&area=010'].map(
        async (query) => (await runtime.call(`GET /numbers/available${query}`)).body.data[0].type,
      ),
    )
    assert.deepEqual(types, ['national', 'geographic', 'national', 'national', 'geographic'])
  })
  test('refuses geographic without an area, an unknown type, and a type that contradicts its area with 422 validation_failed', async () => {
    for (const query of [
      'type=geographic',
      'type=mobile',
      'type=national&area=020',
      'type=geographic&area=088',
      'area=x',
    ]) {
      const refused = await runtime.call(`GET /numbers/available?${query}`)
      assert.deepEqual([refused.status, slug(refused)], [422, 'validation_failed'], query)
    }
  })
})

describe('DELETE /numbers/{id}', () => {
  test('releases a test number, so that another can be ordered', async () => {
    const key = await newProject()
    const made = [await order(key), await order(key), await order(key)]
    const { id, e164 } = made[1]!.body
    const released = await runtime.call(`DELETE /numbers/${id}`, { key })
    assert.deepEqual(
      [released.status, released.body],
      [200, { id, e164, released: true, test: true }],
    )
    assert.equal((await runtime.call('GET /numbers', { key })).body.data.length, 2)
    assert.equal((await runtime.call(`DELETE /numbers/${id}`, { key })).status, 404)
    assert.equal((await order(key)).status, 201)
  })
  test('deletes its call plan', async () => {
    const key = await newProject()
    const { id } = (await order(key)).body
    await runtime.call(`PUT /numbers/${id}/call-plan`, {
      key,
      body: { entry: 'a', nodes: { a: { id: 'a', type: 'hangup' } } },
    })
    await runtime.call(`DELETE /numbers/${id}`, { key })
    assert.equal((await runtime.call(`GET /numbers/${id}/call-plan`, { key })).status, 404)
  })
  test('refuses a live key with 409 number_release_not_supported', async () => {
    const { project_id } = await runtime.newProject()
    const { id } = (await order(await runtime.newKey({ project_id }))).body
    const refused = await runtime.call(`DELETE /numbers/${id}`, {
      key: await runtime.newKey({ project_id, mode: 'live' }),
    })
    assert.deepEqual([refused.status, slug(refused)], [409, 'number_release_not_supported'])
  })
})

describe('the call plan of a number', () => {
  const plan =
    '{"nodes":{"b":{"type":"hangup","id":"b","x":1.0},"2":{"id":"2","type":"readText","text":"Hi","next":"b"},"1":{"id":"1","type":"readText","text":"Hi","next":"2"}},"entry":"1","zeta":{"alpha":[ ]}}'

  test('is returned exactly as sent, key order and unknown keys included', async () => {
    const key = await newProject()
    const { id } = (await order(key)).body
    const put = await runtime.call(`PUT /numbers/${id}/call-plan`, { key, raw: plan })
    assert.equal(put.status, 200, put.text)
    const get = await runtime.call(`GET /numbers/${id}/call-plan`, { key })
    const sent = `{"number_id":"${id}","version":1,"source":"number","plan":${plan},"warnings":`
    assert.equal(get.text.slice(0, sent.length), sent)
    assert.deepEqual(
      get.body.warnings.map(({ path }: { path: string }) => path),
      ['/zeta', '/nodes/b/x'],
    )
    assert.equal(get.headers.get('etag'), '"1"')
  })
  test('refuses an outdated If-Match with 412 version_conflict and the current version', async () => {
    const key = await newProject()
    const { id } = (await order(key)).body
    for (const version of ['"0"', '"1"']) {
      const put = await runtime.call(`PUT /numbers/${id}/call-plan`, {
        key,
        raw: plan,
        headers: { 'if-match': version },
      })
      assert.equal(put.status, 200, put.text)
    }
    const refused = await runtime.call(`PUT /numbers/${id}/call-plan`, {
      key,
      raw: plan,
      headers: { 'if-match': '"1"' },
    })
    assert.deepEqual(
      [refused.status, slug(refused), refused.body.current_version],
      [412, 'version_conflict', 2],
    )
  })
})
