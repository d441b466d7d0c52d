/** Probes: daily results, proposals of incidents, and outages of the database. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { newOperator } from '../../../../test/fixtures/portal/operator.ts'
import type { Session } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { noteOutage } from '../../../kernel/database/outages.ts'
import { forgetProbes, probeComponents } from './probe.ts'

let answer = 401
const carrier = createServer((_request, response) => response.writeHead(answer).end())
await once(carrier.listen(0, '127.0.0.1'), 'listening')
after(() => carrier.close())
const bound = carrier.address()
const port = typeof bound === 'object' && bound ? bound.port : 0

const fixture = await openTestRuntime({
  work: false,
  clock: standingClock(),
  settings: {
    HOMEPORT_CARRIER: 'telnyx',
    HOMEPORT_CARRIER_KEY: 'key',
    HOMEPORT_CARRIER_URL: `http://127.0.0.1:${port}/carrier`,
    HOMEPORT_PAYMENTS: 'none',
  },
})
const { passes, runtime } = fixture
const operators = await newOperator(fixture)
let operator: Session

before(async () => {
  operator = await operators.fresh()
})

async function probe(times: number, status: number): Promise<void> {
  answer = status
  for (let count = 0; count < times; count += 1) {
    passes('1 minute')
    await probeComponents.run(runtime)
  }
}

async function proposals(): Promise<any[]> {
  return (await operator.call('GET /operator/incident-proposals')).body.data
}

async function countsOf(component: string): Promise<[number, number]> {
  const rows = await runtime.db
    .selectFrom('status_days')
    .selectAll()
    .where('component', '=', component)
    .execute()
  return [
    rows.reduce((sum, { probes }) => sum + probes, 0),
    rows.reduce((sum, { failed }) => sum + failed, 0),
  ]
}

describe('a probe', () => {
  test('counts once, however many processes run it, and not for a component without provider', async () => {
    answer = 401
    passes('1 minute')
    await Promise.all([1, 2, 3].map(() => probeComponents.run(runtime)))
    assert.deepEqual(await countsOf('phone'), [1, 0])
    assert.deepEqual(await countsOf('payments'), [0, 0])
    await probe(1, 503)
    assert.deepEqual(await countsOf('phone'), [2, 1])
    assert.deepEqual(await countsOf('mail'), [2, 0])
  })

  test('keeps one row for each component and day', async () => {
    await probe(1, 401)
    passes('1 day')
    await probe(2, 401)
    const rows = await runtime.db
      .selectFrom('status_days')
      .selectAll()
      .where('component', '=', 'phone')
      .execute()
    assert.deepEqual(rows.map(({ probes }) => probes).toSorted(), [2, 3])
  })

  test('proposes an incident after three failures in a row, and publishes nothing by itself', async () => {
    operator = await operators.fresh()
    await probe(2, 503)
    assert.deepEqual(await proposals(), [])
    await probe(2, 503)
    const [proposal, ...more] = await proposals()
    assert.deepEqual(more, [])
    assert.deepEqual(
      [proposal.kind, proposal.components, proposal.impact, proposal.incident_id],
      ['report', ['phone'], 'minor', null],
    )
    assert.match(proposal.texts.en.message, /^Our checks of Phone have failed since \d\d:\d\d\./)
    assert.equal(proposal.texts.nl.title, 'Telefoon: beperkt beschikbaar')
    const { body } = await operator.call('GET /operator/incidents')
    assert.deepEqual(body.data, [])
  })

  test('withdraws the proposal when the component recovers', async () => {
    await probe(1, 401)
    assert.deepEqual(await proposals(), [])
  })

  test('does not repeat a dismissed proposal while the component keeps failing', async () => {
    await probe(3, 503)
    const [proposal] = await proposals()
    const path = `POST /operator/incident-proposals/${proposal.id}/dismiss`
    assert.equal((await operator.call(path)).status, 204)
    await probe(2, 503)
    assert.deepEqual(await proposals(), [])
    assert.equal((await operator.call(path)).status, 409)
    await probe(1, 401)
  })

  test('proposes to resolve the published incident when the component recovers', async () => {
    operator = await operators.fresh()
    await probe(3, 503)
    const [{ id, texts, components, impact }] = await proposals()
    const made = await operator.call('POST /operator/incidents', {
      body: { ...texts.en, components, impact, proposal_id: id },
    })
    assert.equal(made.status, 201, made.text)
    await probe(2, 503)
    assert.deepEqual(await proposals(), [])
    await probe(1, 401)
    const [resolution] = await proposals()
    assert.deepEqual([resolution.kind, resolution.incident_id], ['resolve', made.body.id])
    await probe(1, 503)
    assert.deepEqual(await proposals(), [], 'is withdrawn when it fails again')
    await probe(1, 401)
    const [again] = await proposals()
    const resolved = await operator.call(`POST /operator/incidents/${made.body.id}/updates`, {
      body: { state: 'resolved', message: again.texts.nl.message, proposal_id: again.id },
    })
    assert.equal(resolved.status, 201, resolved.text)
    assert.deepEqual(await proposals(), [])
    const twice = await operator.call('POST /operator/incidents', {
      body: { ...texts.en, components, impact, proposal_id: id },
    })
    assert.equal(twice.status, 409, 'publishes a proposal once')
  })

  test('proposes nothing about components in maintenance', async () => {
    operator = await operators.fresh()
    const at = (minutes: number) =>
      new Date(fixture.clock.now_ms() + minutes * 60_000).toISOString()
    const body = {
      title: 'Exchange',
      components: ['phone'],
      message: 'Calls may break off.',
      starts_at: at(1),
      ends_at: at(6),
    }
    await operator.call('POST /operator/maintenance', { body })
    await probe(5, 503)
    assert.deepEqual(await proposals(), [])
    await probe(1, 401)
  })
})

test('an outage of the database counts the probes that it prevented as failed', async () => {
  const [probes, failed] = await countsOf('api')
  passes('30 seconds')
  noteOutage(runtime)
  passes('570 seconds')
  await probeComponents.run(runtime)
  assert.deepEqual(await countsOf('api'), [probes + 10, failed + 9])
  passes('10 minutes')
  await probeComponents.run(runtime)
  assert.deepEqual(await countsOf('api'), [probes + 11, failed + 9], 'a stop is not an outage')
})

test('daily results are deleted after 800 days', async () => {
  passes('798 days')
  await forgetProbes.run(runtime)
  assert.notDeepEqual(await countsOf('api'), [0, 0])
  passes('3 days')
  await forgetProbes.run(runtime)
  assert.deepEqual(await countsOf('api'), [0, 0])
})
