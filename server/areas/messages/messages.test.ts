/** Tests of text messages in test mode, over HTTP, with the real job queue and webhooks. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { slugOfProblem } from '../../../test/fixtures/live-projects.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { openReceiver } from '../../../test/fixtures/webhooks/webhook-receiver.ts'
import { limits } from '../../contract/limits.ts'

const runtime = await openTestRuntime({ clock: standingClock() })

let orders = 0

/** A project with a key and one test number. */
async function openShop() {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  const order = { key, body: {}, headers: { 'idempotency-key': `sms-${++orders}` } }
  const { e164 } = (await runtime.call('POST /numbers', order)).body
  const send = (body: object, headers: Record<string, string> = {}) =>
    runtime.call('POST /messages', { key, body, headers })
  const ended = (id: string) =>
    eventually(async () => {
      const { body } = await runtime.look(`GET /messages/${id}`, project_id)
      return ['delivered', 'failed'].includes(body.status) && body
    })
  const receive = (text: string, from = '+447700900005') =>
    runtime.call('POST /test/messages', { key, body: { from, to: e164, text } })
  return { project_id, key, e164: e164 as string, send, ended, receive }
}

const hello = { to: '+447700900000', text: 'Your order is ready.' }

describe('POST /messages', () => {
  test('accepts a message from the oldest number, which is then delivered', async () => {
    const { e164, send, ended } = await openShop()
    const { status, body } = await send(hello)
    assert.equal(status, 201)
    const { id, created_at, ...rest } = body
    assert.deepEqual(rest, {
      direction: 'outbound',
      from: e164,
      to: hello.to,
      text: hello.text,
      status: 'queued',
      failure_reason: null,
      encoding: 'gsm7',
      segments: 1,
      cost_eur: 0,
      sent_at: null,
      delivered_at: null,
      failed_at: null,
      test: true,
    })
    const done = await ended(id)
    assert.equal(done.status, 'delivered')
    assert.equal(done.created_at, created_at)
    assert(done.sent_at && done.delivered_at)
  })

  const outcomes = {
    '001': 'unreachable',
    '002': 'landline',
    '003': 'blocked_by_carrier',
    '005': 'unknown',
    '007': 'refused_by_carrier',
    '008': 'expired',
    '009': 'unknown_number',
    '010': 'carrier_unavailable',
  }
  for (const [ending, reason] of Object.entries(outcomes)) {
    test(`fails with ${reason} for a number that ends in ${ending}`, async () => {
      const { send, ended } = await openShop()
      const { body } = await send({ ...hello, to: `+447700900${ending}` })
      const done = await ended(body.id)
      assert.deepEqual([done.status, done.failure_reason], ['failed', reason])
      assert.equal(done.delivered_at, null)
      assert(done.failed_at)
    })
  }

  test('stays sent for a number that ends in 004', async () => {
    const { send, project_id } = await openShop()
    const { body } = await send({ ...hello, to: '+447700900004' })
    await eventually(async () => {
      const now = await runtime.look(`GET /messages/${body.id}`, project_id)
      return now.body.status === 'sent'
    })
  })

  test('delivers to a number that ends in 006 ten seconds after it was sent', async () => {
    const { send, ended, project_id } = await openShop()
    const { body } = await send({ ...hello, to: '+447700900006' })
    const sent = await eventually(async () => {
      const now = await runtime.look(`GET /messages/${body.id}`, project_id)
      return now.body.status === 'sent' && now.body
    })
    runtime.passes('10 seconds')
    const done = await ended(body.id)
    assert.equal(Date.parse(done.delivered_at) - Date.parse(sent.sent_at), 10_000)
  })

  test('counts segments, and folds typographic marks before', async () => {
    const { send } = await openShop()
    const folded = (await send({ ...hello, text: '“Ready” – it’s here…' })).body
    assert.deepEqual([folded.text, folded.encoding], ['"Ready" - it\'s here...', 'gsm7'])
    const { body } = await send({ ...hello, text: `Готово ${'ж'.repeat(70)}` })
    assert.deepEqual([body.encoding, body.segments], ['ucs2', 2])
  })

  test('refuses more than six segments with 422 message_too_long', async () => {
    const { send } = await openShop()
    assert.equal((await send({ ...hello, text: 'a'.repeat(918) })).status, 201)
    for (const text of ['a'.repeat(919), 'ж'.repeat(403)]) {
      const answer = await send({ ...hello, text })
      assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'message_too_long'])
      assert.match(answer.body.next_step, /918 characters, or 402/)
    }
  })

  test('refuses a landline and another country with 422 destination_not_allowed', async () => {
    const { send } = await openShop()
    for (const to of ['+31201234567', '+12025550123', '+79161234567', '+442079460123']) {
      const answer = await send({ ...hello, to })
      assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'destination_not_allowed'])
      assert(answer.body.user_message)
    }
  })

  test('takes a sender name, and refuses others with 422 sender_not_allowed', async () => {
    const { send } = await openShop()
    assert.equal((await send({ ...hello, from: 'MillBakery' })).body.from, 'MillBakery')
    for (const from of ['Politie', '12345', 'Mi', '+31850001234', '+447700900999']) {
      const answer = await send({ ...hello, from })
      assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'sender_not_allowed'])
    }
  })

  test('needs a number or a sender name: 422 sender_not_allowed', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    const answer = await runtime.call('POST /messages', { key, body: hello })
    assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'sender_not_allowed'])
    const body = { ...hello, from: 'MillBakery' }
    assert.equal((await runtime.call('POST /messages', { key, body })).status, 201)
  })

  test('lists the invalid fields: 422 validation_failed', async () => {
    const { send } = await openShop()
    for (const [change, path] of [
      [{ to: '0612345678' }, '/to'],
      [{ text: '' }, '/text'],
      [{ text: ' \n ' }, '/text'],
      [{ subject: 'x' }, '/subject'],
    ] as const) {
      const answer = await send({ ...hello, ...change })
      assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'validation_failed'])
      assert.equal(answer.body.errors[0].path, path)
    }
  })

  test('sends once for each Idempotency-Key, and needs none', async () => {
    const { send, project_id } = await openShop()
    const headers = { 'idempotency-key': 'once' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(hello, headers)))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(new Set(made.map(({ body }) => body.id)).size, 1)
    const again = await send(hello, headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await send({ ...hello, text: 'Other' }, headers)
    assert.deepEqual([other.status, slugOfProblem(other)], [409, 'idempotency_key_reused'])
    const odd = await send(hello, { 'idempotency-key': 'a b' })
    assert.deepEqual([odd.status, slugOfProblem(odd)], [400, 'idempotency_key_invalid'])
    assert.equal((await send(hello)).status, 201)
    const { body } = await runtime.look('GET /messages', project_id)
    assert.equal(body.data.length, 2)
  })

  test('sends 200 a day, also concurrently: 429 message_limit_reached', async () => {
    const { project_id } = await openShop()
    const { sms_per_day_max: max } = limits
    await runtime.runtime.db.transact((tx) =>
      tx
        .insertInto('message_days')
        .values({
          project_id,
          test: true,
          day: runtime.runtime.clock.now().toISOString().slice(0, 10),
          messages: max - 5,
        })
        .execute(),
    )
    const key = await runtime.newKey({ project_id })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => runtime.call('POST /messages', { key, body: hello })),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 5)
    const refused = answers.find(({ status }) => status !== 201)!
    assert.deepEqual([refused.status, slugOfProblem(refused)], [429, 'message_limit_reached'])
    runtime.passes('1 day')
    assert.equal((await runtime.call('POST /messages', { key, body: hello })).status, 201)
  })
})

