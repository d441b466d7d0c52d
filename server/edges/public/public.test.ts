/** Tests of public forms over HTTP: admission, validation and replies. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as publicTokens from '../../areas/public-tokens/service.ts'
import { limits } from '../../contract/limits.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import {
  BROWSER,
  newAddress,
  openSite,
  ORIGIN,
  slugOf,
  type Send,
} from '../../../test/fixtures/sites/site.ts'

const runtime = await openTestRuntime({ work: false })
const site = await openSite(runtime)

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    guests: { type: 'integer', minimum: 1 },
    vegan: { type: 'boolean' },
    days: { type: 'array', items: { type: 'string' } },
    address: { type: 'object', properties: { city: { type: 'string' } } },
    photo: { type: 'string' },
  },
  required: ['name'],
  additionalProperties: false,
}
let collections = 0

async function newCollection(settings: object = {}): Promise<string> {
  collections += 1
  const name = `forms-${collections}`
  const body = { name, title: 'Bookings', schema, public_write: true, ...settings }
  const made = await runtime.call('POST /collections', { body })
  assert.equal(made.status, 201, made.text)
  return name
}

const bookings = await newCollection()

function submit(name: string, sent: Send): Promise<Answer> {
  return site.send(`POST /public/collections/${name}/documents`, sent)
}

/** Returns the stored documents, newest first. */
async function stored(name: string): Promise<{ id: string; data: object; source: string }[]> {
  const rows = await runtime.runtime.db
    .selectFrom('documents')
    .innerJoin('collections', 'collections.id', 'documents.collection_id')
    .selectAll('documents')
    .where('collections.name', '=', name)
    .orderBy('documents.id', 'desc')
    .execute()
  return rows.map(({ id, data, source }) => ({ id, data: Object(data), source }))
}

const anna = { name: 'Anna' }

describe('admission of forms', () => {
  const route = `POST /public/collections/${bookings}/documents`
  const refusals: [string, Send, number, string][] = [
    ['without a token', { token: null }, 401, 'invalid_chat_token'],
    ['with an API key', { token: runtime.key }, 401, 'invalid_chat_token'],
    ['with a token cut off', { token: site.token.slice(0, -1) }, 401, 'invalid_chat_token'],
    ['with a token nobody made', { token: `hm_pub_${'0'.repeat(32)}` }, 401, 'invalid_chat_token'],
    [
      'with another scheme',
      { token: null, headers: { authorization: `Basic ${site.token}` } },
      401,
      'invalid_chat_token',
    ],
    ['without an Origin', { origin: null }, 403, 'origin_not_allowed'],
  ]
  for (const [how, sent, status, slug] of refusals) {
    test(`replies ${status} ${slug} ${how}, and lets no script read the reply`, async () => {
      const answer = await site.send(route, { body: anna, ...sent })
      assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.equal(answer.headers.get('vary'), 'Origin')
    })
  }

  const strangers = [
    'null',
    'https://example.nl',
    'https://www.example.nl.',
    'https://www.example.nl/',
    'https://www.example.nl:443',
    'https://www.example.nl:8443',
    'http://www.example.nl',
    'https://WWW.example.nl',
    'https://sub.www.example.nl',
    'https://www.example.nl.evil.example',
    'https://evilwww.example.nl',
    'https://www.example.nl@evil.example',
    'https://www.example.nl, https://evil.example',
    'https://www.example.n',
    '*',
  ]
  for (const origin of strangers) {
    test(`replies 403 origin_not_allowed to ${origin}`, async () => {
      const answer = await site.send(route, { body: anna, origin })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'origin_not_allowed'])
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    })
  }

  test('replies 401 chat_token_revoked for a revoked token', async () => {
    const other = await openSite(runtime)
    assert.equal((await other.send(route, { body: anna })).status, 201)
    await publicTokens.revoke(runtime.runtime, other.token_id)
    const answer = await other.send(route, { body: anna })
    assert.deepEqual([answer.status, slugOf(answer)], [401, 'chat_token_revoked'])
  })

  test("replies 404 for a collection of another project than the token's", async () => {
    const other = await runtime.newProject()
    const stranger = await openSite(runtime, { project_id: other.project_id })
    const answer = await stranger.send(route, { body: anna })
    assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
  })

  test('replies 404 for an unknown collection', async () => {
    for (const name of ['nothing', 'NO', 'a'.repeat(65), '..%2f..']) {
      const answer = await submit(name, { body: anna })
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
  })

  test('replies 403 collection_not_public before reading the body', async () => {
    const closed = await newCollection({ public_write: false, public_read: true })
    for (const sent of [{ body: anna }, { raw: '{', type: 'application/json' }]) {
      const answer = await submit(closed, sent)
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'collection_not_public'])
    }
    for (const part of ['form', 'challenge']) {
      const answer = await site.send(`GET /public/collections/${closed}/${part}`)
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'collection_not_public'])
    }
  })

  test("accepts the token in the query or among the form's fields", async () => {
    const inside = [['token', site.token] as const, ['name', 'Bob'] as const]
    const name = await newCollection()
    const answers = [
      await submit(`${name}`, { token: null, fields: inside }),
      await site.send(`POST /public/collections/${name}/documents?token=${site.token}`, {
        token: null,
        body: anna,
      }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    assert.deepEqual(
      (await stored(name)).map(({ data }) => data),
      [anna, { name: 'Bob' }],
    )
  })

  test('does not fall back to the query after an invalid token in the header', async () => {
    const answer = await site.send(`${route}?token=${site.token}`, {
      token: 'hm_pub_x',
      body: anna,
    })
    assert.deepEqual([answer.status, slugOf(answer)], [401, 'invalid_chat_token'])
  })

  test("records the day of a token's last use", async () => {
    const other = await openSite(runtime)
    await other.send(route, { body: anna })
    const [found] = await publicTokens.list(runtime.runtime, runtime.project_id)
    assert.equal(found?.id, other.token_id)
    assert.ok(found?.last_used_at)
  })
})

