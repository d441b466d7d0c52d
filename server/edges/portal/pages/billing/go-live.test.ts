/** Tests of the go-live page: open steps, switches and permissions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { liveFixture } from '../../../../../test/fixtures/live-projects.ts'
import { newVisitor } from '../../../../../test/fixtures/portal/portal.ts'
import { newTeam, newSession, type TestTeam } from '../../../../../test/fixtures/portal/sessions.ts'
import * as projects from '../../../../areas/projects/service.ts'

const fixture = await openTestRuntime({ work: false })
const { change, verify } = liveFixture(fixture)
const pageOf = ({ project_id }: TestTeam) => `/portal/projects/${project_id}/go-live`

/**
 * Creates a team whose rail `domains` is ready, which needs least: a company, a cap, a card and a
 * phone number.
 */
async function readyTeam(): Promise<TestTeam> {
  const team = await newTeam(fixture)
  const { owner, project_id } = team
  const address = {
    street: 'Molenweg',
    house_number: '12',
    postal_code: '1011 AB',
    city: 'Amsterdam',
    country: 'NL',
  }
  const contact = { name: 'Anna de Vries', phone: '+31612345678' }
  const saved = await owner.call(`PUT /projects/${project_id}/project/company`, {
    body: { account_type: 'personal', address, contact },
  })
  assert.equal(saved.status, 200, saved.text)
  const cap = { body: { spend_cap_eur: 50 } }
  assert.equal((await owner.call(`PUT /projects/${project_id}/spending-cap`, cap)).status, 200)
  await change(project_id, { card: true, phone_verified: true })
  return team
}

const railOf = async ({ project_id }: TestTeam) =>
  (await projects.find(fixture.runtime.db, project_id))?.rails.domains

describe('the go-live page', () => {
  test('shows every rail with its open steps and their links', async () => {
    const team = await newTeam(fixture)
    const { status, text } = await team.viewer.visitor.get(pageOf(team))
    assert.equal(status, 200)
    for (const about of ['Phone numbers', 'Text messages', 'Email', 'Payments', 'Buying domains']) {
      assert.ok(text.includes(about), about)
    }
    assert.match(text, /Fill in the company: company name/)
    assert.match(text, new RegExp(`href="/portal/projects/${team.project_id}/billing#monthly-cap"`))
    assert.ok(!text.includes('<button class="primary"'), 'a viewer turns nothing')
  })

  test('is linked from the project', async () => {
    const team = await newTeam(fixture)
    const { text } = await team.viewer.visitor.get(`/portal/projects/${team.project_id}`)
    assert.ok(text.includes(`href="${pageOf(team)}"`))
    assert.ok(text.includes(`href="/portal/projects/${team.project_id}/billing"`))
  })

  test('turns a rail live and back', async () => {
    const team = await readyTeam()
    const { visitor } = team.admin
    assert.match(
      (await visitor.get(pageOf(team))).text,
      /Go live<span class="unseen">: Buying domains/,
    )
    const live = await visitor.post(`${pageOf(team)}/domains`, { mode: 'live' })
    assert.equal(live.to, `${pageOf(team)}?done=live`)
    assert.match((await visitor.get(live.to ?? '')).text, /It is live\./)
    assert.equal(await railOf(team), 'live')
    const back = await visitor.post(`${pageOf(team)}/domains`, { mode: 'test' })
    assert.equal(back.to, `${pageOf(team)}?done=test`)
    assert.equal(await railOf(team), 'test')
  })

  test('shows the reason if a rail cannot go live yet', async () => {
    const team = await newTeam(fixture)
    const refused = await team.owner.visitor.post(`${pageOf(team)}/domains`, { mode: 'live' })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /role="alert"[^]*This cannot go live yet\. Fill in the company/)
    assert.equal(await railOf(team), 'test')
    await verify(team.project_id, 'company')
  })

  test('requires a recent confirmation of identity', async () => {
    const team = await readyTeam()
    const old = await newSession(fixture, team.owner.email)
    fixture.passes('16 minutes')
    const confirm = `/portal/confirm?next=${pageOf(team)}`
    const { text } = await old.visitor.get(pageOf(team))
    assert.ok(text.includes(`href="${confirm}"`))
    assert.ok(!text.includes('name="mode"'))
    const answer = await old.visitor.post(`${pageOf(team)}/domains`, { mode: 'live' })
    assert.equal(answer.to, confirm)
    assert.equal(await railOf(team), 'test')
  })

  test('accepts changes by admins only, from portal pages, for existing rails', async () => {
    const team = await readyTeam()
    const post = `${pageOf(team)}/domains`
    const live = { mode: 'live' }
    assert.equal((await team.member.visitor.post(post, live)).status, 403)
    assert.equal((await team.limited.visitor.get(pageOf(team))).status, 403)
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    assert.equal((await team.owner.visitor.post(post, live, elsewhere)).status, 403)
    assert.equal((await newVisitor(fixture).post(post, live)).to, '/portal/sign-in')
    assert.equal((await team.owner.visitor.post(`${pageOf(team)}/rockets`, live)).status, 404)
    const odd = await team.owner.visitor.post(post, { mode: 'half' })
    assert.match(odd.text, /Choose live or test/)
    assert.equal(await railOf(team), 'test')
  })
})