describe('GET /messages', () => {
  test('lists both directions, newest first, with filters and cursors', async () => {
    const { key, send, receive, e164 } = await openShop()
    const ids: string[] = []
    for (const ending of ['000', '011', '012']) {
      ids.push((await send({ ...hello, to: `+447700900${ending}` })).body.id)
    }
    ids.push((await receive('Thank you')).body.id)
    const list = async (query: string) => {
      const { status, body } = await runtime.call(`GET /messages${query}`, { key })
      assert.equal(status, 200)
      return body
    }
    const idsOf = (page: any) => page.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(idsOf(await list('')), ids.toReversed())
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids.toReversed())
    assert.deepEqual(idsOf(await list('?direction=inbound')), [ids[3]])
    assert.deepEqual(idsOf(await list(`?to=${encodeURIComponent('+447700900011')}`)), [ids[1]])
    assert.deepEqual(idsOf(await list(`?from=${encodeURIComponent(e164)}&test=true`)).length, 3)
    assert.deepEqual(idsOf(await list('?status=received')), [ids[3]])
    assert.deepEqual(idsOf(await list('?test=false')), [])
    assert.deepEqual(idsOf(await list('?until=2020-01-01T00:00:00Z')), [])
    const foreign = await runtime.call(
      `GET /messages?direction=inbound&cursor=${first.next_cursor}`,
      {
        key,
      },
    )
    assert.deepEqual([foreign.status, slugOfProblem(foreign)], [400, 'invalid_parameter'])
  })
})

