/**
 * Tests of operations that need consent, in a session of a 2025 client: the person is asked while
 * the call waits.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { waitingOf } from '../../../../test/fixtures/mcp/approvals.ts'
import { callMessage, connectAsking, post, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'
import {
  beginSession,
  createDeletion,
  listToolsMessage,
  reduceScopes,
  problemOf,
  revoke,
  createPerson,
} from '../../../../test/fixtures/mcp/mcp-sessions.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime({ work: false })

async function listIn(id: string, key: string): Promise<number> {
  const { status } = await post(fixture, listToolsMessage, {
    key,
    headers: { 'mcp-session-id': id },
  })
  return status
}

async function newCollection(): Promise<string> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  await fixture.call('POST /collections', { body: { name }, key: await fixture.newKey() })
  return name
}

async function isThere(name: string): Promise<boolean> {
  const { status } = await fixture.call(`GET /collections/${name}`, { key: await fixture.newKey() })
  return status === 200
}

describe('an operation that needs consent, in a session,', () => {
  test('runs after the person consents, and the question has the words of the contract', async () => {
    const name = await newCollection()
    const key = await fixture.newKey()
    const asked: string[] = []
    const answer = (message: string) => {
      asked.push(message)
      return 'yes' as const
    }
    const { client } = await connectAsking(fixture, { key, answer })
    const result: any = await client.callTool(createDeletion(name))
    assert.deepEqual(valueOf(result), { done: true })
    assert.equal(asked.length, 1)
    assert.match(asked[0]!, new RegExp(`^Deletes a collection[\\s\\S]*about: ${name}`))
    assert.equal(await isThere(name), false)
    await client.close()
  })

  test('does not run if the person refuses, declines or cancels', async () => {
    for (const said of ['no', 'decline', 'cancel'] as const) {
      const name = await newCollection()
      const key = await fixture.newKey()
      const { client } = await connectAsking(fixture, { key, answer: () => said })
      const result = await client.callTool(createDeletion(name))
      assert.match(problemOf(result).user_message, /You said no/, said)
      assert.ok(await isThere(name), said)
      await client.close()
    }
  })

  test('becomes a pending approval in the portal if the client cannot ask after all', async () => {
    const name = await newCollection()
    const answer = () => Promise.reject(new Error('There is no window.'))
    const { client } = await connectAsking(fixture, { key: await fixture.newKey(), answer })
    const waiting = waitingOf(await client.callTool(createDeletion(name)))
    assert.equal(typeof waiting.approval.url, 'string')
    assert.ok(await isThere(name))
    await client.close()
  })

  test('causes no question if its arguments are invalid', async () => {
    const answer = () => assert.fail('It was asked.')
    const { client } = await connectAsking(fixture, { key: await fixture.newKey(), answer })
    const given = { operation: 'collections.delete', arguments: { nothing: 1 } }
    const result = await client.callTool({ name: 'run_write_operation', arguments: given })
    assert.match(problemOf(result).type, /validation_failed$/)
    await client.close()
  })

  test('does not run without an answer within five minutes, nor after a late consent', async () => {
    const name = await newCollection()
    const key = await fixture.newKey()
    const person = createPerson()
    const { client, session_id } = await connectAsking(fixture, { key, answer: person.answer })
    const result = client.callTool(createDeletion(name))
    await person.asked
    fixture.passes('6 minutes')
    assert.equal(await listIn(session_id, key), 200)
    assert.match(problemOf(await result).user_message, /Nobody said yes in time/)
    person.says('yes')
    assert.equal(await listIn(session_id, key), 200)
    assert.ok(await isThere(name))
    await client.close()
  })

  test('does not run if the client disconnects during the question', async () => {
    const name = await newCollection()
    const key = await fixture.newKey()
    const person = createPerson()
    const { client, end } = await connectAsking(fixture, { key, answer: person.answer })
    const result = assert.rejects(client.callTool(createDeletion(name)))
    await person.asked
    await end()
    await client.close()
    await result
    person.says('yes')
    assert.ok(await isThere(name))
  })

  test('does not run if the connection breaks during the question, although the consent arrives', async () => {
    const name = await newCollection()
    const session = await beginSession(fixture)
    const question = await session.askToDelete(name)
    await question.leave()
    assert.equal((await question.says('accept')).status, 202)
    assert.equal(await session.list(), 200)
    assert.ok(await isThere(name))
  })

  test('does not run if the call is cancelled during the question', async () => {
    const name = await newCollection()
    const key = await fixture.newKey()
    const person = createPerson()
    const { client, session_id } = await connectAsking(fixture, { key, answer: person.answer })
    const cancel = new AbortController()
    const result = assert.rejects(
      client.callTool(createDeletion(name), undefined, { signal: cancel.signal }),
    )
    await person.asked
    cancel.abort()
    await result
    assert.equal(await listIn(session_id, key), 200)
    person.says('yes')
    assert.equal(await listIn(session_id, key), 200)
    assert.ok(await isThere(name))
    await client.close()
  })

  test('ends its reply when it is cancelled, and cancelling an unknown call has no effect', async () => {
    const name = await newCollection()
    const session = await beginSession(fixture)
    const question = await session.askToDelete(name)
    for (const requestId of [7, 7, 'nothing', null]) {
      const cancelled = { method: 'notifications/cancelled', params: { requestId } }
      const { status } = await session.send({ jsonrpc: '2.0', ...cancelled })
      assert.ok(status < 500, String(requestId))
    }
    assert.doesNotMatch(await question.rest(), /done\\":true/)
    assert.ok(await isThere(name))
  })

  test('cannot be confirmed with another key, nor by an answer without a question', async () => {
    const name = await newCollection()
    const session = await beginSession(fixture)
    const question = await session.askToDelete(name)
    const yes = { jsonrpc: '2.0', result: { action: 'accept', content: { yes: true } } }
    const headers = { 'mcp-session-id': session.id }
    const other = { key: await fixture.newKey(), headers }
    assert.equal((await post(fixture, { ...yes, id: question.id }, other)).status, 404)
    await session.send({ ...yes, id: 99 })
    assert.ok(await isThere(name))
    await question.says('accept')
    assert.match(await question.rest(), /done\\":true/)
    assert.equal(await isThere(name), false)
  })

  test('needs its own consent if two operations wait at once', async () => {
    const [first, second] = [await newCollection(), await newCollection()]
    const session = await beginSession(fixture)
    const one = await session.askToDelete(first, 10)
    const other = await session.askToDelete(second, 11)
    await other.says('accept')
    assert.match(await other.rest(), /done\\":true/)
    assert.deepEqual([await isThere(first), await isThere(second)], [true, false])
    await one.says('decline')
    assert.match(await one.rest(), /You said no/)
    assert.ok(await isThere(first))
  })

  test('does not run if the key is revoked during the question', async () => {
    const name = await newCollection()
    const session = await beginSession(fixture)
    const question = await session.askToDelete(name)
    await revoke(fixture, session.key)
    assert.equal((await question.says('accept')).status, 401)
    assert.ok(await isThere(name))
    await question.leave()
  })

  test('is refused if the key loses the scope during the question', async () => {
    const name = await newCollection()
    const session = await beginSession(fixture)
    const question = await session.askToDelete(name)
    await reduceScopes(fixture, session.key, ['project:read', 'data:read'])
    assert.equal((await question.says('accept')).status, 202)
    assert.match(await question.rest(), /missing_scope/)
    assert.ok(await isThere(name))
  })

  test('becomes a pending approval in the portal beyond five questions at once', async () => {
    const name = await newCollection()
    const session = await beginSession(fixture)
    const open = []
    for (let count = 0; count < limits.mcp_session_questions_max; count++)
      open.push(await session.askToDelete(name, 100 + count))
    const { arguments: given } = createDeletion(name)
    const { body } = await session.send(callMessage('run_write_operation', given))
    assert.equal(typeof waitingOf(body.result).approval.url, 'string')
    for (const question of open) await question.leave()
  })
})
