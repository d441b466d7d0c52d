/**
 * Tests of going live: the tasks of each rail in their order, refusals while a task is open, also
 * under concurrency, and the effect of a live rail.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { businessDetails, liveFixture } from '../../../test/fixtures/live-projects.ts'
import { newTeam, newSession, type TestTeam } from '../../../test/fixtures/portal/sessions.ts'
import type { Plan } from '../../contract/plans.ts'
import * as projects from '../projects/service.ts'
import { listTasks, type GoLiveFacts, type TaskCode } from './tasks.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const { railNames } = projects
const { change, verify, topUp } = liveFixture(fixture)
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)

const railsOf = async ({ owner, project_id }: TestTeam) =>
  new Map<string, any>(
    (await owner.call(`GET /projects/${project_id}/go-live`)).body.data.map((row: any) => [
      row.rail,
      row,
    ]),
  )
const missingOf = async (team: TestTeam, rail: string) =>
  (await railsOf(team)).get(rail).missing.map(({ code }: any) => code)
const turn = ({ owner, project_id }: TestTeam, rail: string, mode = 'live') =>
  owner.call(`POST /projects/${project_id}/go-live/${rail}`, { body: { mode } })

/** A team whose project meets all prerequisites of the phone rail. */
async function readyTeam(): Promise<TestTeam> {
  const team = await newTeam(fixture)
  const { owner, project_id } = team
  const saved = await owner.call(`PUT /projects/${project_id}/project/company`, {
    body: businessDetails,
  })
  assert.equal(saved.status, 200, saved.text)
  const body = { spend_cap_eur: 100 }
  assert.equal((await owner.call(`PUT /projects/${project_id}/spending-cap`, { body })).status, 200)
  await change(project_id, { card: true, phone_verified: true })
  await verify(project_id, 'company')
  return team
}

describe('the list of tasks', () => {
  test('covers every rail in the order of the tasks, and gets shorter', async () => {
    const team = await newTeam(fixture)
    const { owner, project_id } = team
    assert.deepEqual([...(await railsOf(team)).keys()], [...railNames])
    const steps: [TaskCode, () => Promise<unknown>][] = [
      [
        'company_details',
        () => owner.call(`PUT /projects/${project_id}/project/company`, { body: businessDetails }),
      ],
      [
        'spending_cap',
        () =>
          owner.call(`PUT /projects/${project_id}/spending-cap`, { body: { spend_cap_eur: 50 } }),
      ],
      ['payment_mandate', () => topUp(project_id, 10)],
      ['payment_authentication', () => change(project_id, { payment_authenticated: true })],
      ['phone_verification', () => change(project_id, { phone_verified: true })],
      ['level.company', () => verify(project_id, 'company')],
    ]
    let left = await missingOf(team, 'phone')
    assert.deepEqual(
      left,
      steps.map(([code]) => code),
    )
    for (const [code, done] of steps) {
      assert.equal(left[0], code)
      await done()
      left = await missingOf(team, 'phone')
    }
    assert.deepEqual(left, [])
    assert.deepEqual(await missingOf(team, 'outbound'), ['level.full'])
    assert.equal((await railsOf(team)).get('phone').can_go_live, true)
  })

  test('names the fields to fill in', async () => {
    const team = await newTeam(fixture)
    const { missing } = (await railsOf(team)).get('email')
    assert.match(missing[0].task, /^Fill in the company: company name, registration number, /)
    for (const { task } of missing) assert.match(task, /^[A-Z].*\.$/)
  })

  test('names the operator, and lists no task of theirs while a provider is connected', async () => {
    const team = await newTeam(fixture)
    const route = `GET /projects/${team.project_id}/go-live`
    assert.equal((await team.owner.call(route)).body.operator_email, null)
    const { config } = runtime
    runtime.config = { ...config, operator_email: 'ops@host.example' }
    const { body } = await team.owner.call(route)
    runtime.config = config
    assert.equal(body.operator_email, 'ops@host.example')
    const { missing } = body.data.find(({ rail }: any) => rail === 'outbound')
    assert.ok(missing.every(({ done_by }: any) => done_by === 'team'))
  })

  test('requires a larger plan on Free, for phones and payments', async () => {
    const facts = (plan: Plan): GoLiveFacts => ({
      project: { ...bare, plan },
      company_missing: [],
      has_funds: true,
      has_provider: {
        phone: true,
        outbound: true,
        sms: true,
        email: true,
        payments: true,
        domains: true,
      },
    })
    const bare = await projectRow()
    for (const rail of railNames) {
      const codes = listTasks(rail, facts('free')).map(({ code }) => code)
      assert.equal(codes.includes('plan'), !['email', 'domains'].includes(rail), rail)
      const paid = listTasks(rail, facts('online')).map(({ code }) => code)
      assert.ok(!paid.includes('plan'), rail)
    }
  })

  test('contains the provider if the installation has none', async () => {
    const bare = await openTestRuntime({
      work: false,
      settings: { HOMEPORT_CARRIER: 'none', HOMEPORT_EMAIL: 'none', HOMEPORT_PAYMENTS: 'none' },
    })
    const team = await newTeam(bare)
    const { body } = await team.owner.call(`GET /projects/${team.project_id}/go-live`)
    for (const { rail, missing } of body.data) {
      assert.equal(missing[0].code === 'provider', rail !== 'domains', rail)
    }
  })

  test('contains the provider in production for every rail but phone, which needs a carrier', async () => {
    const production = await openTestRuntime({ work: false })
    const { config } = production.runtime
    const team = await newTeam(production)
    const missing = async (carrier: 'telnyx' | 'twilio' | 'none') => {
      production.runtime.config = {
        ...config,
        production: true,
        carrier: { ...config.carrier, provider: carrier },
      }
      const rails = [...(await railsOf(team)).values()]
      return rails.filter((row) => row.missing[0]?.code === 'provider').map(({ rail }) => rail)
    }
    assert.deepEqual(await missing('none'), [...railNames])
    assert.deepEqual(
      await missing('telnyx'),
      railNames.filter((rail) => rail !== 'phone'),
    )
    assert.deepEqual(await missing('twilio'), ['email', 'payments', 'domains'])
    const refused = await turn(team, 'payments')
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'verification_required'])
    assert.ok(refused.body.missing.includes('provider'))
  })

  test('is visible to everybody in the team, and editable by admins', async () => {
    const team = await readyTeam()
    const route = `/projects/${team.project_id}/go-live`
    assert.equal((await team.viewer.call(`GET ${route}`)).status, 200)
    const body = { mode: 'live' }
    assert.equal((await team.member.call(`POST ${route}/phone`, { body })).status, 403)
    assert.equal((await team.admin.call(`POST ${route}/phone`, { body })).status, 200)
  })
})