describe('a message from a person', () => {
  test('is received by a test number', async () => {
    const { receive, e164 } = await openShop()
    const { status, body } = await receive('Can I pick it up tomorrow?')
    assert.equal(status, 201)
    assert.deepEqual(
      [body.direction, body.status, body.to, body.text, body.cost_eur, body.test],
      ['inbound', 'received', e164, 'Can I pick it up tomorrow?', 0, true],
    )
  })

  test('is refused for a number that is not of the project with 404 not_found', async () => {
    const { key } = await openShop()
    const body = { to: '+447700900555', text: 'Hello' }
    assert.equal((await runtime.call('POST /test/messages', { key, body })).status, 404)
  })

  test('opts the person out with STOP, and in again with START', async () => {
    const { send, receive } = await openShop()
    const to = '+447700900005'
    await receive('STOP', to)
    const refused = await send({ ...hello, to })
    assert.deepEqual([refused.status, slugOfProblem(refused)], [422, 'destination_not_allowed'])
    assert.match(refused.body.detail, /STOP/)
    assert.equal((await send(hello)).status, 201)
    await receive('Start', to)
    assert.equal((await send({ ...hello, to })).status, 201)
  })

  test('opts out of the messages of one project only', async () => {
    const [one, other] = [await openShop(), await openShop()]
    await one.receive('STOP', '+447700900077')
    assert.equal((await other.send({ ...hello, to: '+447700900077' })).status, 201)
  })
})

describe('events', () => {
  test('say that a message was delivered, failed or received, without its text', async () => {
    const { key, send, receive } = await openShop()
    const receiver = await openReceiver()
    const events = ['message.delivered', 'message.failed', 'message.received']
    await runtime.call('POST /webhooks', { key, body: { url: receiver.url, events } })
    const good = (await send(hello)).body
    const bad = (await send({ ...hello, to: '+447700900001' })).body
    const heard = (await receive('Thanks')).body
    const requests = await receiver.received(3)
    const byType = new Map(requests.map(({ event }) => [event.type, event.data['message'] as any]))
    assert.equal(byType.get('message.delivered').id, good.id)
    assert.equal(byType.get('message.failed').id, bad.id)
    assert.equal(byType.get('message.failed').failure_reason, 'unreachable')
    assert.equal(byType.get('message.received').id, heard.id)
    for (const message of byType.values()) {
      assert.equal(message.test, true)
      assert(!('text' in message))
    }
  })
})

describe('the data about one person', () => {
  test('contains their messages, and is erased without the opt-out', async () => {
    const { key, send, receive } = await openShop()
    const phone = '+447700900005'
    const other = (await send(hello)).body
    const sent = (await send({ ...hello, to: phone })).body
    const received = (await receive('STOP', phone)).body
    const search = { key, body: { phone } }
    const { body } = await runtime.call('POST /personal-data/query', search)
    const found = body.kinds.find(({ kind }: { kind: string }) => kind === 'messages')
    assert.deepEqual(
      found.records.map(({ id }: { id: string }) => id).toSorted(),
      [sent.id, received.id].toSorted(),
    )
    const erased = await runtime.call('POST /personal-data/erase', search)
    assert.ok(erased.status < 300, erased.text)
    const { data } = (await runtime.call('GET /messages', { key })).body
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [other.id],
    )
    assert.equal((await send({ ...hello, to: phone })).status, 422)
  })
})

describe('modes', () => {
  test('simulate messages for a live key until the SMS rail is live', async () => {
    const { project_id } = await openShop()
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const { status, body } = await runtime.call('POST /messages', { key, body: hello })
    assert.deepEqual([status, body.test, body.cost_eur], [201, true, 0])
  })
})
