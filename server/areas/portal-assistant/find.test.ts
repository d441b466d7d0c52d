/** The portal assistant without a language model, over the API of the portal. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { readDates } from './answer/dates.ts'
import { fillIn } from './answer/fill.ts'

const fixture = await openTestRuntime({ work: false })
const team = await newTeam(fixture)
const inProject = `/projects/${team.project_id}`
const root = `${inProject}/portal-assistant`
const test_mode = { 'homeport-mode': 'test' }

async function answerTo(text: string, by = team.owner, more = {}) {
  const options = { body: { text, ...more }, headers: test_mode }
  const { status, body, text: said } = await by.call(`POST ${root}/messages`, options)
  assert.equal(status, 200, said)
  return body.answer
}

const titles = ({ sources }: any, kind: string): string[] =>
  sources.filter((one: any) => one.kind === kind).map(({ title }: any) => title)

describe('an answer without a language model', () => {
  const forms = [
    [
      'Create a webhook to https://shop.example/hooks for call.completed and call summary ready.',
      'webhooks.create',
      { url: 'https://shop.example/hooks', events: ['call.completed', 'call.summary.ready'] },
    ],
    [
      'Maak een verzameling met de naam "reserveringen"',
      'collections.create',
      { name: 'reserveringen' },
    ],
    ['Top up 25 euro', 'top_ups.create', { amount_eur: 25 }],
    ['Waardeer het saldo op met € 30', 'top_ups.create', { amount_eur: 30 }],
    [
      'Nodig piet@bakker.example uit als member',
      'invitations.create',
      { email: 'piet@bakker.example', role: 'member' },
    ],
    ['Bestel een nummer', 'numbers.order', {}],
  ] as const
  for (const [said, operation, values] of forms) {
    test(`fills in the form of ${operation} for: ${said}`, async () => {
      const { form, made_by, cost_eur, model } = await answerTo(said)
      assert.deepEqual([made_by, cost_eur, model], ['search', 0, null])
      assert.equal(form?.operation, operation)
      assert.deepEqual(form.values, values)
      assert.equal(form.shape.type, 'object')
    })
  }

  for (const said of [
    'How do I verify the signature of a webhook?',
    'Hoe controleer ik de handtekening van een webhook?',
  ]) {
    test(`quotes the documentation for the question: ${said}`, async () => {
      const { form, sources, text } = await answerTo(said, team.owner, { language: 'nl' })
      assert.equal(form, null)
      assert.match(text, /^Dit heb ik gevonden/)
      const docs = sources.filter(({ kind }: any) => kind === 'docs')
      assert.ok(
        docs.some(({ href }: any) => /webhook|signature/.test(href)),
        JSON.stringify(docs),
      )
      for (const { href, about } of docs) {
        assert.notEqual(about, '')
        const page = await fetch(fixture.url + href)
        assert.equal(page.status, 200, href)
        await page.body?.cancel()
      }
    })
  }

  test('finds records by name, and documents by their contents', async () => {
    const body = { name: 'bookings', title: 'Bookings' }
    await team.owner.call(`POST ${inProject}/collections`, { body, headers: test_mode })
    await team.owner.call(`POST ${inProject}/collections/bookings/documents`, {
      body: { name: 'Anna de Vries', guests: 4 },
      headers: test_mode,
    })
    const one = await answerTo('Where is the booking of Anna de Vries?')
    assert.ok(titles(one, 'record').includes('Anna de Vries, 4'), JSON.stringify(one.sources))
    assert.ok(titles(await answerTo('open the bookings collection'), 'record').includes('Bookings'))
  })

  test('finds nothing that the person may not see', async () => {
    const slug = (await team.owner.call(`GET ${inProject}/sites/${team.other_site_id}`)).body.slug
    const said = `Which site is ${slug}?`
    assert.equal(titles(await answerTo(said), 'record').length > 0, true)
    const { sources } = await answerTo(said, team.limited)
    assert.ok(!JSON.stringify(sources).includes(team.other_site_id))
    const key = { name: 'Warehouse', mode: 'test', scopes: 'read_only' }
    await team.owner.call(`POST ${inProject}/keys`, { body: key })
    assert.ok(titles(await answerTo('Warehouse key'), 'record').includes('Warehouse'))
    assert.ok(!titles(await answerTo('Warehouse key', team.viewer), 'record').includes('Warehouse'))
  })

  test('offers a viewer only forms that they may submit', async () => {
    const { form } = await answerTo('Top up 25 euro', team.viewer)
    assert.equal(form, null)
  })

  test('offers no form for a wish of which it knows few words', async () => {
    const { form } = await answerTo('Order a pizza with extra cheese for tonight')
    assert.equal(form, null)
  })

  test('says that it found nothing', async () => {
    const { text, form } = await answerTo('zxqv wwrt')
    assert.match(text, /found nothing/)
    assert.equal(form, null)
  })

  test('is a conversation of its own person, which is listed, read and deleted', async () => {
    const by = team.member
    await answerTo('Hello there', by)
    const { body } = await by.call(`GET ${root}/conversations`, { headers: test_mode })
    assert.deepEqual([body.data.length, body.model], [1, null])
    const [{ id, title, messages_count, answering }] = body.data
    assert.deepEqual([title, messages_count, answering], ['Hello there', 2, false])
    const path = `${root}/conversations/${id}`
    for (const other of [team.owner, team.viewer]) {
      assert.equal((await other.call(`GET ${path}`, { headers: test_mode })).status, 404)
      assert.equal((await other.call(`DELETE ${path}`, { headers: test_mode })).status, 404)
    }
    assert.equal((await by.call(`GET ${path}`)).status, 404, 'It is of the other mode.')
    const deleted = await by.call(`DELETE ${path}`, { headers: test_mode })
    assert.equal(deleted.status, 204)
    assert.equal((await by.call(`GET ${path}`, { headers: test_mode })).status, 404)
  })

  test('refuses an empty or overlong message, and an unknown conversation', async () => {
    const send = (body: object) =>
      team.owner.call(`POST ${root}/messages`, { body, headers: test_mode })
    for (const text of ['', '  ', 'x'.repeat(4_001)])
      assert.equal((await send({ text })).status, 422)
    const conversation_id = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    assert.equal((await send({ text: 'Hello', conversation_id })).status, 404)
  })
})

describe('the values of a form', () => {
  const today = '2026-11-27'
  const fill = (fields: Record<string, object>, text: string) => fillIn(fields, { text, today })

  test('are taken from the sentence by the type in the schema, each once', () => {
    const fields = {
      email: { type: 'string', format: 'email' },
      url: { type: 'string' },
      to: { type: 'string', pattern: '^\\+[1-9]' },
      amount_eur: { type: 'number', minimum: 5 },
      guests: { type: 'integer' },
      tables: { type: 'integer' },
      day: { type: 'string', format: 'date' },
      title: { type: 'string' },
      role: { enum: ['admin', 'member'] },
      app_id: { type: 'string', format: 'uuid' },
    }
    const said =
      'Book 4 guests at 2 tables on 3 December for "Anna’s party", call 0031 20 123 4567, mail ' +
      'anna@x.example, see https://x.example/p. It costs € 12,50; add her as member.'
    assert.deepEqual(fill(fields, said), {
      email: 'anna@x.example',
      url: 'https://x.example/p',
      to: '+31201234567',
      amount_eur: 12.5,
      guests: 4,
      tables: 2,
      day: '2026-12-03',
      title: 'Anna’s party',
      role: 'member',
    })
  })

  test('stay empty if nothing fits, or two choices do', () => {
    const fields = {
      role: { enum: ['admin', 'member'] },
      amount_eur: { type: 'number', minimum: 5 },
      limit: { type: 'integer', maximum: 10 },
    }
    assert.deepEqual(fill(fields, 'An admin or a member pays 3 euro for 99 things.'), {})
  })

  const dates = [
    ['on 2026-12-24', ['2026-12-24']],
    ['op 24-12-2026', ['2026-12-24']],
    ['3 maart', ['2027-03-03']],
    ['December 5th', ['2026-12-05']],
    ['tomorrow', ['2026-11-28']],
    ['overmorgen', ['2026-11-29']],
    ['31-2-2027 or 2026-02-30', []],
  ] as const
  for (const [text, days] of dates) {
    test(`read the date in: ${text}`, () => assert.deepEqual(readDates(text, today), days))
  }
})
