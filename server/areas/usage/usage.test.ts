/** The use of a project beside the limits of its plan. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { plans } from '../../contract/plans.ts'

const fixture = await openTestRuntime({ work: false })
const team = await newTeam(fixture)
const key = await fixture.newKey({ project_id: team.project_id })
const route = `GET /projects/${team.project_id}/plan-usage`

interface Limit {
  used: number
  max: number
}

async function read(): Promise<Record<string, Limit>> {
  const { status, body, text } = await team.viewer.call(route)
  assert.equal(status, 200, text)
  return Object.fromEntries(body.limits.map(({ name, ...limit }: any) => [name, limit]))
}

test('counts sites, collections, documents, members and their limits', async () => {
  const before = await read()
  assert.deepEqual(before['sites'], { used: 2, max: plans.reachable.sites_max })
  assert.deepEqual(before['team_members'], { used: 5, max: plans.reachable.team_members_max })
  assert.deepEqual(before['data_bytes'], { used: 0, max: plans.reachable.data_bytes_max })
  await fixture.call('POST /collections', { key, body: { name: 'bookings', title: 'Bookings' } })
  const document = { name: 'Anna de Vries' }
  await fixture.call('POST /collections/bookings/documents', { key, body: document })
  const after = await read()
  assert.equal(after['collections']?.used, 1)
  assert.ok((after['data_bytes']?.used ?? 0) > 0)
})

test('counts open invitations as members, in the use of the plan', async () => {
  const path = `POST /projects/${team.project_id}/invitations`
  const body = { email: 'guest@bakery.example', role: 'viewer' }
  assert.equal((await team.owner.call(path, { body })).status, 201)
  assert.equal((await read())['team_members']?.used, 6)
})

test('is refused for outsiders and for members who are limited to some sites', async () => {
  const other = await newTeam(fixture)
  assert.equal((await other.owner.call(route)).status, 404)
  assert.equal((await team.limited.call(route)).status, 403)
})