async function projectRow() {
  const { project_id } = await fixture.newProject()
  const row = await projects.find(runtime.db, project_id)
  assert.ok(row)
  return row
}

describe('the switch of a rail', () => {
  test('is refused with the open tasks, and works after them', async () => {
    const team = await newTeam(fixture)
    const refused = await turn(team, 'phone')
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'verification_required'])
    assert.deepEqual(refused.body.missing, await missingOf(team, 'phone'))
    assert.match(refused.body.user_message, /Set a monthly spending cap/)
    assert.equal((await railsOf(team)).get('phone').mode, 'test')

    const ready = await readyTeam()
    const { owner, project_id } = ready
    const done = await turn(ready, 'phone')
    assert.deepEqual([done.status, done.body.mode], [200, 'live'], done.text)
    const { body } = await owner.call(`GET /projects/${project_id}/project`)
    assert.deepEqual([body.rails.phone, body.rails.sms], ['live', 'test'])
  })

  test('returns a rail to test mode although tasks are open', async () => {
    const team = await readyTeam()
    await turn(team, 'phone')
    await change(team.project_id, { card: false, phone_verified: false })
    assert.equal((await railsOf(team)).get('phone').can_go_live, false)
    const again = await turn(team, 'phone')
    assert.deepEqual([again.status, again.body.mode], [200, 'live'], 'it is live already')
    const back = await turn(team, 'phone', 'test')
    assert.deepEqual([back.status, back.body.mode], [200, 'test'])
    assert.equal((await turn(team, 'phone')).status, 403)
  })

  test('keeps every rail that is switched at the same time', async () => {
    const team = await readyTeam()
    await verify(team.project_id, 'full')
    const answers = await Promise.all(railNames.map((rail) => turn(team, rail)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const modes = [...(await railsOf(team)).values()].map(({ mode }) => mode)
    assert.deepEqual([...new Set(modes)], ['live'])
  })

  test('needs a recent confirmation of identity', async () => {
    const team = await readyTeam()
    const old = await newSession(fixture, team.owner.email)
    fixture.passes('16 minutes')
    const route = `POST /projects/${team.project_id}/go-live/phone`
    const answer = await old.call(route, { body: { mode: 'live' } })
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
    assert.ok(answer.body.confirm_url)
    const row = await projects.find(runtime.db, team.project_id)
    assert.equal(row?.rails.phone, 'test')
  })

  test('accepts only existing rails and the two modes', async () => {
    const team = await readyTeam()
    const unknown = await turn(team, 'rockets')
    assert.deepEqual([unknown.status, slugOf(unknown)], [404, 'not_found'])
    const odd = await turn(team, 'phone', 'half')
    assert.deepEqual([odd.status, slugOf(odd)], [422, 'validation_failed'])
  })

  test('is refused in the test project of a pair', async () => {
    const pair = await fixture.newProject({ shape: 'pair' })
    const email = 'pair@team.example'
    await runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ owner_email: email })
        .where('id', 'in', [pair.test_project_id, pair.live_project_id])
        .execute(),
    )
    const owner = await newSession(fixture, email)
    const route = `/projects/${pair.test_project_id}/go-live`
    const { body } = await owner.call(`GET ${route}`)
    for (const { missing } of body.data) {
      assert.deepEqual(
        missing.map(({ code }: any) => code),
        ['live_project'],
      )
    }
    const answer = await owner.call(`POST ${route}/phone`, { body: { mode: 'live' } })
    assert.deepEqual(answer.body.missing, ['live_project'])
  })
})