describe('CORS', () => {
  const ask = (origin: string | null, headers: Record<string, string> = {}) =>
    site.send(`OPTIONS /public/collections/${bookings}/documents`, {
      token: null,
      origin,
      headers: { 'access-control-request-method': 'POST', ...headers },
    })

  test('allows exactly the origin of a preflight request from an allowed origin', async () => {
    const { status, headers } = await ask(ORIGIN, {
      'access-control-request-headers': 'authorization,content-type',
    })
    assert.equal(status, 204)
    assert.equal(headers.get('access-control-allow-origin'), ORIGIN)
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.match(headers.get('access-control-allow-headers') ?? '', /Authorization, Content-Type/)
    assert.equal(headers.get('access-control-allow-methods'), 'GET, POST')
    assert.equal(headers.get('vary'), 'Origin')
  })

  test('replies 403 to a preflight request from another origin', async () => {
    for (const origin of ['https://evil.example', 'null', null]) {
      const answer = await ask(origin)
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'origin_not_allowed'])
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  })

  test('replies 403 to a preflight request from the origin of a revoked token', async () => {
    const origin = 'https://gone.example'
    const other = await openSite(runtime, { allowed_origins: [origin] })
    assert.equal((await ask(origin)).status, 204)
    await publicTokens.revoke(runtime.runtime, other.token_id)
    assert.equal((await ask(origin)).status, 403)
  })

  test('sends Vary: Origin with every reply', async () => {
    const answers = [
      await submit(bookings, { fields: [['token', 'x'] as const], token: null }),
      await submit(bookings, { raw: 'x', type: 'multipart/form-data', token: null }),
      await site.send('GET /public/collections/none/form'),
    ]
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('vary')),
      ['Origin', 'Origin', 'Origin'],
    )
  })

  test('counts requests in metrics with their status', async () => {
    await submit(bookings, { body: anna, origin: 'https://evil.example' })
    const { text } = await runtime.call('GET //metrics', { key: null })
    assert.match(text, /operation="public_documents.create",status="403"/)
  })

  test("allows the page's origin, and no other, to read replies and errors", async () => {
    const good = await submit(bookings, { body: anna })
    const bad = await submit(bookings, { body: { name: 1 } })
    for (const { headers } of [good, bad]) {
      assert.equal(headers.get('access-control-allow-origin'), ORIGIN)
      assert.equal(headers.get('access-control-allow-credentials'), null)
      assert.equal(headers.get('vary'), 'Origin')
    }
  })

  test('allows no origin on routes for keys', async () => {
    const answer = await runtime.call('OPTIONS /collections', { headers: { origin: ORIGIN } })
    assert.equal(answer.status, 405)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  })
})

