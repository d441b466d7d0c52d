/** Tests of the API of the inbox: waiting visitors, search, and replies that can be sent again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const question = 'Can I park at your shop?'

const slugOf = ({ body }: Answer): string => String(body.type).split('/').at(-1) ?? ''

async function openShop() {
  const { project_id } = await fixture.newProject({ shape: 'single' })
  const key = await fixture.newKey({ project_id })
  const call = (route: string, body?: unknown) =>
    fixture.call(route, { key, ...(body !== undefined && { body }) })
  const facts = [{ question, answer: 'Yes, behind the shop.' }]
  await call('PUT /assistant', { name: 'Mill Bakery', languages: ['en', 'nl'], facts })
  const start = async (body: object = {}): Promise<string> =>
    (await call('POST /conversations', body)).body.conversation.id
  const ids = async (query: string): Promise<string[]> =>
    (await call(`GET /conversations?${query}`)).body.data.map(({ id }: { id: string }) => id)
  const waits = async (id: string): Promise<boolean> =>
    (await call(`GET /conversations/${id}`)).body.waiting_since !== null
  return { call, start, ids, waits }
}

describe('a visitor who waits for a person', () => {
  test('waits from the hand-over to the reply, and again from their next message', async () => {
    const { call, start, waits } = await openShop()
    const id = await start({ message: question })
    assert.equal(await waits(id), false)
    await call(`POST /conversations/${id}/messages`, { text: 'Can I talk to a person please?' })
    assert.equal(await waits(id), true)
    await call(`POST /conversations/${id}/replies`, { text: 'I am Jan.' })
    assert.equal(await waits(id), false)
    const since = async () => (await call(`GET /conversations/${id}`)).body.waiting_since
    await call(`POST /conversations/${id}/messages`, { text: 'Do you have bread?' })
    const asked_at = await since()
    assert.ok(asked_at)
    fixture.passes('5 minutes')
    await call(`POST /conversations/${id}/messages`, { text: 'Hello?' })
    assert.equal(await since(), asked_at)
  })

  test('no longer waits when the assistant takes over again, or the chat is closed', async () => {
    const { call, start, waits } = await openShop()
    const [back, ended] = [await start(), await start()]
    for (const id of [back, ended]) await call(`POST /conversations/${id}/handoff`, {})
    assert.deepEqual([await waits(back), await waits(ended)], [true, true])
    await call(`POST /conversations/${back}/handoff`, { active: false })
    await call(`POST /conversations/${ended}/close`, {})
    assert.deepEqual([await waits(back), await waits(ended)], [false, false])
  })

  test('is listed with waiting=true, and the others with waiting=false', async () => {
    const { call, start, ids } = await openShop()
    const [waiting, other] = [await start(), await start()]
    await call(`POST /conversations/${waiting}/handoff`, {})
    assert.deepEqual(await ids('waiting=true'), [waiting])
    assert.deepEqual(await ids('waiting=false'), [other])
  })
})

describe('the list of conversations', () => {
  test('is filtered by language', async () => {
    const { start, ids } = await openShop()
    await start({ language: 'en' })
    const dutch = await start({ language: 'nl' })
    assert.deepEqual(await ids('language=nl'), [dutch])
  })

  test('has conversations whose messages or visitor contain all words of q, without wildcards', async () => {
    const { start, ids } = await openShop()
    const parking = await start({ message: question, visitor: { name: 'Anna de Vries' } })
    await start({ message: 'Do you sell bread?', visitor: { email: 'jan@example.com' } })
    assert.deepEqual(await ids('q=anna%20PARK'), [parking])
    assert.deepEqual(await ids('q=anna%20bread'), [])
    assert.deepEqual(await ids('q=p%25k'), [], 'a % is no placeholder')
    assert.equal((await ids('q=example.com')).length, 1)
  })

  test('refuses more than eight words, and the cursor of another search', async () => {
    const { call, start } = await openShop()
    for (let n = 0; n < 2; n += 1) await start({ message: question })
    const many = await call('GET /conversations?q=a%20b%20c%20d%20e%20f%20g%20h%20i')
    assert.deepEqual([many.status, slugOf(many)], [400, 'invalid_parameter'])
    const { body } = await call('GET /conversations?q=park&limit=1')
    const next = await call(`GET /conversations?q=park&limit=1&cursor=${body.next_cursor}`)
    assert.equal(next.body.data.length, 1)
    const mixed = await call(`GET /conversations?q=shop&limit=1&cursor=${body.next_cursor}`)
    assert.equal(slugOf(mixed), 'invalid_parameter')
  })
})

describe('a reply of a person with a client_message_id', () => {
  test('is stored once, and returned again after the chat was closed', async () => {
    const { call, start } = await openShop()
    const id = await start()
    const body = { text: 'Good morning.', client_message_id: 'm-1' }
    const send = () => call(`POST /conversations/${id}/replies`, body)
    const [one, two] = await Promise.all([send(), send()])
    await call(`POST /conversations/${id}/close`, {})
    const three = await send()
    assert.deepEqual([one.status, two.status, three.status], [201, 201, 201])
    assert.deepEqual(
      [two.body.message.id, three.body.message.id],
      [one.body.message.id, one.body.message.id],
    )
    const { messages } = (await call(`GET /conversations/${id}`)).body
    assert.equal(messages.filter(({ role }: { role: string }) => role === 'human').length, 1)
    const other = { text: 'Another one.', client_message_id: 'm-2' }
    const refused = await call(`POST /conversations/${id}/replies`, other)
    assert.equal(slugOf(refused), 'conversation_closed')
  })

  test('does not collide with the same id of the visitor', async () => {
    const { call, start } = await openShop()
    const id = await start()
    const sent = { text: question, client_message_id: 'm-1' }
    assert.equal((await call(`POST /conversations/${id}/messages`, sent)).status, 201)
    const body = { text: 'I am Jan.', client_message_id: 'm-1' }
    const { body: replied } = await call(`POST /conversations/${id}/replies`, body)
    assert.deepEqual([replied.message.role, replied.message.text], ['human', 'I am Jan.'])
  })
})