describe('the verification of a project', () => {
  test('is returned with its missing items', async () => {
    const team = await newTeam(fixture)
    const read = async () =>
      (await team.viewer.call(`GET /projects/${team.project_id}/verification`)).body
    const first = await read()
    assert.deepEqual(
      [first.account_type, first.phone_verified, first.card, first.payment_authenticated],
      ['business', false, false, false],
    )
    assert.equal(first.company.complete, false)
    assert.ok(first.company.missing.includes('company_name'))
    await change(team.project_id, { card: true, phone_verified: true })
    await team.owner.call(`PUT /projects/${team.project_id}/project/company`, {
      body: businessDetails,
    })
    const later = await read()
    assert.deepEqual([later.phone_verified, later.card, later.company.complete], [true, true, true])
    assert.deepEqual(
      later.levels.map(({ level }: any) => level),
      ['test', 'company', 'number_documents', 'full'],
    )
  })
})

describe('the spending cap', () => {
  test('of a live project is removed at the level full only, and comes back with its loss', async () => {
    const team = await newTeam(fixture)
    const { project_id } = team
    const route = `PUT /projects/${project_id}/spending-cap`
    const set = (spend_cap_eur: unknown) => team.admin.call(route, { body: { spend_cap_eur } })
    assert.equal((await set(100)).status, 200)
    const { db } = fixture.runtime
    await projects.setRail(db, { project_id, rail: 'sms', mode: 'live' })
    const refused = await set(null)
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'verification_required'])
    await verify(project_id, 'full')
    assert.deepEqual((await set(null)).body, { spend_cap_eur: null })
    await projects.setVerification(db, { project_id, level: 'full', status: 'not_started' })
    const project = await projects.find(db, project_id)
    assert.equal(project?.spending_limit_micro, 500_000_000n)
  })

  test('can be set and removed, up to the maximum of the verification level', async () => {
    const team = await newTeam(fixture)
    const route = `PUT /projects/${team.project_id}/spending-cap`
    const set = (spend_cap_eur: unknown) => team.admin.call(route, { body: { spend_cap_eur } })
    assert.deepEqual((await set(500)).body, { spend_cap_eur: 500 })
    const high = await set(500.01)
    assert.deepEqual([high.status, slugOf(high)], [403, 'verification_required'])
    assert.deepEqual(high.body.missing, ['level.full'])
    await verify(team.project_id, 'full')
    assert.deepEqual((await set(2000)).body, { spend_cap_eur: 2000 })
    assert.equal((await set(0)).status, 422)
    assert.deepEqual((await set(null)).body, { spend_cap_eur: null })
    for (const odd of [-1, 1e12, '5', undefined])
      assert.equal((await set(odd)).status, 422, `${odd}`)
  })
})
