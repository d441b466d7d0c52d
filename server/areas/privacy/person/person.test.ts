/** The data about one person over HTTP: what is found, exported and erased. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
let numbers = 0

const phone = '+447700900123'
const email = 'anna@example.com'

async function openShop() {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const call = (route: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
    fixture.call(route, { key, ...(body !== undefined && { body }), ...(headers && { headers }) })
  await call('PUT /assistant', { name: 'Mill Bakery' })
  await call('POST /collections', { name: 'orders', schema: { type: 'object' } })
  const number = await call('POST /numbers', {}, { 'idempotency-key': `p${++numbers}` })
  const ring = async (from: string, say = 'What are your opening hours?') => {
    const sent = { number_id: number.body.id, from, turns: [{ say }] }
    const { status, body, text } = await call('POST /test/calls', sent)
    assert.equal(status, 201, text)
    return body.id as string
  }
  const chat = async (visitor: object, message = 'Are you open?') => {
    const { status, body, text } = await call('POST /conversations', { message, visitor })
    assert.equal(status, 201, text)
    return body.conversation.id as string
  }
  const store = async (data: object) => {
    const { status, body, text } = await call('POST /collections/orders/documents', data)
    assert.equal(status, 201, text)
    return body.id as string
  }
  const found = async (person: object) => {
    const { status, body, text } = await call('POST /personal-data/query', person)
    assert.equal(status, 200, text)
    return Object.fromEntries(body.kinds.map((one: any) => [one.kind, one])) as Record<string, any>
  }
  const idsOf = (kind: any) => kind.records.map(({ id }: any) => id)
  return { project_id, key, call, ring, chat, store, found, idsOf }
}

describe('a search for one person', () => {
  for (const [name, value] of Object.entries({
    'E.164': '+447700900123',
    '00 and the country': '0044 7700 900123',
    'the national form': '07700 900-123',
    brackets: '+44 (7700) 900 123',
    'digits of WhatsApp': '447700900123',
    'the trunk zero in brackets': '+44 (0)7700 900123',
    'typographic dashes': '07700\u2013900\u2011123',
    'narrow spaces and direction marks': '\u202a+44\u202f7700\u202f900123\u202c',
    'a link': 'tel:+44-7700-900-123',
  }))
    test(`finds a document with the phone number as ${name}`, async () => {
      const { store, found, idsOf } = await openShop()
      const id = await store({ name: 'Anna', contact: { phone: value } })
      await store({ name: 'Ben', contact: { phone: '07700900124' } })
      const { documents } = await found({ phone })
      assert.deepEqual(idsOf(documents), [id])
      assert.deepEqual([documents.own, documents.mentions], [1, 0])
      assert.equal(documents.records[0].collection, 'orders')
    })

  for (const value of [
    email,
    'ANNA@Example.com',
    'Anna Vos <anna@example.com>',
    'mailto:anna@example.com',
  ])
    test(`finds a document with the address as ${value}`, async () => {
      const { store, found, idsOf } = await openShop()
      const id = await store({ people: [{ mail: value }] })
      assert.deepEqual(idsOf((await found({ email: ' Anna@example.com' })).documents), [id])
    })

  test('counts bare national digits as a mention, because they may be another number', async () => {
    const { store, found } = await openShop()
    await store({ phone: 7_700_900_123 })
    const { documents } = await found({ phone })
    assert.deepEqual([documents.own, documents.mentions], [0, 1])
  })

  test('reads documents in pages of limited size', async () => {
    const { call, found } = await openShop()
    const note = 'A table by the window. '.repeat(2600)
    for (let round = 0; round < 3; round += 1) {
      const operations = Array.from({ length: 60 }, (_, at) => ({
        op: 'create',
        data: { note, email: at === 30 ? email : 'ben@example.com' },
      }))
      const { status, text } = await call('POST /collections/orders/documents/batch', {
        operations,
      })
      assert.equal(status, 200, text.slice(0, 300))
    }
    assert.equal((await found({ email }))['documents'].own, 3)
  })

  test('tells mentions in longer texts apart, and finds no part of another address', async () => {
    const { store, found } = await openShop()
    await store({ note: 'Ask anna@example.com, or ring 07700 900123.' })
    await store({ note: 'joanna@example.com', other: 'anna@example.com.au', phone: '077009001234' })
    for (const person of [{ email }, { phone }]) {
      const { documents } = await found(person)
      assert.deepEqual([documents.own, documents.mentions], [0, 1])
      assert.equal(documents.records[0].match, 'mention')
    }
  })

  for (const data of [
    { note: '07700 900123 / 07700 900999' },
    { note: 'Tel. 07700900123. 2 persons, on 20-11-2026' },
    { note: 'Table 4 07700 900123 20:00' },
    { votes: { [email]: 1, 'ben@example.com': 2 } },
    { ratings: { [phone]: { stars: 4 } } },
  ])
    test(`counts ${JSON.stringify(data)} as a mention`, async () => {
      const { store, found } = await openShop()
      await store(data)
      const { documents } = await found({ phone, email })
      assert.deepEqual([documents.own, documents.mentions], [0, 1])
    })

  test('finds calls by number, and by what the caller said', async () => {
    const { ring, found, idsOf } = await openShop()
    const own = await ring(phone)
    const said = await ring('+447700900200', 'Please mail me at anna@example.com.')
    await ring('+447700900200')
    const { calls } = await found({ phone, email })
    assert.deepEqual(idsOf(calls).toSorted(), [own, said].toSorted())
    assert.equal(calls.own, 2)
  })

  test('finds conversations by the details and the id of the visitor, and by what they wrote', async () => {
    const { chat, found, idsOf } = await openShop()
    const ids = [
      await chat({ email: 'Anna@example.com' }),
      await chat({ external_id: 'customer-1042' }),
      await chat({}, 'My number is 07700 900123, please ring.'),
    ]
    await chat({ external_id: 'customer-10' })
    const { conversations } = await found({ phone, email, visitor: 'customer-1042' })
    assert.deepEqual(idsOf(conversations).toSorted(), ids.toSorted())
    assert.equal((await found({ visitor: 'customer-104' })).conversations.own, 0)
  })

  test('finds unanswered questions and earlier versions', async () => {
    const { call, chat, store, found } = await openShop()
    await chat({}, 'Do you repair the gramophone of anna@example.com?')
    const id = await store({ email })
    await call(`PUT /collections/orders/documents/${id}`, { email: 'gone@example.com' })
    const kinds = await found({ email })
    assert.equal(kinds['unanswered_questions'].own, 1)
    assert.deepEqual([kinds['documents'].own, kinds['document_versions'].own], [0, 1])
  })

  test('finds unanswered questions that only the visitor asked', async () => {
    const { chat, found } = await openShop()
    await chat({ external_id: 'v-8' }, 'Do you repair the gramophone of Eva Vos?')
    await chat({ external_id: 'v-8' }, 'Do you repair gramophones?')
    await chat({ external_id: 'v-9' }, 'Do you repair gramophones?')
    assert.equal((await found({ visitor: 'v-8' }))['unanswered_questions'].own, 1)
    assert.equal((await found({ visitor: 'v-9' }))['unanswered_questions'].own, 0)
  })

  test('finds the message that the assistant took in a conversation of the visitor', async () => {
    const { project_id, call, chat, found } = await openShop()
    await call('PUT /assistant/tools', { messages_collection: 'orders' })
    const id = await chat(
      { external_id: 'v-7' },
      'Can you tell the owner that Eva, 0612345678, will be late?',
    )
    const look = () => fixture.look('GET /collections/orders/documents', project_id)
    const document = await eventually(async () => (await look()).body.data[0])
    assert.equal(document.conversation_id ?? document.data.conversation_id, id)
    assert.equal((await found({ visitor: 'v-7' }))['documents'].own, 1)
  })

  test('names the kinds that it leaves out, with the reason', async () => {
    const { call } = await openShop()
    const { body } = await call('POST /personal-data/query', { email })
    const searched = body.kinds.map(({ kind }: any) => kind)
    const left_out = body.not_searched.map(({ kind }: any) => kind)
    assert.ok(left_out.includes('payments') && !left_out.includes('documents'))
    assert.equal(new Set([...searched, ...left_out]).size, searched.length + left_out.length)
    assert.ok(body.not_searched.every(({ reason }: any) => reason.length > 10))
  })

  for (const body of [
    {},
    { phone: '0612345678' },
    { phone: 'x' },
    { email: 'anna' },
    { name: 'Anna' },
  ])
    test(`refuses ${JSON.stringify(body)} with 422`, async () => {
      const { call } = await openShop()
      assert.equal((await call('POST /personal-data/query', body)).status, 422)
    })

  test('finds nothing of another project', async () => {
    const [own, other] = [await openShop(), await openShop()]
    await other.store({ email })
    await other.chat({ email })
    await other.ring(phone)
    const kinds = await own.found({ email, phone })
    assert.ok(Object.values(kinds).every(({ own: count, mentions }) => count + mentions === 0))
  })

  test('needs the scopes of all kinds', async () => {
    const { project_id } = await openShop()
    const key = await fixture.newKey({ project_id, scopes: ['project:read', 'calls:read'] })
    const { status, body } = await fixture.call('POST /personal-data/query', {
      key,
      body: { email },
    })
    assert.equal(status, 403)
    assert.match(body.detail, /chat:read, payments:read, data:read/)
  })
})

describe('an export of one person', () => {
  test('is a ZIP with each record, and a file about the export', async () => {
    const { call, store, ring, chat } = await openShop()
    await store({ email, loaves: 2 })
    await ring(phone)
    await chat({ email }, 'Do you have rye bread?')
    const { status, body } = await call('POST /personal-data/exports', { email, phone })
    assert.equal(status, 201)
    const answer = await fetch(new URL(new URL(body.url).pathname, fixture.url))
    assert.equal(answer.headers.get('content-type'), 'application/zip')
    assert.match(answer.headers.get('content-disposition') ?? '', /attachment; filename=".*\.zip"/)
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()))
    const read = (name: string) => JSON.parse(strFromU8(files[name]!))
    assert.equal(read('documents.json')[0].data.loaves, 2)
    assert.equal(read('calls.json')[0].data.from, phone)
    assert.match(JSON.stringify(read('conversations.json')), /rye bread/)
    assert.deepEqual(read('document_versions.json'), [])
    const about = read('about.json')
    assert.deepEqual(about.person, { phone, email, visitor: null })
    assert.ok(about.kinds.every(({ file }: any) => file in files))
  })

  test('is refused with an altered or expired link', async () => {
    const { call } = await openShop()
    const { body } = await call('POST /personal-data/exports', { email })
    const { pathname } = new URL(body.url)
    const at = (path: string) => fetch(new URL(path, fixture.url)).then(({ status }) => status)
    assert.equal(await at(`${pathname.slice(0, -2)}xx`), 404)
    assert.equal(await at('/personal-data/exports/x'), 404)
    assert.equal(await at(pathname), 200)
    fixture.passes('16 minutes')
    assert.equal(await at(pathname), 404)
  })

  test('whose client left does not delay the next one', async () => {
    const { call } = await openShop()
    const { body } = await call('POST /personal-data/exports', { email })
    const url = new URL(new URL(body.url).pathname, fixture.url)
    for (const wait_ms of [0, 1, 2, 4, 8, 12, 16, 24])
      await fetch(url, { signal: AbortSignal.timeout(wait_ms) }).catch(() => {})
    await eventually(async () => (await fetch(url)).status === 200)
  })
})

describe('erasing one person', () => {
  test('removes the records everywhere, and keeps those of others', async () => {
    const { call, store, ring, chat, found } = await openShop()
    const order = await store({ email })
    await call(`PUT /collections/orders/documents/${order}`, { email, loaves: 3 })
    await ring(phone)
    await chat({ email })
    const kept = await store({ email: 'ben@example.com', note: `Friend of ${email}` })
    const { status, body } = await call('POST /personal-data/erase', { email, phone })
    assert.equal(status, 200)
    const counts = Object.fromEntries(body.kinds.map((one: any) => [one.kind, one]))
    assert.deepEqual([counts.calls.erased, counts.conversations.erased], [1, 1])
    assert.deepEqual([counts.documents.erased, counts.documents.kept], [1, 1])
    const kinds = await found({ email, phone })
    assert.deepEqual(
      Object.values(kinds).flatMap(({ own }) => own),
      Object.values(kinds).map(() => 0),
    )
    assert.equal((await call(`GET /collections/orders/documents/${kept}`)).status, 200)
    const again = await call('POST /personal-data/erase', { email, phone })
    assert.ok(again.body.kinds.every(({ erased }: any) => erased === 0))
  })

  test('removes mentions too if asked to', async () => {
    const { call, store } = await openShop()
    const id = await store({ note: `Call ${email} back` })
    const { body } = await call('POST /personal-data/erase', { email, mentions: true })
    assert.equal(body.kinds.find(({ kind }: any) => kind === 'documents').erased, 1)
    assert.equal((await call(`GET /collections/orders/documents/${id}`)).status, 404)
  })

  test('refuses a request that identifies nobody with 422', async () => {
    const { call } = await openShop()
    assert.equal((await call('POST /personal-data/erase', { mentions: true })).status, 422)
  })

  test('leaves the counts of the collection right', async () => {
    const { call, store } = await openShop()
    for (let at = 0; at < 3; at += 1) await store({ email, at })
    await store({ email: 'ben@example.com' })
    await call('POST /personal-data/erase', { email })
    const { body } = await call('GET /collections/orders')
    assert.equal(body.document_count, 1)
  })

  test('of two at once erases each record once', async () => {
    const { call, store } = await openShop()
    for (let at = 0; at < 20; at += 1) await store({ email, at })
    const answers = await Promise.all(
      [1, 2].map(() => call('POST /personal-data/erase', { email })),
    )
    const erased = answers.map(
      ({ body }) => body.kinds.find(({ kind }: any) => kind === 'documents').erased,
    )
    assert.equal(erased[0] + erased[1], 20)
  })

  test('drops undelivered events about erased calls', async () => {
    const { call, ring } = await openShop()
    await ring(phone)
    await call('POST /personal-data/erase', { phone })
    assert.equal((await call('GET /calls')).body.data.length, 0)
  })
})

test('a test key leaves live conversations alone, and people of the project do not', async () => {
  const { project_id, chat, call } = await openShop()
  const live = await fixture.newKey({ project_id, mode: 'live' })
  const sent = { message: 'Are you open?', visitor: { email } }
  const started = await fixture.call('POST /conversations', { key: live, body: sent })
  assert.equal(started.status, 201, started.text)
  await chat({ email })
  const erased = await call('POST /personal-data/erase', { email })
  const conversations = ({ body }: Answer) =>
    body.kinds.find(({ kind }: any) => kind === 'conversations')
  assert.equal(conversations(erased).erased, 1)
  const rest = await fixture.call('POST /personal-data/erase', { key: live, body: { email } })
  assert.equal(conversations(rest).erased, 1)
})
