/**
 * The audit log: every operation of the operator console that changes something is recorded with
 * operator, address, input and change. A new operation without a scenario here fails.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { operatorOperations } from '../../server/app.ts'
import { purgeActivity } from '../../server/areas/activity/jobs.ts'
import * as people from '../../server/areas/people/service.ts'
import { databaseUrl, runInProcess } from '../fixtures/command-line.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { standingClock } from '../fixtures/bare-runtime.ts'
import { personDetails } from '../fixtures/live-projects.ts'
import { newSession, newTeam, type Session, type TestTeam } from '../fixtures/portal/sessions.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { verificationFixture } from '../fixtures/verification/owners.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeport-audit-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const fixture = await openTestRuntime({
  work: false,
  clock: standingClock(),
  settings: {
    HOMEPORT_SIGNUP: 'invite',
    HOMEPORT_BACKUPS: `disk:${folder}`,
  },
})
const { passes, runtime, connection } = fixture
const verification = verificationFixture(fixture)
const starts_at = '2026-03-09T09:00:00Z'
const ends_at = '2026-03-09T10:00:00Z'
let team: TestTeam
let operator: Session

interface Scenario {
  /** Parameters of the path. */
  id?: () => string | Promise<string>
  body?: object
  /** A column that the act changes. */
  changes?: string
}

async function newIncident(): Promise<string> {
  const body = { ...incident, impact: 'minor', components: ['phone'] }
  return (await operator.call('POST /operator/incidents', { body })).body.id
}

async function newProposal(): Promise<string> {
  const id = newId(runtime.clock)
  const at = runtime.clock.now()
  await runtime.db.transact((tx) =>
    tx
      .insertInto('status_proposals')
      .values({
        id,
        kind: 'report',
        components: ['phone'],
        impact: 'minor',
        since: at,
        created_at: at,
      })
      .execute(),
  )
  return id
}

async function newReview(): Promise<string> {
  const body = { reason: 'Malware' }
  await operator.call(`POST /operator/sites/${team.site_id}/offline`, { body })
  return (await operator.call('GET /operator/reviews')).body.data[0].id
}

async function newVerification(): Promise<string> {
  const owner = await verification.readyForCompany(personDetails)
  const { status, text } = await owner.call('POST /levels/company/submit', {})
  assert.equal(status, 200, text)
  // Creating the owner takes longer than a confirmation of the identity lasts.
  operator = await freshOperator()
  return (await operator.call('GET /operator/verifications')).body.data[0].id
}

async function offlineProject(): Promise<string> {
  const body = { reason: 'Phishing' }
  await operator.call(`POST /operator/projects/${team.project_id}/offline`, { body })
  return team.project_id
}

const incident = { title: 'Calls connect slowly', message: 'We look for the cause.' }
const projectId = () => team.project_id
const siteId = () => team.site_id

const scenarios: Record<string, Scenario> = {
  'projects.take_offline': {
    id: projectId,
    body: { reason: 'Phishing' },
    changes: 'projects.offline_reason',
  },
  'projects.put_online': { id: offlineProject, changes: 'projects.offline_reason' },
  'projects.confirm_phone': { id: projectId, body: { verified: true } },
  'projects.set_plan': { id: projectId, body: { plan: 'business' }, changes: 'projects.plan' },
  'reviews.decide': { id: newReview, body: { decision: 'upheld', note: 'No.' } },
  'verifications.decide': { id: newVerification, body: { decision: 'approved' } },
  'sites.take_offline': { id: siteId, body: { reason: 'Malware' } },
  'sites.put_online': { id: siteId },
  'jobs.retry': {},
  'alerts.test': {},
  'backups.create': {},
  'backups.verify': {},
  'incidents.report': { body: { ...incident, impact: 'minor', components: ['phone'] } },
  'incidents.plan': { body: { ...incident, starts_at, ends_at, components: ['phone'] } },
  'incidents.post_update': {
    id: newIncident,
    body: { state: 'resolved', message: 'It works.' },
    changes: 'status_incidents.state',
  },
  'incidents.change': {
    id: newIncident,
    body: { title: 'Calls connect' },
    changes: 'status_incidents.title',
  },
  'incidents.delete': { id: newIncident, changes: 'status_incidents.title' },
  'incident_proposals.dismiss': { id: newProposal },
  'sign_up_invitations.create': { body: { email: 'new@example.com' } },
  'sign_up_invitations.withdraw': {
    id: async () => {
      const body = { email: 'other@example.com' }
      return (await operator.call('POST /operator/sign-up-invitations', { body })).body.id
    },
  },
}

async function freshOperator(): Promise<Session> {
  const email = team.admin.email
  await people.setOperator(runtime, { email, is_operator: true })
  return newSession(fixture, email)
}

async function newest(query = ''): Promise<any> {
  const { body, text } = await operator.call(`GET /operator/acts?limit=1${query}`)
  assert.ok(body.data, text)
  return body.data[0]
}

before(async () => {
  team = await newTeam(fixture)
})
// Sign-ins are rate limited, and confirmations of the identity expire.
beforeEach(async () => {
  passes('20 minutes')
  operator = await freshOperator()
})