describe('accepted submissions', () => {
  test('replies 201 to JSON with id and time only', async () => {
    const name = await newCollection()
    const answer = await submit(name, { body: { name: 'Anna', guests: 2 } })
    assert.equal(answer.status, 201)
    assert.deepEqual(Object.keys(answer.body), ['id', 'created_at'])
    const [document] = await stored(name)
    assert.deepEqual(document, {
      id: answer.body.id,
      data: { name: 'Anna', guests: 2 },
      source: 'form',
    })
  })

  test('parses both form encodings according to the schema', async () => {
    const fields = [
      ['name', 'Ann Ä & Co'],
      ['guests', '4'],
      ['vegan', 'on'],
      ['days', 'mon'],
      ['days', 'tue'],
      ['address.city', 'Delft\r\nNL'],
      ['photo', ''],
    ] as const
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    const expected = {
      name: 'Ann Ä & Co',
      guests: 4,
      vegan: true,
      days: ['mon', 'tue'],
      address: { city: 'Delft\nNL' },
    }
    for (const sent of [{ fields }, { form }]) {
      const name = await newCollection()
      const answer = await submit(name, sent)
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual((await stored(name))[0]?.data, expected)
    }
  })

  test('stores documents as live, except in the test project of a pair', async () => {
    const pair = await runtime.newProject({ shape: 'pair' })
    const projects = [pair.test_project_id, pair.live_project_id]
    const modes = ['test', 'live'] as const
    const found: boolean[] = []
    for (const [at, mode] of modes.entries()) {
      const project_id = projects[at] ?? ''
      const key = await runtime.newKey({ project_id, mode })
      await runtime.call('POST /collections', { key, body: { name: 'a', public_write: true } })
      const other = await openSite(runtime, { project_id })
      await other.send('POST /public/collections/a/documents', { body: anna })
      const { body } = await runtime.call('GET /collections/a/documents', { key })
      found.push(body.data[0].test)
    }
    assert.deepEqual(found, [true, false])
  })

  test('emits document.created if the collection enables it', async () => {
    const name = await newCollection({ webhook_on_insert: true })
    await submit(name, { body: { name: 'x' } })
    await submit(name, { body: { ...anna, hp_website: 'x' } })
    const { body } = await submit(name, { body: anna })
    const events = await runtime.runtime.db.selectFrom('events').selectAll().execute()
    const ours = events.filter(({ type }) => type === 'document.created')
    assert.equal(ours.length, 1)
    assert.ok(JSON.stringify(ours).includes(body.id))
  })

  test('stores one of several concurrent submissions with the same unique value', async () => {
    const name = await newCollection({ unique: ['name'] })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => submit(name, { fields: [['name', 'Anna'] as const] })),
    )
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 11 }, () => 422)])
    assert.equal((await stored(name)).length, 1)
  })

  test('replies 422 schema_mismatch with every path, and stores nothing', async () => {
    const name = await newCollection()
    const answer = await submit(name, { fields: [['guests', 'many'] as const] })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
    const paths = answer.body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths.toSorted(), ['/guests', '/name'])
    assert.deepEqual(await stored(name), [])
  })

  test('replies 422 validation_failed for an unexpected file, but ignores an empty file input', async () => {
    const name = await newCollection()
    const chosen = new FormData()
    chosen.append('name', 'Anna')
    chosen.append('photo', new File(['x'.repeat(100_000)], 'a.png', { type: 'image/png' }))
    const refused = await submit(name, { form: chosen })
    assert.deepEqual([refused.status, slugOf(refused)], [422, 'validation_failed'], refused.text)
    assert.equal(refused.body.errors[0].path, '/photo')
    const empty = new FormData()
    empty.append('name', 'Anna')
    empty.append('photo', new File([], '', { type: 'application/octet-stream' }))
    assert.equal((await submit(name, { form: empty })).status, 201)
    assert.deepEqual((await stored(name))[0]?.data, anna)
  })

  const large = 'x'.repeat(limits.form_bytes_max)
  const largeForm = new FormData()
  for (const part of ['a', 'b', 'c']) largeForm.append(part, 'x'.repeat(limits.form_bytes_max / 2))
  const longForm = new FormData()
  longForm.append('n'.repeat(5_000), 'x')
  const manyForm = new FormData()
  for (let count = 0; count <= limits.form_fields_max; count++) manyForm.append(`a${count}`, 'x')
  const many = Array.from(
    { length: limits.form_fields_max + 1 },
    (_, at) => [`a${at}`, 'x'] as const,
  )
  const junk: [string, Send, number, string][] = [
    ['no body', { type: 'application/json' }, 400, 'invalid_json'],
    ['half JSON', { raw: '{"name":', type: 'application/json' }, 400, 'invalid_json'],
    ['a key twice', { raw: '{"a":1,"a":2}', type: 'application/json' }, 400, 'invalid_json'],
    ['a list', { body: [1] }, 422, 'validation_failed'],
    ['null', { body: null }, 422, 'validation_failed'],
    ['text', { raw: 'hello', type: 'text/plain' }, 400, 'bad_request'],
    ['no type at all', { raw: '', type: '' }, 400, 'bad_request'],
    ['too much JSON', { body: { name: large } }, 400, 'bad_request'],
    ['too much form', { fields: [['name', large] as const] }, 400, 'bad_request'],
    ['too much multipart', { form: largeForm }, 400, 'bad_request'],
    ['too many fields', { fields: many }, 400, 'bad_request'],
    ['too many parts', { form: manyForm }, 400, 'bad_request'],
    ['multipart without a boundary', { raw: 'x', type: 'multipart/form-data' }, 400, 'bad_request'],
    [
      'multipart that ends early',
      {
        raw: '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx',
        type: 'multipart/form-data; boundary=b',
      },
      400,
      'bad_request',
    ],
    ['a name without end', { fields: [['n'.repeat(201), 'x'] as const] }, 400, 'bad_request'],
    ['a name without end in parts', { form: longForm }, 400, 'bad_request'],
    ['an empty form', { fields: [] }, 422, 'schema_mismatch'],
    ['a NUL', { fields: [['name', 'a\0b'] as const] }, 422, 'schema_mismatch'],
    [
      'a prototype',
      { raw: '{"__proto__":{"a":1}}', type: 'application/json' },
      422,
      'schema_mismatch',
    ],
    ['a prototype of a form', { fields: [['__proto__.a', 'x'] as const] }, 422, 'schema_mismatch'],
    [
      'a value and fields below it',
      { fields: [['address', 'x'] as const, ['address.city', 'y'] as const] },
      422,
      'schema_mismatch',
    ],
    [
      'more than a document holds',
      { body: { name: 'x'.repeat(limits.document_bytes_max) } },
      422,
      'document_too_large',
    ],
  ]
  for (const [what, sent, status, slug] of junk) {
    test(`get ${status} ${slug} for ${what}`, async () => {
      const answer = await submit(bookings, sent)
      assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
    })
  }

  test('closes the connection of an endless body, admitted or not', async () => {
    const endless = () =>
      new ReadableStream({
        pull: (stream) => stream.enqueue(new TextEncoder().encode('a'.repeat(60_000))),
      })
    for (const token of [site.token, 'hm_pub_x']) {
      const sending = fetch(`${runtime.url}/api/v1/public/collections/${bookings}/documents`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          origin: ORIGIN,
          'x-forwarded-for': newAddress(),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: endless(),
        duplex: 'half',
      })
      const status = await sending.then(
        (response) => response.status,
        () => 'cut off',
      )
      assert.ok([400, 401, 'cut off'].includes(status), String(status))
    }
    assert.equal((await submit(bookings, { body: anna })).status, 201)
  })

  test('replies 405 to another method, 404 to another path', async () => {
    const route = `/public/collections/${bookings}/documents`
    const put = await site.send(`PUT ${route}`, { body: anna })
    assert.deepEqual(
      [put.status, slugOf(put), put.headers.get('allow')],
      [405, 'method_not_allowed', 'GET, POST'],
    )
    assert.equal((await site.send('GET /public/nothing')).status, 404)
  })
})

