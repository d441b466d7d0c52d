/** Facts that are added one by one, over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })

async function openShop(settings?: object) {
  const { project_id } = await fixture.newProject({ shape: 'single' })
  const key = await fixture.newKey({ project_id })
  const call = (route: string, body?: unknown) =>
    fixture.call(route, { key, ...(body !== undefined && { body }) })
  if (settings) await call('PUT /assistant', settings)
  return { project_id, call }
}

const parking = { question: 'Can I park at your shop?', answer: 'Yes, behind the shop.' }
const shop = {
  name: 'Mill Bakery',
  greeting: 'Hello.',
  voice: 'calm',
  languages: ['en'],
  opening_hours: [{ day: 'tue', from: '08:00', to: '17:30' }],
  transfer: { phone: '+31201234567' },
  facts: [parking],
}

test('adds a fact, and leaves the other settings as they are', async () => {
  const { call } = await openShop(shop)
  const { body: before } = await call('GET /assistant')
  const bread = { question: ' Do you bake bread? ', answer: 'Yes, every morning.' }
  const { status, body, text } = await call('POST /assistant/facts', bread)
  assert.equal(status, 201, text)
  const fact = { ...bread, question: 'Do you bake bread?' }
  assert.deepEqual(body, { fact, replaced: false, facts: 2, facts_max: 200, version: 2 })
  const { body: after } = await call('GET /assistant')
  const { updated_at: _, ...same } = after
  assert.deepEqual(
    { ...same, updated_at: before.updated_at },
    { ...before, facts: [parking, fact], version: 2 },
  )
  const asked = await call('POST /conversations', { message: 'Do you bake bread?' })
  assert.match(asked.body.messages[2].text, /every morning/)
})

test('replaces the answer of the same question in other spelling', async () => {
  const { call } = await openShop(shop)
  const fact = { question: 'can i park at your shop', answer: 'No.' }
  const { body } = await call('POST /assistant/facts', fact)
  assert.deepEqual([body.replaced, body.facts], [true, 1])
  assert.deepEqual((await call('GET /assistant')).body.facts, [fact])
})

test('takes an unanswered question off the list in the same transaction', async () => {
  const { call } = await openShop(shop)
  await call('POST /conversations', { message: 'Do you repair submarines?' })
  const questions = async () => (await call('GET /assistant/unanswered')).body.data
  const [{ id: unanswered_question_id, question }] = await questions()
  const body = { question, answer: 'No, only bread.', unanswered_question_id }
  assert.equal((await call('POST /assistant/facts', body)).status, 201)
  assert.deepEqual(await questions(), [])
  const again = await call('POST /assistant/facts', { ...body, answer: 'Yes.' })
  assert.equal(again.status, 404)
  const { facts } = (await call('GET /assistant')).body
  assert.equal(facts.at(-1).answer, 'No, only bread.')
})

test('a flood of new unanswered questions does not displace a frequent one', async () => {
  const { call, project_id } = await openShop(shop)
  const ask = (message: string) => call('POST /conversations', { message })
  await ask('Do you repair submarines?')
  await ask('Do you repair submarines?')
  await fixture.runtime.db.transact((tx) =>
    sql`insert into unanswered_questions (project_id, id, normalized, question, language, times,
        first_asked_at, last_asked_at, conversation_id)
      select project_id, gen_random_uuid(), 'flood ' || n, 'Flood', language, 1,
        last_asked_at + interval '1 hour', last_asked_at + interval '1 hour', conversation_id
      from unanswered_questions, generate_series(2, ${limits.unanswered_questions_max}) as n
      where project_id = ${project_id}`.execute(tx),
  )
  fixture.passes('2 hours')
  await ask('Do you repair balloons?')
  const { body } = await call('GET /assistant/unanswered?limit=100')
  const [first, ...others] = body.data
  assert.deepEqual([first.question, first.times], ['Do you repair submarines?', 2])
  const { rows } = await sql<{ question: string }>`select question from unanswered_questions
    where project_id = ${project_id}`.execute(fixture.runtime.db)
  assert.equal(rows.length, limits.unanswered_questions_max)
  assert.ok(rows.some(({ question }) => question === 'Do you repair balloons?'))
  assert.equal(others.length, 99)
})

test('refuses an unanswered question of another project', async () => {
  const other = await openShop(shop)
  await other.call('POST /conversations', { message: 'Do you repair submarines?' })
  const { body } = await other.call('GET /assistant/unanswered')
  const { call } = await openShop(shop)
  const given = { ...parking, unanswered_question_id: body.data[0].id }
  assert.equal((await call('POST /assistant/facts', given)).status, 404)
  assert.equal((await other.call('GET /assistant/unanswered')).body.data.length, 1)
})

test('sets up the assistant if it was not set up before', async () => {
  const { call } = await openShop()
  assert.equal((await call('POST /assistant/facts', parking)).status, 201)
  const { configured, facts } = (await call('GET /assistant')).body
  assert.deepEqual([configured, facts], [true, [parking]])
})

test('refuses a 201st fact with 409, also if requests are concurrent', async () => {
  const facts = Array.from({ length: 199 }, (_, n) => ({
    question: `Question ${n}?`,
    answer: 'Yes.',
  }))
  const { call } = await openShop({ ...shop, facts })
  const answers = await Promise.all(
    ['bread', 'cake', 'buns'].map((name) =>
      call('POST /assistant/facts', { question: `Do you bake ${name}?`, answer: 'Yes.' }),
    ),
  )
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [201, 409, 409])
  const again = { question: 'Question 7?', answer: 'No.' }
  assert.equal((await call('POST /assistant/facts', again)).status, 201)
})

test('refuses blank texts with 422', async () => {
  const { call } = await openShop(shop)
  for (const body of [
    { ...parking, answer: ' ' },
    { ...parking, question: '\n' },
  ])
    assert.equal((await call('POST /assistant/facts', body)).status, 422)
})
