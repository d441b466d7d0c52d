/**
 * Tests of outbound calls in test mode, and of the checks before a call: numbers, hours, consents and
 * limits.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { slugOfProblem } from '../../../test/fixtures/live-projects.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { findHoursFault } from './outbound/calling-hours.ts'

const fixture = await openTestRuntime()
let calls = 0

interface Caller {
  project_id: string
  key: string
  place(body?: object, headers?: Record<string, string>): ReturnType<typeof fixture.call>
  until(id: string): Promise<any>
}

async function openCaller({ number = true, assistant = true } = {}): Promise<Caller> {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id, mode: 'test' })
  const as = (route: string, body?: object, headers = {}) =>
    fixture.call(route, { key, ...(body && { body }), headers })
  if (assistant) {
    const saved = await as('PUT /assistant', { name: 'Bakkerij De Molen', languages: ['en'] })
    assert.equal(saved.status, 200, saved.text)
  }
  if (number) {
    const ordered = await as('POST /numbers', {}, { 'idempotency-key': `number-${(calls += 1)}` })
    assert.equal(ordered.status, 201, ordered.text)
  }
  const usual = {
    to: '+31612345678',
    purpose: 'transactional',
    instructions: 'Tell Anna that her cake is ready.',
  }
  return {
    project_id,
    key,
    place: (body = {}, headers = { 'idempotency-key': `call-${(calls += 1)}` }) =>
      as('POST /calls', { ...usual, ...body }, headers),
    until: (id) =>
      eventually(async () => {
        const { body } = await fixture.look(`GET /calls/${id}`, project_id)
        return body.ended_at !== null && body
      }),
  }
}

describe('an outbound call in test mode', () => {
  test('is queued, conducted by the assistant, and free', async () => {
    const { place, until } = await openCaller()
    const placed = await place({ opening: 'Your cake is ready.', turns: [{ say: 'Great, bye!' }] })
    assert.equal(placed.status, 201, placed.text)
    const { body } = placed
    assert.deepEqual(
      [body.direction, body.status, body.purpose, body.test, body.ended_at, body.hangup_cause],
      ['outbound', 'queued', 'transactional', true, null, null],
    )
    const call = await until(body.id)
    assert.deepEqual([call.status, call.cost_eur], ['ai_handled', 0])
    assert.equal(call.instructions, 'Tell Anna that her cake is ready.')
    const said = call.transcript.map(({ role, text }: any) => `${role}: ${text}`)
    assert.match(said[0], /^assistant: .*Your cake is ready\./)
    assert.match(said[0], /assistant|AI/i)
    assert.equal(said[1], 'caller: Great, bye!')
  })

  const endings = { '001': 'no_answer', '002': 'busy', '003': 'failed', '004': 'voicemail' }
  for (const [ending, status] of Object.entries(endings)) {
    test(`to a number that ends in ${ending} ends as ${status}`, async () => {
      const { place, until } = await openCaller()
      const { body } = await place({ to: `+31612345${ending}` })
      const call = await until(body.id)
      assert.deepEqual([call.status, call.answered_at, call.has_summary], [status, null, false])
    })
  }

  test('is told by call.completed, once, and gets a summary', async () => {
    const { place, until, project_id } = await openCaller()
    const { body } = await place()
    await until(body.id)
    const { rows } = await countEvents(project_id)
    assert.deepEqual(rows, ['call.completed'])
    const summarised = await eventually(async () => {
      const { body: call } = await fixture.look(`GET /calls/${body.id}`, project_id)
      return call.has_summary && call
    })
    assert.ok(summarised.summary.text)
  })

  test('is one call for one Idempotency-Key', async () => {
    const { place } = await openCaller()
    const headers = { 'idempotency-key': 'the-same' }
    const [first, second] = await Promise.all([place({}, headers), place({}, headers)])
    const done = [first, second].filter(({ status }) => status === 201)
    assert.equal(new Set(done.map(({ body }) => body.id)).size, 1)
    const again = await place({}, headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const other = await place({ instructions: 'Something else.' }, headers)
    assert.deepEqual([other.status, slugOfProblem(other)], [409, 'idempotency_key_reused'])
    assert.equal(slugOfProblem(await place({}, {})), 'idempotency_key_missing')
  })
})

async function countEvents(project_id: string) {
  const rows = await fixture.runtime.db
    .selectFrom('events')
    .select('type')
    .where('project_id', '=', project_id)
    .where('type', '=', 'call.completed')
    .execute()
  return { rows: rows.map(({ type }) => type) }
}

describe('a call is refused', () => {
  test('without an assistant, and without a number', async () => {
    const bare = await openCaller({ assistant: false })
    assert.equal(slugOfProblem(await bare.place()), 'assistant_not_configured')
    const numberless = await openCaller({ number: false })
    const refused = await numberless.place()
    assert.deepEqual([refused.status, slugOfProblem(refused)], [422, 'number_required'])
  })

  test('to numbers that nobody should call, and with fields that do not fit', async () => {
    const { place } = await openCaller()
    for (const to of ['+31112', '+31900123456', '+88213123456', '+447700900100', 'Anna']) {
      const refused = await place({ to })
      assert.deepEqual([refused.status, slugOfProblem(refused)], [422, 'validation_failed'], to)
      assert.equal(refused.body.errors[0].path, '/to')
    }
    const fields = [{ purpose: 'fun' }, { instructions: '' }, { max_duration_sec: 5 }]
    for (const body of [...fields, { from_number_id: fixture.project_id }]) {
      assert.equal((await place(body)).status, 422, JSON.stringify(body))
    }
  })

  test('outside the calling hours of the person', async () => {
    const { place } = await openCaller()
    const refused = await place({ to: '+31612345005' })
    assert.deepEqual([refused.status, slugOfProblem(refused)], [422, 'outside_calling_hours'])
    const fault = (e164: string, time: string, marketing = false) =>
      findHoursFault(e164, { now: new Date(time), marketing })
    const monday = (hour: string) => `2026-11-30T${hour}:00Z`
    assert.equal(fault('+31612345678', monday('07:00')), null)
    assert.match(fault('+31612345678', monday('06:59')) ?? '', /07:59 in Europe\/Amsterdam/)
    assert.match(fault('+31612345678', monday('20:00')) ?? '', /21:00/)
    // Night in the Azores is night in Portugal.
    assert.match(fault('+351912345678', monday('08:30')) ?? '', /Atlantic\/Azores/)
    assert.equal(fault('+31612345678', '2026-11-29T12:00:00Z'), null)
    assert.ok(fault('+31612345678', '2026-11-29T12:00:00Z', true), 'marketing on a Sunday')
  })

  test('for marketing without a consent, until it is recorded, and after it is withdrawn', async () => {
    const { place, key } = await openCaller()
    const refused = await place({ purpose: 'marketing' })
    assert.deepEqual([refused.status, slugOfProblem(refused)], [403, 'consent_required'])
    const body = { phone: '+31612345678', source: 'Ticked on the order form' }
    const recorded = await fixture.call('POST /call-consents', { key, body })
    assert.equal(recorded.status, 201, recorded.text)
    const again = await fixture.call('POST /call-consents', { key, body })
    assert.equal(again.body.id, recorded.body.id)
    assert.equal((await place({ purpose: 'marketing' })).status, 201)
    const { body: list } = await fixture.call('GET /call-consents', { key })
    assert.deepEqual(list.data, [recorded.body])
    const route = `DELETE /call-consents/${recorded.body.id}`
    assert.equal((await fixture.call(route)).status, 404, 'another project')
    assert.equal((await fixture.call(route, { key })).status, 204)
    assert.equal(slugOfProblem(await place({ purpose: 'marketing' })), 'consent_required')
  })

  test('after 100 of a day, also when many are placed at once', async () => {
    const { place, project_id, until } = await openCaller()
    const { db } = fixture.runtime
    await until((await place()).body.id)
    await db.transact((tx) =>
      tx.updateTable('call_days').set({ calls: 99 }).where('project_id', '=', project_id).execute(),
    )
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => place({ to: '+31612345001' })),
    )
    const slugs = replies.map((reply) => (reply.status === 201 ? 'placed' : slugOfProblem(reply)))
    assert.deepEqual(slugs.toSorted(), [...Array(4).fill('call_limit_reached'), 'placed'])
  })
})
