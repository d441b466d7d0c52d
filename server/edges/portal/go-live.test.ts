/** The page to go live: what is left to do, the switches, and who may turn them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestHouse } from '../../../test/ground/house.ts'
import { liveGround } from '../../../test/ground/live-projects.ts'
import { newVisitor } from '../../../test/ground/portal.ts'
import { newCrew, newSession, type Crew } from '../../../test/ground/sessions.ts'
import * as projects from '../../areas/projects/service.ts'

const ground = await openTestHouse({ work: false })
const { change, verify } = liveGround(ground)
const pageOf = ({ project_id }: Crew) => `/portal/projects/${project_id}/go-live`

/** Domains need least: a company, a cap, a card and a phone. */
async function readyCrew(): Promise<Crew> {
  const crew = await newCrew(ground)
  const { owner, project_id } = crew
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
  return crew
}

const railOf = async ({ project_id }: Crew) =>
  (await projects.find(ground.house.db, project_id))?.rails.domains

describe('the page to go live', () => {
  test('shows every rail with what is left to do, and leads to where it is done', async () => {
    const crew = await newCrew(ground)
    const { status, text } = await crew.viewer.visitor.get(pageOf(crew))
    assert.equal(status, 200)
    for (const about of ['Phone numbers', 'Text messages', 'Email', 'Payments', 'Buying domains']) {
      assert.ok(text.includes(about), about)
    }
    assert.match(text, /Fill in the company: company name/)
    assert.match(text, new RegExp(`href="/portal/projects/${crew.project_id}/billing#monthly-cap"`))
    assert.ok(!text.includes('<button class="primary"'), 'a viewer turns nothing')
  })

  test('is linked from the project', async () => {
    const crew = await newCrew(ground)
    const { text } = await crew.viewer.visitor.get(`/portal/projects/${crew.project_id}`)
    assert.ok(text.includes(`href="${pageOf(crew)}"`))
    assert.ok(text.includes(`href="/portal/projects/${crew.project_id}/billing"`))
  })

  test('lets a rail go live, and back', async () => {
    const crew = await readyCrew()
    const { visitor } = crew.admin
    assert.match(
      (await visitor.get(pageOf(crew))).text,
      /Go live<span class="unseen">: Buying domains/,
    )
    const live = await visitor.post(`${pageOf(crew)}/domains`, { mode: 'live' })
    assert.equal(live.to, `${pageOf(crew)}?done=live`)
    assert.match((await visitor.get(live.to ?? '')).text, /It is live\./)
    assert.equal(await railOf(crew), 'live')
    const back = await visitor.post(`${pageOf(crew)}/domains`, { mode: 'test' })
    assert.equal(back.to, `${pageOf(crew)}?done=test`)
    assert.equal(await railOf(crew), 'test')
  })

  test('says why a rail cannot go live yet', async () => {
    const crew = await newCrew(ground)
    const refused = await crew.owner.visitor.post(`${pageOf(crew)}/domains`, { mode: 'live' })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /role="alert"[^]*This cannot go live yet\. Fill in the company/)
    assert.equal(await railOf(crew), 'test')
    await verify(crew.project_id, 'company')
  })

  test('asks for a fresh proof first', async () => {
    const crew = await readyCrew()
    const old = await newSession(ground, crew.owner.email)
    ground.passes('16 minutes')
    const confirm = `/portal/confirm?next=${pageOf(crew)}`
    const { text } = await old.visitor.get(pageOf(crew))
    assert.ok(text.includes(`href="${confirm}"`))
    assert.ok(!text.includes('name="mode"'))
    const answer = await old.visitor.post(`${pageOf(crew)}/domains`, { mode: 'live' })
    assert.equal(answer.to, confirm)
    assert.equal(await railOf(crew), 'test')
  })

  test('is turned by admins, from our own pages, for rails that there are', async () => {
    const crew = await readyCrew()
    const post = `${pageOf(crew)}/domains`
    const live = { mode: 'live' }
    assert.equal((await crew.member.visitor.post(post, live)).status, 403)
    assert.equal((await crew.limited.visitor.get(pageOf(crew))).status, 403)
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    assert.equal((await crew.owner.visitor.post(post, live, elsewhere)).status, 403)
    assert.equal((await newVisitor(ground).post(post, live)).to, '/portal/sign-in')
    assert.equal((await crew.owner.visitor.post(`${pageOf(crew)}/rockets`, live)).status, 404)
    const odd = await crew.owner.visitor.post(post, { mode: 'half' })
    assert.match(odd.text, /Choose live or test/)
    assert.equal(await railOf(crew), 'test')
  })
})
