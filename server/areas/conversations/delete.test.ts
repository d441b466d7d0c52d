/** Deletion of conversations and of their summaries, over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()

async function openShop() {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const call = (route: string, body?: unknown): Promise<Answer> =>
    fixture.call(route, { key, ...(body === undefined ? {} : { body }) })
  await call('PUT /assistant', { name: 'Mill Bakery' })
  return {
    call,
    id: (await call('POST /conversations', { message: 'Hello' })).body.conversation.id,
  }
}

describe('DELETE /conversations/{id}', () => {
  test('deletes a conversation in any state, with its messages', async () => {
    for (const end of ['', 'handoff', 'close']) {
      const { call, id } = await openShop()
      if (end) await call(`POST /conversations/${id}/${end}`, {})
      assert.equal((await call(`DELETE /conversations/${id}`)).status, 204, end)
      assert.equal((await call(`GET /conversations/${id}`)).status, 404)
      assert.equal((await call(`DELETE /conversations/${id}`)).status, 404)
      const said = await fixture.runtime.db
        .selectFrom('conversation_messages')
        .select('id')
        .where('conversation_id', '=', id)
        .execute()
      assert.deepEqual(said, [])
    }
  })

  test('refuses a conversation of another project with 404', async () => {
    const [{ id }, { call }] = [await openShop(), await openShop()]
    assert.equal((await call(`DELETE /conversations/${id}`)).status, 404)
    assert.equal((await call(`DELETE /conversations/${id}/summary`)).status, 404)
  })

  test('stores no reply for a message that is being answered', async () => {
    const { call, id } = await openShop()
    const said = Array.from({ length: 5 }, (_, n) =>
      call(`POST /conversations/${id}/messages`, { text: `Hello ${n}` }),
    )
    assert.equal((await call(`DELETE /conversations/${id}`)).status, 204)
    for (const { status } of await Promise.all(said))
      assert.ok([201, 404, 409].includes(status), String(status))
    assert.equal((await call(`GET /conversations/${id}`)).status, 404)
  })
})

describe('DELETE /conversations/{id}/summary', () => {
  test('deletes the summary alone, also when repeated', async () => {
    const { call, id } = await openShop()
    await call(`POST /conversations/${id}/close`, {})
    await eventually(async () => (await call(`GET /conversations/${id}`)).body.summary)
    for (let time = 0; time < 2; time++)
      assert.equal((await call(`DELETE /conversations/${id}/summary`)).status, 204)
    const { body } = await call(`GET /conversations/${id}`)
    assert.deepEqual([body.summary, body.status, body.messages.length], [null, 'closed', 3])
  })

  test('prevents the summary of a conversation that is closed later', async () => {
    const { call, id } = await openShop()
    await call(`DELETE /conversations/${id}/summary`)
    await call(`POST /conversations/${id}/close`, {})
    await eventually(async () => (await summaryJobs()).length === 0)
    assert.equal((await call(`GET /conversations/${id}`)).body.summary, null)
  })
})

function summaryJobs() {
  return fixture.runtime.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', 'conversations.summarise')
    .execute()
}