describe('spam protection', () => {
  test('pretends success if the honeypot field is filled in, and does not store the form', async () => {
    const name = await newCollection()
    const real = await submit(name, { body: anna })
    for (const sent of [
      { body: { ...anna, hp_website: 'https://spam.example' } },
      { fields: [['name', 'Spam'] as const, ['hp_website', 'x'] as const] },
    ]) {
      const answer = await submit(name, sent)
      assert.equal(answer.status, 201)
      assert.deepEqual(Object.keys(answer.body), Object.keys(real.body))
    }
    assert.equal((await stored(name)).length, 1)
  })

  test('does not store an empty honeypot field', async () => {
    const name = await newCollection()
    await submit(name, { fields: [['name', 'Anna'] as const, ['hp_website', ''] as const] })
    assert.deepEqual((await stored(name))[0]?.data, anna)
  })

  test("publishes the form's schema, and no setting of the collection", async () => {
    const answer = await site.send(`GET /public/collections/${bookings}/form`)
    assert.equal(answer.status, 200)
    const { started, ...form } = answer.body
    assert.deepEqual(form, { title: 'Bookings', schema, challenge: false })
    assert.match(started, /^[0-9a-z]+\.[\w-]{22}$/)
  })

  test('replies 403 challenge_failed to an instant submission, and accepts it after two seconds', async () => {
    const { body } = await site.send(`GET /public/collections/${bookings}/form`)
    const sent = { body: { ...anna, hp_started: body.started } }
    const early = await submit(bookings, sent)
    assert.deepEqual([early.status, slugOf(early)], [403, 'challenge_failed'])
    runtime.passes('2 seconds')
    assert.equal((await submit(bookings, sent)).status, 201)
    runtime.passes('3 day')
    assert.equal((await submit(bookings, sent)).status, 201, 'a page may stay open for days')
  })

  test('replies 403 for a forged form time or that of another form', async () => {
    const other = await newCollection()
    const { body } = await site.send(`GET /public/collections/${other}/form`)
    const [, mac] = body.started.split('.')
    runtime.passes('1 minute')
    for (const started of [body.started, `1.${mac}`, 'x', '.', `${body.started}x`, 7]) {
      const answer = await submit(bookings, { body: { ...anna, hp_started: started } })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'challenge_failed'])
    }
  })
})

