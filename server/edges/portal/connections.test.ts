/** The page of the connections of a project: who sees which, and changing and ending them there. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestHouse } from '../../../test/ground/house.ts'
import { connect, newProgram } from '../../../test/ground/oauth.ts'
import { newCrew, type Crew, type Session } from '../../../test/ground/sessions.ts'

const ground = await openTestHouse({ work: false })
const { public_url } = ground.house.config

const pathOf = ({ project_id }: Crew) => `/portal/projects/${project_id}/connections`

async function connected(
  crew: Crew,
  { visitor }: Session,
  scopes = ['project:read', 'data:write'],
) {
  const { project_id } = crew
  const held = await connect(ground, visitor, { project_id, scopes })
  const { text } = await visitor.get(pathOf(crew))
  const [, id = ''] = /connections\/([0-9a-f-]{36})\/revoke/.exec(text) ?? []
  const status = async (route = 'GET /project') =>
    (await ground.call(route, { key: held.access_token })).status
  return { id, status }
}

describe('the page of connections', () => {
  test('says how to connect an assistant, and what is connected', async () => {
    const crew = await newCrew(ground)
    const { visitor } = crew.owner
    const empty = await visitor.get(pathOf(crew))
    assert.match(empty.text, /No assistant is connected yet/)
    assert.ok(empty.text.includes(`<pre><code>${public_url}/mcp</code></pre>`))
    const { status } = await connected(crew, crew.owner)
    await status()
    const { text } = await visitor.get(pathOf(crew))
    const plain = text.replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ')
    assert.match(plain, /Assistant \d+ test Goes back to assistant\.example Person/)
    assert.match(plain, /May look at project May also do create collections; write and delete/)
    assert.ok(text.includes(crew.owner.email))
    assert.doesNotMatch(text, /never</)
  })

  test('shows each member their own, and owners and admins all', async () => {
    const crew = await newCrew(ground)
    await connected(crew, crew.member)
    for (const [session, seen] of [
      [crew.owner, true],
      [crew.admin, true],
      [crew.member, true],
      [crew.viewer, false],
      [crew.limited, false],
    ] as const) {
      const page = await session.visitor.get(pathOf(crew))
      assert.equal(page.status, 200)
      assert.equal(page.text.includes(crew.member.email), seen || session === crew.member)
    }
    const stranger = await newCrew(ground)
    assert.equal((await stranger.owner.visitor.get(pathOf(crew))).status, 404)
  })

  test('ends a connection, and those of others only for owners and admins', async () => {
    const crew = await newCrew(ground)
    const { id, status } = await connected(crew, crew.owner)
    const action = `${pathOf(crew)}/${id}/revoke`
    const confirmed = { confirmed: 'yes' }
    assert.equal((await crew.member.visitor.post(action, confirmed)).status, 404)
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal((await crew.owner.visitor.post(action, confirmed, elsewhere)).status, 403)
    assert.match((await crew.admin.visitor.post(action)).text, /End the connection of .*\?/)
    assert.equal(await status(), 200)
    const ended = await crew.admin.visitor.post(action, confirmed)
    assert.equal(ended.to, `${pathOf(crew)}?done=revoked`)
    assert.equal(await status(), 401)
    assert.match((await crew.admin.visitor.get(ended.to ?? '')).text, /The connection is ended/)
    assert.equal((await crew.admin.visitor.post(action, confirmed)).status, 404)
  })

  test('changes what it may and with which sites, after a fresh proof', async () => {
    const crew = await newCrew(ground)
    const { id, status } = await connected(crew, crew.owner, ['project:read', 'sites:read'])
    const action = `${pathOf(crew)}/${id}/change`
    const { visitor } = crew.owner
    const scope = ['project:read', 'sites:read']
    const limited = await visitor.post(action, { scope, site: crew.site_id })
    assert.equal(limited.to, `${pathOf(crew)}?done=changed`)
    assert.equal(await status(`GET /sites/${crew.site_id}`), 200)
    assert.equal(await status(`GET /sites/${crew.other_site_id}`), 403)
    assert.match((await visitor.get(pathOf(crew))).text, /crew-\d+-open/)
    assert.equal((await visitor.post(action, { scope: 'project:read' })).status, 303)
    assert.equal(await status('GET /sites'), 403)
    assert.equal((await visitor.post(action, {})).status, 422)
    const site = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    assert.equal((await visitor.post(action, { scope: 'project:read', site })).status, 422)
    assert.equal((await visitor.post(action, { scope: 'data:write' })).status, 409)
    ground.passes('16 minutes')
    const stale = await visitor.post(action, { scope: 'project:read' })
    assert.equal(stale.to, `/portal/confirm?next=${pathOf(crew)}`)
    assert.match((await visitor.get(pathOf(crew))).text, /Confirm your identity/)
  })

  test('lets a member give up scopes of their own, and leaves its limits to others', async () => {
    const crew = await newCrew(ground)
    const { id, status } = await connected(crew, crew.member, ['project:read', 'data:read'])
    const { text } = await crew.member.visitor.get(pathOf(crew))
    assert.doesNotMatch(text, /Only these sites/)
    const action = `${pathOf(crew)}/${id}/change`
    const sent = await crew.member.visitor.post(action, { scope: 'project:read' })
    assert.equal(sent.status, 303)
    assert.equal(await status('GET /collections'), 403)
  })

  test('keeps a name that a program chose from being anything but text', async () => {
    const crew = await newCrew(ground)
    const program = await newProgram(ground, 'evil:/callback')
    const { project_id } = crew
    await connect(ground, crew.owner.visitor, { project_id, program })
    const { text } = await crew.owner.visitor.get(pathOf(crew))
    assert.ok(text.includes('<dd>evil:</dd>'))
    assert.ok(!text.includes('href="evil:'))
  })
})
