/** Tests of the idempotence of forms: a repeat gets the first reply, and only a repeat does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { BROWSER, newAddress, openSite, type Send } from '../../../test/fixtures/sites/site.ts'

const runtime = await openTestRuntime({ work: false })
const site = await openSite(runtime)
const other = await openSite(runtime)

const schema = {
  type: 'object',
  properties: { name: { type: 'string' }, photo: { type: 'string', format: 'media' } },
  required: ['name'],
  additionalProperties: false,
}
let collections = 0

async function newCollection(settings: object = {}): Promise<string> {
  collections += 1
  const name = `repeats-${collections}`
  const body = { name, title: 'Orders', schema, public_write: true, ...settings }
  const made = await runtime.call('POST /collections', { body })
  assert.equal(made.status, 201, made.text)
  return name
}

function submit(name: string, sent: Send): Promise<Answer> {
  return site.send(`POST /public/collections/${name}/documents`, sent)
}

async function count(name: string): Promise<number> {
  const { body } = await runtime.call(`GET /collections/${name}`)
  return Object(body)['document_count']
}

const id = 'q1w2e3r4-0001'
const order = { body: { name: 'Anna', hp_submission: id } }

describe('a form with hp_submission', () => {
  test('gets the first reply for a repeat, and stores one document', async () => {
    const name = await newCollection()
    const first = await submit(name, order)
    assert.equal(first.status, 201, first.text)
    const fields = [['name', 'Anna'] as const, ['hp_submission', id] as const]
    for (const sent of [order, { fields }, { fields, accept: BROWSER }]) {
      const again = await submit(name, sent)
      assert.equal(again.status, 201, again.text)
      if (again.body) assert.deepEqual(again.body, first.body)
    }
    assert.equal(await count(name), 1)
    const { body } = await runtime.call(`GET /collections/${name}/documents`)
    assert.deepEqual(Object(body)['data'][0].data, { name: 'Anna' })
  })

  test('is stored once for ten concurrent submissions', async () => {
    const name = await newCollection({ unique: ['name'] })
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(name, order)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(await count(name), 1)
  })

  test('is stored again if content, token or collection differs', async () => {
    const name = await newCollection()
    const elsewhere = await newCollection()
    await submit(name, order)
    await submit(name, { body: { ...order.body, name: 'Bram' } })
    await submit(name, { body: { ...order.body, hp_submission: 'q1w2e3r4-0002' } })
    await other.send(`POST /public/collections/${name}/documents`, order)
    await submit(elsewhere, order)
    assert.deepEqual([await count(name), await count(elsewhere)], [4, 1])
  })

  test('can be sent again if it was refused', async () => {
    const name = await newCollection({ unique: ['name'] })
    assert.equal((await submit(name, { body: { name: 'Anna' } })).status, 201)
    assert.equal((await submit(name, order)).status, 422)
    const { body } = await runtime.call(`GET /collections/${name}/documents`)
    const held = Object(body)['data'][0]
    await runtime.call(`DELETE /collections/${name}/documents/${held.id}`)
    assert.equal((await submit(name, order)).status, 201)
    assert.equal(await count(name), 1)
  })

  test('adds the files of a repeat to the library once', async () => {
    const name = await newCollection()
    const send = (text: string) => {
      const form = new FormData()
      form.set('name', 'Anna')
      form.set('hp_submission', id)
      form.set('photo', new File([text], 'a.txt', { type: 'text/plain' }))
      return submit(name, { form })
    }
    const answers = [...(await Promise.all([send('one'), send('one')])), await send('one')]
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    const media = await runtime.call(`GET /media?folder=forms/${name}`)
    assert.equal(Object(media.body)['data'].length, 1)
    assert.notEqual((await send('two')).text, answers[0]?.text)
    assert.equal(await count(name), 2)
  })

  for (const hp_submission of ['short', 'x'.repeat(101)]) {
    test(`is refused with an hp_submission of ${hp_submission.length} characters`, async () => {
      const name = await newCollection()
      const answer = await submit(name, { body: { name: 'Anna', hp_submission } })
      assert.equal(answer.status, 422)
      assert.equal(Object(answer.body)['errors'][0].path, '/hp_submission')
    })
  }

  test('is forgotten after 24 hours', async () => {
    const name = await newCollection()
    const first = await submit(name, order)
    await runtime.passes('23 hours')
    assert.deepEqual((await submit(name, order)).body, first.body)
    await runtime.passes('61 minutes')
    assert.equal((await submit(name, order)).status, 201)
    assert.equal(await count(name), 2)
  })
})

describe('a form without a script', () => {
  const plain = (address: string, more: Send = {}): Send => ({
    fields: [['name', 'Anna']],
    accept: BROWSER,
    address,
    ...more,
  })

  test('is stored once if one browser sends identical content twice in two minutes', async () => {
    const name = await newCollection()
    const address = newAddress()
    for (const _ of [1, 2, 3]) assert.equal((await submit(name, plain(address))).status, 201)
    assert.equal(await count(name), 1)
    await runtime.passes('121 seconds')
    await submit(name, plain(address))
    assert.equal(await count(name), 2)
  })

  test('is stored again for other browsers, networks or content', async () => {
    const name = await newCollection()
    const address = newAddress()
    await submit(name, plain(address))
    await submit(name, plain(address, { headers: { 'user-agent': 'Another/1.0' } }))
    await submit(name, plain(newAddress()))
    await submit(name, plain(address, { fields: [['name', 'Bram']] }))
    assert.equal(await count(name), 4)
  })

  test('is stored each time if a script sends it without hp_submission', async () => {
    const name = await newCollection()
    const address = newAddress()
    for (const _ of [1, 2]) await submit(name, { fields: [['name', 'Anna']], address })
    assert.equal(await count(name), 2)
  })
})