describe('rate limits', () => {
  const perAddress = limits.public_submissions_per_address_max

  test('allow ten submissions a minute per address, also concurrently', async () => {
    const address = newAddress()
    const answers = await Promise.all(
      Array.from({ length: perAddress * 2 }, () => submit(bookings, { body: anna, address })),
    )
    const taken = answers.filter(({ status }) => status === 201)
    const refused = answers.filter(({ status }) => status === 429)
    assert.deepEqual([taken.length, refused.length], [perAddress, perAddress])
    assert.equal(slugOf(refused[0]!), 'rate_limited')
    const wait = Number(refused[0]?.headers.get('retry-after'))
    assert.ok(wait > 50 && wait <= 60)
    assert.equal((await submit(bookings, { body: anna })).status, 201)
    runtime.passes('1 minute')
    assert.equal((await submit(bookings, { body: anna, address })).status, 201)
  })

  test('count invalid submissions and those with the token among the fields', async () => {
    const address = newAddress()
    const fields = [['token', site.token] as const]
    for (let count = 0; count < perAddress; count++)
      assert.equal((await submit(bookings, { fields, token: null, address })).status, 422)
    assert.equal((await submit(bookings, { fields, token: null, address })).status, 429)
  })

  test('treat an IPv6 network as one visitor', async () => {
    const statuses: number[] = []
    for (let count = 0; count <= perAddress; count++) {
      const address = `2001:db8:1:2:${count.toString(16)}::1`
      statuses.push((await submit(bookings, { body: anna, address })).status)
    }
    assert.equal(statuses.at(-1), 429)
    const next = await submit(bookings, { body: anna, address: '2001:db8:1:3::1' })
    assert.equal(next.status, 201)
  })

  test('limit reading separately', async () => {
    const address = newAddress()
    const read = () => site.send(`GET /public/collections/${bookings}/form`, { address })
    const answers = await Promise.all(
      Array.from({ length: limits.public_requests_per_address_max }, read),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await read()).status, 429)
  })

  test('limit each token across addresses', async () => {
    const other = await openSite(runtime)
    const name = await newCollection()
    const send = () => other.send(`POST /public/collections/${name}/documents`, { body: {} })
    const statuses = new Map<number, number>()
    for (let batch = 0; batch < 31; batch++) {
      const answers = await Promise.all(Array.from({ length: 10 }, send))
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.deepEqual(Object.fromEntries(statuses), {
      422: limits.public_submissions_per_token_max,
      429: 10,
    })
  })
})

