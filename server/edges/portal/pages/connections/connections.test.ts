/** Tests of the connections page: visibility, changes and revocation. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { connect, registerNewClient } from '../../../../../test/fixtures/portal/oauth.ts'
import {
  newTeam,
  type TestTeam,
  type Session,
} from '../../../../../test/fixtures/portal/sessions.ts'

const fixture = await openTestRuntime({ work: false })
const { public_url } = fixture.runtime.config

const pathOf = ({ project_id }: TestTeam) => `/portal/projects/${project_id}/connections`

async function connected(
  team: TestTeam,
  { visitor }: Session,
  scopes = ['project:read', 'data:write'],
) {
  const { project_id } = team
  const held = await connect(fixture, visitor, { project_id, scopes })
  const { text } = await visitor.get(pathOf(team))
  const [, id = ''] = /connections\/([0-9a-f-]{36})\/revoke/.exec(text) ?? []
  const status = async (route = 'GET /project') =>
    (await fixture.call(route, { key: held.access_token })).status
  return { id, status }
}

describe('the connections page', () => {
  test('shows how to connect an assistant, and the existing connections', async () => {
    const team = await newTeam(fixture)
    const { visitor } = team.owner
    const empty = await visitor.get(pathOf(team))
    assert.match(empty.text, /No assistant is connected yet/)
    assert.ok(empty.text.includes(`<pre><code>${public_url}/mcp</code></pre>`))
    const { status } = await connected(team, team.owner)
    await status()
    const { text } = await visitor.get(pathOf(team))
    const plain = text.replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ')
    assert.match(plain, /Assistant \d+ test Redirects to assistant\.example Person/)
    assert.match(plain, /Can read project Can change create collections; write and delete/)
    assert.ok(text.includes(team.owner.email))
    assert.doesNotMatch(text, /never</)
  })

  test('shows each member their own connections, and owners and admins all', async () => {
    const team = await newTeam(fixture)
    await connected(team, team.member)
    for (const [session, seen] of [
      [team.owner, true],
      [team.admin, true],
      [team.member, true],
      [team.viewer, false],
      [team.limited, false],
    ] as const) {
      const page = await session.visitor.get(pathOf(team))
      assert.equal(page.status, 200)
      assert.equal(page.text.includes(team.member.email), seen || session === team.member)
    }
    const stranger = await newTeam(fixture)
    assert.equal((await stranger.owner.visitor.get(pathOf(team))).status, 404)
  })

  test('ends a connection of the person; owners and admins can end those of others', async () => {
    const team = await newTeam(fixture)
    const { id, status } = await connected(team, team.owner)
    const action = `${pathOf(team)}/${id}/revoke`
    const confirmed = { confirmed: 'yes' }
    assert.equal((await team.member.visitor.post(action, confirmed)).status, 404)
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await team.owner.visitor.post(action, confirmed, elsewhere)).status, 403)
    assert.match((await team.admin.visitor.post(action)).text, /Revoke the connection of .*\?/)
    assert.equal(await status(), 200)
    const ended = await team.admin.visitor.post(action, confirmed)
    assert.equal(ended.to, `${pathOf(team)}?done=revoked`)
    assert.equal(await status(), 401)
    assert.match((await team.admin.visitor.get(ended.to ?? '')).text, /The connection is revoked/)
    assert.equal((await team.admin.visitor.post(action, confirmed)).status, 404)
  })

  test('changes scopes and sites after a recent confirmation of identity', async () => {
    const team = await newTeam(fixture)
    const { id, status } = await connected(team, team.owner, ['project:read', 'sites:read'])
    const action = `${pathOf(team)}/${id}/change`
    const { visitor } = team.owner
    const scope = ['project:read', 'sites:read']
    const limited = await visitor.post(action, { scope, site: team.site_id })
    assert.equal(limited.to, `${pathOf(team)}?done=changed`)
    assert.equal(await status(`GET /sites/${team.site_id}`), 200)
    assert.equal(await status(`GET /sites/${team.other_site_id}`), 403)
    assert.match((await visitor.get(pathOf(team))).text, /team-\d+-open/)
    assert.equal((await visitor.post(action, { scope: 'project:read' })).status, 303)
    assert.equal(await status('GET /sites'), 403)
    assert.equal((await visitor.post(action, {})).status, 422)
    const site = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    assert.equal((await visitor.post(action, { scope: 'project:read', site })).status, 422)
    assert.equal((await visitor.post(action, { scope: 'data:write' })).status, 409)
    fixture.passes('16 minutes')
    const stale = await visitor.post(action, { scope: 'project:read' })
    assert.equal(stale.to, `/portal/confirm?next=${pathOf(team)}`)
    assert.match((await visitor.get(pathOf(team))).text, /Confirm your identity/)
  })

  test('lets a member remove scopes of their own connection, and not its limits', async () => {
    const team = await newTeam(fixture)
    const { id, status } = await connected(team, team.member, ['project:read', 'data:read'])
    const { text } = await team.member.visitor.get(pathOf(team))
    assert.doesNotMatch(text, /Only these sites/)
    const action = `${pathOf(team)}/${id}/change`
    const sent = await team.member.visitor.post(action, { scope: 'project:read' })
    assert.equal(sent.status, 303)
    assert.equal(await status('GET /collections'), 403)
  })

  test('escapes a name chosen by a client', async () => {
    const team = await newTeam(fixture)
    const program = await registerNewClient(fixture, 'evil:/callback')
    const { project_id } = team
    await connect(fixture, team.owner.visitor, { project_id, program })
    const { text } = await team.owner.visitor.get(pathOf(team))
    assert.ok(text.includes('<dd>evil:</dd>'))
    assert.ok(!text.includes('href="evil:'))
  })
})
