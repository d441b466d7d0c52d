/** Bounds of proposals, and a change of one during its click, over the API of the portal. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })
const { owner, project_id } = await newTeam(fixture)
const inProject = `/projects/${project_id}`
const root = `${inProject}/portal-assistant`
const holder = new pg.Client(fixture.connection)
holder.on('error', () => {})
await holder.connect()
after(() => holder.end())

async function newConversation(): Promise<string> {
  const { body } = await owner.call(`POST ${root}/messages`, { body: { text: 'Hello' } })
  return body.conversation.id
}

const submit = (conversation_id: string, operation: string, given: object) =>
  owner.call(`POST ${root}/proposals`, {
    body: { conversation_id, operation, arguments: given },
  })

async function countProposals(conversation_id: string): Promise<number> {
  const { body } = await owner.call(`GET ${root}/conversations/${conversation_id}`)
  return body.proposals.length
}

describe('the proposals of a conversation', () => {
  test('are refused beyond the maximum, also when several arrive at once', async () => {
    const id = await newConversation()
    const one = await submit(id, 'collections.create', { name: 'many' })
    assert.equal(one.body.status, 'pending', one.text)
    await holder.query(
      `insert into portal_proposals select (jsonb_populate_record(p,
        jsonb_build_object('id', gen_random_uuid()))).* from portal_proposals as p,
        generate_series(3, $2) where id = $1`,
      [one.body.id, limits.portal_proposals_max],
    )
    const answers = await Promise.all(
      [1, 2, 3].map(() => submit(id, 'collections.create', { name: 'many' })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
    const refused = answers.find(({ status }) => status === 409)
    assert.match(refused?.body.next_step, /new conversation/)
    assert.equal(await countProposals(id), limits.portal_proposals_max)
  })

  test('keep a large reply of an operation that reads in its response only', async () => {
    const text = 'x'.repeat(9_000)
    await owner.call(`POST ${inProject}/collections`, { body: { name: 'letters' } })
    await owner.call(`POST ${inProject}/collections/letters/documents`, { body: { text } })
    const id = await newConversation()
    const read = await submit(id, 'documents.list', { name: 'letters' })
    assert.equal(read.body.reply.data[0].data.text, text)
    const { body } = await owner.call(`GET ${root}/conversations/${id}`)
    assert.deepEqual([body.proposals[0].status, body.proposals[0].reply], ['executed', null])
  })
})

test('a proposal says that nothing real happens if its rail is in test', async () => {
  const conversation_id = await newConversation()
  const given = { to: '+31612345678', text: 'Hello.' }
  const { body } = await submit(conversation_id, 'messages.send', given)
  assert.match(
    body.cost,
    /Nothing real happens .*the rail sms of this project is in test/,
    body.detail,
  )
})

test('a proposal whose arguments change during the click is not run', async () => {
  const conversation_id = await newConversation()
  const { body: first } = await submit(conversation_id, 'collections.create', { name: 'before' })
  const path = `${root}/proposals/${first.id}`
  const body = { hash: first.hash, arguments: { name: 'after' } }
  const { body: edited } = await owner.call(`PUT ${path}/arguments`, { body })
  const set = ({ arguments: given, hash }: typeof first) =>
    holder.query('update portal_proposals set arguments = $2, input_hash = $3 where id = $1', [
      first.id,
      JSON.stringify(given),
      Buffer.from(hash, 'hex'),
    ])
  await set(first)
  await holder.query('begin')
  await set(edited)
  const click = owner.call(`POST ${path}/run`, { body: { hash: edited.hash } })
  await eventually(async () => {
    const { rows } = await holder.query('select from pg_locks where not granted')
    return rows.length > 0
  })
  await holder.query('commit')
  const answer = await click
  assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'], answer.text)
  assert.match(answer.body.user_message, /changed/)
  const { body: listed } = await owner.call(`GET ${inProject}/collections?limit=100`)
  const names = listed.data.map(({ name }: { name: string }) => name)
  assert.ok(!names.includes('before') && !names.includes('after'), JSON.stringify(names))
})
