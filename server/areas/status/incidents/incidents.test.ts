/** Incidents and maintenance that operators publish: their states, limits, access and audit log. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { callMessage, post, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'
import { newOperator } from '../../../../test/fixtures/portal/operator.ts'
import { newSession, type Session } from '../../../../test/fixtures/portal/sessions.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'
import { recordMaintenance } from './windows.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { clock, passes, runtime } = fixture
const operators = await newOperator(fixture)
const UNKNOWN = '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'

let operator: Session
before(async () => {
  operator = await operators.fresh()
})

const report = {
  title: 'Calls connect slowly',
  impact: 'major',
  components: ['phone'],
  message: 'We are looking for the cause.',
}

async function statusNow(): Promise<any> {
  return (await fixture.call('GET /status', { key: null })).body
}

const inHours = (hours: number) => new Date(clock.now_ms() + hours * 3_600_000).toISOString()

describe('an incident', () => {
  let id = ''

  test('is published, and GET /status and MCP report it with its component', async () => {
    const made = await operator.call('POST /operator/incidents', { body: report })
    assert.equal(made.status, 201, made.text)
    id = made.body.id
    assert.deepEqual(
      [made.body.state, made.body.kind, made.body.updates.length, made.body.ended_at],
      ['investigating', 'incident', 1, null],
    )
    const body = await statusNow()
    assert.deepEqual([body.status, body.source], ['degraded', 'status_page'])
    assert.equal(body.components.find((one: any) => one.id === 'phone').status, 'degraded')
    const { title } = report
    const { started_at } = made.body
    assert.deepEqual(body.incidents, [{ title, status: 'investigating', started_at }])
    const tool = await post(fixture, callMessage('get_status'), { key: fixture.key })
    assert.deepEqual(valueOf(tool.body.result).incidents, body.incidents)
  })

  test('goes through its states, may be opened again, and disappears from GET /status when resolved', async () => {
    const states = ['identified', 'monitoring', 'resolved', 'investigating', 'resolved']
    for (const state of states) {
      passes('1 minute')
      const body = { state, message: `Now ${state}.` }
      const {
        status,
        body: got,
        text,
      } = await operator.call(`POST /operator/incidents/${id}/updates`, { body })
      assert.deepEqual(
        [status, got.state, got.updates[0].message],
        [201, state, body.message],
        text,
      )
      assert.equal(got.ended_at, state === 'resolved' ? clock.now().toISOString() : null)
    }
    assert.deepEqual((await statusNow()).incidents, [])
    const refused = await operator.call(`POST /operator/incidents/${id}/updates`, {
      body: { state: 'scheduled', message: 'x' },
    })
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.body.errors[0].path, '/state')
  })

  test('sets its component to down for a critical impact, and leaves it operational for none', async () => {
    for (const [impact, expected] of [
      ['critical', 'down'],
      ['none', 'operational'],
    ]) {
      const body = { ...report, components: ['mail'], impact }
      const made = await operator.call('POST /operator/incidents', { body })
      const { components, incidents } = await statusNow()
      assert.equal(components.find((one: any) => one.id === 'mail').status, expected)
      assert.equal(incidents.length, 1)
      const gone = await operator.call(`DELETE /operator/incidents/${made.body.id}`)
      assert.equal(gone.status, 204)
    }
  })

  test('can be corrected and deleted', async () => {
    const body = { title: 'Calls connected slowly', impact: 'minor', components: ['phone', 'ai'] }
    const changed = await operator.call(`PATCH /operator/incidents/${id}`, { body })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(
      [
        changed.body.title,
        changed.body.impact,
        changed.body.components,
        changed.body.updates.length,
      ],
      [body.title, body.impact, body.components, 6],
    )
    const window = await operator.call(`PATCH /operator/incidents/${id}`, {
      body: { ends_at: inHours(1) },
    })
    assert.deepEqual([window.status, window.body.errors[0].path], [422, '/ends_at'])
    assert.equal((await operator.call(`DELETE /operator/incidents/${id}`)).status, 204)
    for (const [method, path, given] of [
      ['DELETE', `/operator/incidents/${id}`, undefined],
      ['PATCH', `/operator/incidents/${UNKNOWN}`, { title: 'x' }],
      ['POST', `/operator/incidents/${UNKNOWN}/updates`, { state: 'resolved', message: 'x' }],
    ] as const) {
      const { status } = await operator.call(`${method} ${path}`, { body: given })
      assert.equal(status, 404, path)
    }
  })

  test('is refused with each invalid field', async () => {
    for (const [field, value] of [
      ['title', 'two\nlines'],
      ['title', '   '],
      ['title', 'x'.repeat(121)],
      ['message', ' '],
      ['components', ['coffee']],
      ['impact', 'huge'],
      ['started_at', inHours(1)],
      ['started_at', inHours(-24 * 400)],
    ] as const) {
      const body = { ...report, [field]: value }
      const { status, body: problem } = await operator.call('POST /operator/incidents', { body })
      assert.equal(status, 422, field)
      assert.match(problem.errors[0].path, new RegExp(`^/${field}`))
    }
  })

  test('is refused with 409 beyond 50 open ones', async () => {
    const ids: string[] = []
    for (let count = 0; count < limits.open_incidents_max; count += 1) {
      const { body } = await operator.call('POST /operator/incidents', { body: report })
      ids.push(body.id)
    }
    const refused = await operator.call('POST /operator/incidents', { body: report })
    assert.equal(refused.status, 409, refused.text)
    const page = await operator.call('GET /operator/incidents?only=open&limit=20')
    assert.deepEqual(
      page.body.data.map((one: any) => one.id),
      ids.toReversed().slice(0, 20),
    )
    const next = await operator.call(
      `GET /operator/incidents?only=open&limit=20&cursor=${page.body.next_cursor}`,
    )
    assert.equal(next.body.data[0].id, ids.toReversed()[20])
    assert.equal((await operator.call('GET /operator/incidents?cursor=x')).status, 400)
    await runtime.db.transact((tx) => tx.deleteFrom('status_incidents').execute())
    passes('6 seconds')
  })
})

describe('maintenance', () => {
  test('begins and ends by the clock, and is announced by GET /status before', async () => {
    operator = await operators.fresh()
    const body = {
      title: 'New telephone exchange',
      components: ['phone'],
      message: 'Calls may break off.',
      starts_at: inHours(2),
      ends_at: inHours(4),
    }
    const made = await operator.call('POST /operator/maintenance', { body })
    assert.deepEqual([made.status, made.body.state], [201, 'scheduled'], made.text)
    const planned = await statusNow()
    assert.deepEqual([planned.status, planned.incidents], ['operational', []])
    assert.match(planned.user_message, /Planned maintenance: New telephone exchange, from .* UTC\./)
    passes('2 hours')
    const during = await statusNow()
    assert.equal(during.status, 'degraded')
    assert.deepEqual(
      during.incidents.map((one: any) => [one.title, one.status]),
      [[body.title, 'in_progress']],
    )
    await recordMaintenance.run(runtime)
    passes('2 hours')
    const after = await statusNow()
    assert.deepEqual([after.status, after.incidents], ['operational', []])
    await Promise.all([recordMaintenance.run(runtime), recordMaintenance.run(runtime)])
    operator = await operators.fresh()
    const { body: list } = await operator.call('GET /operator/incidents')
    assert.deepEqual(
      [list.data[0].state, list.data[0].ended_at, list.data[0].started_at],
      ['completed', body.ends_at, body.starts_at],
    )
    assert.deepEqual(
      list.data[0].updates.map(({ state, message }: any) => [state, message]),
      [
        ['completed', null],
        ['in_progress', null],
        ['scheduled', body.message],
      ],
    )
    const late = await operator.call(`POST /operator/incidents/${made.body.id}/updates`, {
      body: { state: 'completed', message: 'Again.' },
    })
    assert.equal(late.status, 409, late.text)
  })

  test('may begin early and be moved, but not go back', async () => {
    const body = {
      title: 'Disks',
      components: [],
      message: 'New disks.',
      starts_at: inHours(2),
      ends_at: inHours(4),
    }
    const { body: made } = await operator.call('POST /operator/maintenance', { body })
    const path = `/operator/incidents/${made.id}`
    const moved = await operator.call(`PATCH ${path}`, {
      body: { starts_at: inHours(3), ends_at: inHours(5) },
    })
    assert.deepEqual([moved.status, moved.body.planned_until], [200, inHours(5)], moved.text)
    const begun = await operator.call(`POST ${path}/updates`, {
      body: { state: 'in_progress', message: 'We begin early.' },
    })
    assert.equal(begun.body.started_at, clock.now().toISOString())
    const back = await operator.call(`POST ${path}/updates`, {
      body: { state: 'scheduled', message: 'Not yet.' },
    })
    assert.equal(back.status, 409)
    const start = await operator.call(`PATCH ${path}`, { body: { starts_at: inHours(1) } })
    assert.equal(start.status, 409)
    const done = await operator.call(`POST ${path}/updates`, {
      body: { state: 'completed', message: 'Done.' },
    })
    assert.equal(done.body.ended_at, clock.now().toISOString())
  })

  test('is refused with a window in the past or without length', async () => {
    const body = { title: 'x', components: [], message: 'x' }
    for (const [starts_at, ends_at, path] of [
      [inHours(-1), inHours(1), '/starts_at'],
      [inHours(2), inHours(2), '/ends_at'],
      [inHours(1), inHours(24 * 400), '/ends_at'],
    ]) {
      const { status, body: problem } = await operator.call('POST /operator/maintenance', {
        body: { ...body, starts_at, ends_at },
      })
      assert.deepEqual([status, problem.errors[0].path], [422, path])
    }
  })
})

describe('the acts of operators', () => {
  test('are in the audit log, with the title of the incident and without a project', async () => {
    const { body: made } = await operator.call('POST /operator/incidents', { body: report })
    const path = `/operator/incidents/${made.id}`
    await operator.call(`POST ${path}/updates`, { body: { state: 'resolved', message: 'Done.' } })
    await operator.call(`PATCH ${path}`, { body: { title: 'Renamed' } })
    await operator.call(`DELETE ${path}`)
    const { body } = await operator.call('GET /operator/acts?limit=4')
    assert.deepEqual(
      body.data.map((act: any) => [act.operation, act.project_id, act.operator, act.resource_name]),
      [
        ['incidents.delete', null, operator.email, 'Renamed'],
        ['incidents.change', null, operator.email, 'Renamed'],
        ['incidents.post_update', null, operator.email, report.title],
        ['incidents.report', null, operator.email, report.title],
      ],
    )
  })

  test('answer 404 to everyone else, and need a recent confirmation of identity', async () => {
    const email = 'someone@else.example'
    await createOwnedProject(fixture, email)
    const other = await newSession(fixture, email)
    for (const route of ['POST /operator/incidents', 'POST /operator/maintenance']) {
      assert.equal((await other.call(route, { body: report })).status, 404)
    }
    assert.equal((await other.call('GET /operator/incidents')).status, 404)
    passes('16 minutes')
    const stale = await operator.call('POST /operator/incidents', { body: report })
    assert.equal(stale.status, 403)
    assert.deepEqual((await statusNow()).incidents, [])
  })
})
