/** Tests of what a conversation begins with: get_state, resources and prompts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  callMessage,
  connectEarlier,
  connectModern,
  post,
  valueOf,
} from '../../../test/fixtures/mcp/mcp.ts'
import { attemptNow } from '../../areas/webhooks/attempt/test-attempt.ts'

const fixture = await openTestRuntime({ work: false })

async function state(key = fixture.key): Promise<any> {
  const { body } = await post(fixture, callMessage('get_state'), { key })
  return valueOf(body.result)
}

describe('get_state', () => {
  test('shows the project, with the names that other tools take', async () => {
    const headers = { 'idempotency-key': 'a-number' }
    const number = await fixture.call('POST /numbers', { body: {}, headers })
    const properties = { email: { type: 'string' }, guests: { type: 'integer' } }
    const schema = { type: 'object', required: ['email'], properties }
    await fixture.call('POST /collections', { body: { name: 'bookings', schema } })
    const seen = await state()
    assert.equal(seen.project.id, fixture.project_id)
    assert.equal(seen.project.mode, 'test')
    assert.equal(seen.balance.balance_eur, 0)
    assert.deepEqual(
      seen.numbers.items.map((one: any) => one.id),
      [number.body.id],
    )
    const [collection] = seen.collections.items
    assert.deepEqual(collection.fields, { email: 'string', guests: 'integer, optional' })
    assert.deepEqual([collection.name, collection.document_count], ['bookings', 0])
    assert.equal(seen.not_shown, undefined)
  })

  test('contains webhooks, whether they fail, and whether a collection sends to them', async () => {
    const body = { url: 'http://127.0.0.1:9/', events: ['call.completed'] }
    const made = await fixture.call('POST /webhooks', { body })
    const { url, events } = body
    assert.deepEqual((await state()).webhooks.items, [{ id: made.body.id, url, events }])
    assert.equal((await state()).collections.items[0].webhook_on_insert, false)
    await attemptNow(fixture.runtime, {
      project_id: fixture.project_id,
      endpoint_id: made.body.id,
    })
    const [failing] = (await state()).webhooks.items
    assert.deepEqual([failing.id, failing.consecutive_failures], [made.body.id, 1])
  })

  test('names the sections that a key may not see, and shows the others', async () => {
    const key = await fixture.newKey({ scopes: ['project:read', 'data:read'] })
    const seen = await state(key)
    assert.ok(seen.project && seen.collections)
    assert.equal(seen.numbers, undefined)
    assert.ok(seen.not_shown.includes('numbers: this key lacks numbers:read'), seen.not_shown)
  })

  test('is small', async () => {
    assert.ok(JSON.stringify(await state()).length < 4000)
  })
})

describe('resources', () => {
  test('are the chapters of the documentation, and can be read', async () => {
    for (const client of [await connectModern(fixture), await connectEarlier(fixture)]) {
      const { resources } = await client.listResources()
      assert.ok(resources.some(({ uri }) => uri === 'homeport://guides/forms'))
      for (const { uri } of resources) {
        const { contents } = await client.readResource({ uri })
        assert.match(JSON.stringify(contents[0]), /"mimeType":"text\/markdown".*"text":"# /, uri)
      }
      await client.close()
    }
  })

  test('include a page for each error and each event', async () => {
    const client = await connectModern(fixture)
    const { resourceTemplates } = await client.listResourceTemplates()
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['homeport://errors/{slug}', 'homeport://events/{type}'],
    )
    for (const uri of ['homeport://errors/rate_limited', 'homeport://events/call.completed']) {
      const { contents } = await client.readResource({ uri })
      assert.match(JSON.stringify(contents), /# `/, uri)
    }
    await client.close()
  })

  test('get an error if they do not exist', async () => {
    const client = await connectModern(fixture)
    for (const uri of ['homeport://errors/nothing', 'homeport://../x', 'file:///etc/passwd'])
      await assert.rejects(client.readResource({ uri }), uri)
    await client.close()
  })
})

describe('prompts', () => {
  test('are three, and each contains its arguments', async () => {
    for (const client of [await connectModern(fixture), await connectEarlier(fixture)]) {
      const { prompts } = await client.listPrompts()
      assert.deepEqual(
        prompts.map(({ name }) => name),
        ['set_up_my_business', 'publish_a_site', 'put_the_receptionist_on_my_number'],
      )
      const given = { business: 'a bakery in Utrecht' }
      const { messages } = await client.getPrompt({ name: 'set_up_my_business', arguments: given })
      assert.match(JSON.stringify(messages), /a bakery in Utrecht.*get_state/)
      await client.close()
    }
  })

  test('name existing tools and operations', async () => {
    const client = await connectModern(fixture)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    const given = { business: 'x', about: 'y' }
    for (const { name } of (await client.listPrompts()).prompts) {
      const { messages } = await client.getPrompt({ name, arguments: given })
      for (const [word] of JSON.stringify(messages).matchAll(/\b[a-z]+_[a-z_]+\b/g)) {
        const isField = ['ai_agent', 'media_id', 'keep_others'].includes(word)
        const isOperation = /put_call_plan|search_operations/.test(word)
        assert.ok(isField || isOperation || names.includes(word), `${name}: ${word}`)
      }
    }
    await client.close()
  })

  test('are refused without a required argument', async () => {
    const client = await connectModern(fixture)
    await assert.rejects(client.getPrompt({ name: 'publish_a_site' }), /about/)
    await client.close()
  })
})
