/** Deploys the example of bookings with the command line, and books tables over HTTP. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deployExample } from '../fixtures/apps/deploy-example.ts'
import { eventually } from '../fixtures/eventually.ts'
import { newTeam } from '../fixtures/portal/sessions.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { newSiteOwner } from '../fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../fixtures/sites/site-visitor.ts'

const runtime = await openTestRuntime()

it('the example of bookings checks a booking, refuses a taken time, and mails the visitor', async () => {
  const { project_id, owner: person } = await newTeam(runtime)
  const owner = await newSiteOwner(runtime, { project_id })
  const { id, origin, again } = await deployExample(runtime, owner, 'booking')
  const host = hostOf(origin)
  const ask = (route: string, body?: object) =>
    visit(runtime, { host, route, ...(body && { body: JSON.stringify(body) }) })
  await eventually(async () => (await ask('GET /api/times?day=2999-05-01')).status === 200)
  assert.match((await ask('GET /')).text, /Book a table/)

  const booking = { day: '2999-05-01', time: '19:00', name: 'Anna', email: 'anna@example.com' }
  assert.equal((await ask('POST /api/bookings', { ...booking, time: '12:00' })).status, 422)
  const answers = await Promise.all([1, 2].map(() => ask('POST /api/bookings', booking)))
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
  const times = JSON.parse((await ask('GET /api/times?day=2999-05-01')).text)
  assert.deepEqual(times, { times: ['17:30', '20:30'] })

  const module = { body: { enabled: true } }
  await person.call(`PUT /projects/${project_id}/email/module`, module)
  await owner.call('POST /sending-domains', { domain: 'bakery.example' })
  await owner.call('POST /collections', { name: 'bookings' })
  const secrets = { SENDER: 'Bakery <orders@bakery.example>' }
  await owner.call(`PUT /apps/${id}/secrets`, { secrets })
  assert.equal((await ask('POST /api/bookings', { ...booking, time: '20:30' })).status, 201)
  const { data } = (await owner.call(`GET /emails?app_id=${id}`)).body
  assert.deepEqual(
    data.map((one: any) => [one.subject, one.to]),
    [['Your table on 2999-05-01 at 20:30', ['anna@example.com']]],
  )
  assert.deepEqual((await again()).applied, [])
})