describe('each act of the operator console', () => {
  for (const { name, method, path } of operatorOperations.filter((one) => one.effect !== 'read')) {
    const scenario = scenarios[name]
    const changed = scenario?.changes === undefined ? '' : `, and the change of ${scenario.changes}`
    test(`records ${name} with operator, address and input${changed}`, async () => {
      assert.ok(scenario, `${name} needs a scenario in this file.`)
      const id = (await scenario.id?.()) ?? ''
      const { status, text } = await operator.call(`${method} ${path.replace('{id}', id)}`, {
        ...(scenario.body && { body: scenario.body }),
      })
      assert.ok(status < 300, text)
      const act = await newest()
      assert.deepEqual(
        [act.operation, act.operator, act.address, act.entry_point, act.error],
        [name, operator.email, '127.0.0.1', 'operator', null],
      )
      assert.partialDeepStrictEqual(act.input, { ...(id !== '' && { id }), ...scenario.body })
      if (scenario.changes !== undefined) {
        assert.ok(scenario.changes in act.after, JSON.stringify(act.after))
        assert.notDeepEqual(act.before[scenario.changes], act.after[scenario.changes])
      }
      assert.doesNotMatch(JSON.stringify([act.before, act.after]), /hash|sealed|password/)
    })
  }
})

describe('the audit log', () => {
  test('has the plan before and after', async () => {
    const root = `/operator/projects/${team.project_id}/plan`
    await operator.call(`PUT ${root}`, { body: { plan: 'business' } })
    const made = await operator.call(`PUT ${root}`, { body: { plan: 'online' } })
    assert.equal(made.body.plan, 'online', made.text)
    const { before: old, after } = await newest()
    assert.deepEqual([old['projects.plan'], after['projects.plan']], ['business', 'online'])
    const wrong = await operator.call(`PUT ${root}`, { body: { plan: 'gold' } })
    assert.equal(wrong.status, 422)
  })

  test('filters by operator, entry point, operation, project and time, and pages by a cursor', async () => {
    const { body: all } = await operator.call('GET /operator/acts?limit=100')
    const found = async (query: string) => {
      const { body } = await operator.call(`GET /operator/acts?limit=100&${query}`)
      return body.data.map(({ id }: any) => id)
    }
    const ids = (test: (act: any) => boolean) => all.data.filter(test).map(({ id }: any) => id)
    assert.deepEqual(await found('operator=nobody'), [])
    assert.deepEqual(
      await found(`operator=${operator.email.slice(0, 4).toUpperCase()}`),
      ids(() => true),
    )
    assert.deepEqual(await found('entry_point=command_line'), [])
    assert.deepEqual(
      await found('operation=incidents.'),
      ids((act) => act.operation.startsWith('incidents.')),
    )
    assert.deepEqual(
      await found(`project_id=${team.project_id}`),
      ids((act) => act.project_id === team.project_id),
    )
    const from = all.data[2].created_at
    assert.deepEqual(
      await found(`from=${from}`),
      ids((act) => act.created_at >= from),
    )
    const first = await operator.call('GET /operator/acts?limit=2')
    const next = await operator.call(`GET /operator/acts?limit=2&cursor=${first.body.next_cursor}`)
    assert.deepEqual([...first.body.data, ...next.body.data], all.data.slice(0, 4))
    const other = await operator.call(
      `GET /operator/acts?operation=sites&cursor=${first.body.next_cursor}`,
    )
    assert.equal(other.status, 400)
  })

  test('is exported as CSV, whose cells run no formula', async () => {
    const body = { reason: '=1+1, "quoted"' }
    await operator.call(`POST /operator/projects/${team.project_id}/offline`, { body })
    const { body: made } = await operator.call('GET /operator/acts/export?operation=projects')
    const lines = made.csv.split('\r\n')
    assert.match(lines[0], /^\ufeffcreated_at,operator,entry_point,address,operation/)
    assert.match(lines[1], /projects\.take_offline/)
    assert.match(lines[1], /,"'=1\+1, ""quoted""",/)
    assert.equal(made.is_complete, true)
    assert.equal(lines.length - 2, made.rows)
    await operator.call(`POST /operator/projects/${team.project_id}/online`)
  })

  test('has commands with the user of the machine, and `audit` lists them', async () => {
    const settings = {
      DATABASE_URL: databaseUrl(connection),
      HOMEPORT_SECRET: runtime.config.secret,
    }
    const argv = ['projects', 'set', '--project', team.project_id, '--plan', 'reachable']
    const { said } = await runInProcess(argv, settings)
    assert.equal(said, '')
    const act = await newest('&entry_point=command_line')
    assert.deepEqual([act.operation, act.operator], ['projects set', null])
    assert.match(act.address, /^\S+@\S+$/)
    assert.deepEqual(act.input, { project: team.project_id, plan: 'reachable' })
    assert.equal(act.after['projects.plan'], 'reachable')
    const { json } = await runInProcess(
      ['audit', '--entry-point', 'command_line', '--json'],
      settings,
    )
    assert.equal(json[0].id, act.id)
    const { stdout } = await runInProcess(['audit', '--operation', 'projects set'], settings)
    assert.match(stdout, /projects\.plan: "online" → "reachable"/)
  })

  test('keeps entries for the days of the setting, then deletes them', async () => {
    const { id } = await newest('&entry_point=operator')
    const count = async () => {
      await purgeActivity.run(runtime)
      const rows = await runtime.db
        .selectFrom('activity')
        .select('id')
        .where('id', '=', id)
        .execute()
      return rows.length
    }
    passes(`${runtime.config.audit_days - 1} days`)
    assert.equal(await count(), 1)
    passes('2 days')
    assert.equal(await count(), 0)
  })
})