describe('a form without a script', () => {
  const browser = { accept: BROWSER }
  const good = [['name', 'Anna'] as const]

  test("gets a page of thanks in the browser's language, without scripts", async () => {
    const languages = {
      nl: 'Dank u wel',
      'de-AT,en;q=0.5': 'Vielen Dank',
      'xx, fr;q=0.3': 'Merci',
      es: 'Gracias',
      xx: 'Thank you',
    }
    for (const [language, thanks] of Object.entries(languages)) {
      const answer = await submit(bookings, {
        ...browser,
        fields: good,
        headers: { 'accept-language': language },
      })
      assert.equal(answer.status, 201)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      assert.ok(answer.text.includes(`<h1>${thanks}</h1>`), answer.text)
      assert.match(
        answer.headers.get('content-security-policy') ?? '',
        /default-src 'none'.*frame-ancestors 'none'/,
      )
    }
  })

  test('gets a page of errors with a reason per field and without the submitted values', async () => {
    const evil = '<script>alert(1)</script>'
    const answer = await submit(bookings, {
      ...browser,
      fields: [['guests', evil] as const, [evil, 'x'] as const],
    })
    assert.equal(answer.status, 422)
    assert.ok(answer.text.includes('<li>guests: Enter a whole number.</li>'), answer.text)
    assert.ok(answer.text.includes('<li>name: Please fill this in.</li>'), answer.text)
    assert.ok(!answer.text.includes('<script'))
  })

  test("words reasons in the browser's language like the form script", async () => {
    const name = await newCollection({
      schema: {
        type: 'object',
        properties: {
          email: { type: 'string', format: 'email' },
          amount: { type: 'number', maximum: 10 },
          note: { type: 'string', minLength: 3 },
          size: { enum: ['small', 'large'] },
        },
        required: ['name'],
      },
    })
    const fields = Object.entries({ email: 'anna', amount: '11', note: 'a', size: 'x' })
    const reasons = {
      en: ['name: Please fill this in.', 'email: Enter an email address.', 'amount: At most 10.'],
      nl: ['amount: Hoogstens 10.', 'note: Minstens 3 tekens.', 'size: Kies een optie.'],
      de: ['amount: Höchstens 10.', 'email: Bitte eine E-Mail-Adresse.'],
      fr: ['amount: Au plus 10.', 'size: Choisissez une option.'],
      es: ['amount: Como máximo 10.', 'name: Rellena esto.'],
    }
    for (const [language, lines] of Object.entries(reasons)) {
      const headers = { 'accept-language': language }
      const answer = await submit(name, { ...browser, fields, headers })
      assert.equal(answer.status, 422)
      for (const line of lines) assert.ok(answer.text.includes(`<li>${line}</li>`), answer.text)
    }
  })

  test('gets errors as pages too', async () => {
    for (const sent of [{ origin: null }, { token: null }, { raw: 'x', type: 'text/plain' }]) {
      const answer = await submit(bookings, { ...browser, fields: good, ...sent })
      assert.ok([400, 401, 403].includes(answer.status))
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
    }
  })

  test('is redirected with 303 to a page of an allowed origin', async () => {
    const redirects = {
      'https://www.example.nl/thanks?a=1': 'https://www.example.nl/thanks?a=1',
      '/thanks': 'https://www.example.nl/thanks',
      thanks: 'https://www.example.nl/thanks',
      'https:evil.example': 'https://www.example.nl/evil.example',
    }
    for (const [redirect, location] of Object.entries(redirects)) {
      const answer = await submit(bookings, {
        ...browser,
        fields: [...good, ['redirect', redirect] as const],
      })
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, location])
      const query = `${bookings}/documents?redirect=${encodeURIComponent(redirect)}`
      const other = await site.send(`POST /public/collections/${query}`, {
        ...browser,
        fields: good,
      })
      assert.deepEqual([other.status, other.headers.get('location')], [303, location])
    }
  })

  const elsewhere = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'https://www.example.nl@evil.example/',
    'https://user@www.example.nl/',
    'https://www.example.nl.evil.example/',
    'http://www.example.nl/',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'blob:https://www.example.nl/abc',
    'https://www.example.nl:8443/',
    '\thttps://evil.example',
    '/a\r\nSet-Cookie: a=b',
    `/${'a'.repeat(2_000)}`,
  ]
  for (const redirect of elsewhere) {
    test(`is refused and not stored for the redirect ${JSON.stringify(redirect.slice(0, 50))}`, async () => {
      const name = await newCollection()
      const answer = await submit(name, { fields: [...good, ['redirect', redirect] as const] })
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'])
      assert.deepEqual(await stored(name), [])
    })
  }

  test('gets JSON if a script sends it', async () => {
    const answer = await submit(bookings, { fields: [...good, ['redirect', '/thanks'] as const] })
    assert.deepEqual([answer.status, Object.keys(answer.body)], [201, ['id', 'created_at']])
  })
})
