/** The operator console: who may use it, projects, offline and back, reviews, work, providers, acts. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { standingClock } from '../fixtures/bare-runtime.ts'
import { newSession, newTeam, type Session, type TestTeam } from '../fixtures/portal/sessions.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { operatorOperations } from '../../server/app.ts'
import { noteProviderError } from '../../server/providers/provider-errors.ts'
import { sampleWork } from '../../server/areas/operator/work-history.ts'
import * as people from '../../server/areas/people/service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { call, newKey, passes, runtime } = fixture
const UNKNOWN = '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'

let team: TestTeam
let operator: Session

// Sign-ins are rate limited per network in a quarter of an hour.
beforeEach(() => passes('20 minutes'))

before(async () => {
  team = await newTeam(fixture)
  passes('20 minutes')
  operator = await freshOperator()
})

/** Signs an operator in again, so that their identity is confirmed. */
async function freshOperator(): Promise<Session> {
  const email = team.admin.email
  await people.setOperator(runtime, { email, is_operator: true })
  return newSession(fixture, email)
}

async function projectOf(id: string): Promise<any> {
  const { body, text } = await operator.call(`GET /operator/projects?search=${id}`)
  assert.equal(body.data.length, 1, text)
  return body.data[0]
}

describe('the operations for operators', () => {
  test('answer 404 to everyone else, as a path that does not exist', async () => {
    for (const { method, path, body: schema } of operatorOperations) {
      const route = `${method} ${path.replace('{id}', UNKNOWN)}`
      const body = schema ? { reason: 'x', decision: 'upheld' } : undefined
      for (const session of [team.owner, team.viewer]) {
        const { status, body: problem } = await session.call(route, body ? { body } : {})
        assert.equal(status, 404, route)
        const unknown = await session.call(route.replace('/operator/', '/nothing/'))
        const detail = unknown.body.detail.replace('/nothing/', '/operator/')
        assert.equal(problem.detail, detail)
      }
    }
  })

  test('answer 404 again after the operator role was taken away', async () => {
    const email = team.member.email
    await people.setOperator(runtime, { email, is_operator: true })
    assert.equal((await team.member.call('GET /operator/work')).status, 200)
    assert.equal((await team.member.call('GET /me')).body.person.is_operator, true)
    await people.setOperator(runtime, { email, is_operator: false })
    assert.equal((await team.member.call('GET /operator/work')).status, 404)
  })

  test('are not described', async () => {
    const { text } = await team.owner.call('GET /openapi.json')
    assert.ok(!text.includes('/operator/'))
    const docs = await fetch(`${fixture.url}/docs/portal-api.md`)
    assert.ok(!(await docs.text()).includes('/operator/'))
  })

  test('need a recent confirmation of identity for acts', async () => {
    operator = await freshOperator()
    passes('16 minutes')
    const route = `POST /operator/projects/${team.project_id}/offline`
    const { status, body } = await operator.call(route, { body: { reason: 'Abuse' } })
    assert.equal(status, 403)
    assert.match(body.confirm_url, /\/portal\/confirm$/)
  })
})

describe('projects', () => {
  test('are listed with usage, balance, plan and health, and found by name, owner and id', async () => {
    const key = await newKey({ project_id: team.project_id })
    await call('GET /calls/unknown', { key })
    // Reading the log writes the entries that wait.
    await call('GET /requests', { key })
    const project = await projectOf(team.project_id)
    assert.equal(project.owner_email, team.owner.email)
    assert.deepEqual(
      [project.sites, project.members, project.balance_eur, project.health],
      [2, 5, 0, 'ok'],
    )
    assert.ok(project.requests_24h >= 1 && project.refused_24h >= 1 && project.errors_24h === 0)
    const byOwner = await operator.call(`GET /operator/projects?search=${team.owner.email}`)
    assert.deepEqual(
      byOwner.body.data.map(({ id }: any) => id),
      [team.project_id],
    )
    const none = await operator.call('GET /operator/projects?search=100%25')
    assert.deepEqual(none.body.data, [])
  })

  test('get the phone of their owner confirmed, and that is recorded', async () => {
    operator = await freshOperator()
    const { project_id } = team
    const set = (id: string, verified: boolean) =>
      operator.call(`PUT /operator/projects/${id}/phone`, { body: { verified } })
    const confirmed = await set(project_id, true)
    assert.equal(confirmed.status, 200, confirmed.text)
    assert.equal((await projectOf(project_id)).phone_verified, true)
    const { body } = await operator.call('GET /operator/acts?operation=projects.confirm_phone')
    assert.equal(body.data[0].project_id, project_id)
    assert.equal((await set(project_id, false)).body.phone_verified, false)
    assert.equal((await set(UNKNOWN, true)).status, 404)
  })

  test('come in pages', async () => {
    await fixture.newProject()
    const first = await operator.call('GET /operator/projects?limit=1')
    const { next_cursor } = first.body
    const second = await operator.call(`GET /operator/projects?limit=1&cursor=${next_cursor}`)
    assert.ok(second.body.data[0].id < first.body.data[0].id)
    assert.equal((await operator.call('GET /operator/projects?cursor=x')).status, 400)
  })

  test('go offline with a reason, for keys, members and visitors, and come back', async () => {
    operator = await freshOperator()
    const { project_id, site_id, owner } = team
    const key = await newKey({ project_id })
    const root = `/operator/projects/${project_id}`
    const reason = 'Phishing reported by a bank.'
    const taken = await operator.call(`POST ${root}/offline`, { body: { reason } })
    assert.equal(taken.status, 200, taken.text)
    assert.deepEqual([taken.body.health, taken.body.offline.reason], ['offline', reason])
    const refused = await call('GET /project', { key })
    assert.equal(refused.status, 403)
    assert.match(refused.body.detail, /offline: Phishing reported by a bank\./)
    assert.equal((await owner.call(`GET /projects/${project_id}/sites`)).status, 403)
    const listed = await owner.call('GET /projects')
    assert.equal(listed.body.data.find(({ id }: any) => id === project_id).offline.reason, reason)
    const only = await operator.call('GET /operator/projects?only=offline')
    assert.deepEqual(
      only.body.data.map(({ id }: any) => id),
      [project_id],
    )
    const back = await operator.call(`POST ${root}/online`)
    assert.deepEqual([back.body.health, back.body.offline], ['ok', null])
    assert.equal((await call(`GET /sites/${site_id}`, { key })).status, 200)
    const unknown = await operator.call(`POST /operator/projects/${UNKNOWN}/online`)
    assert.equal(unknown.status, 404)
  })

  test('show what operators did, and the team sees it without their name', async () => {
    const { body } = await operator.call('GET /operator/acts?limit=2')
    assert.deepEqual(
      body.data.map((act: any) => [act.operation, act.operator, act.project_id, act.note]),
      [
        ['projects.put_online', operator.email, team.project_id, null],
        ['projects.take_offline', operator.email, team.project_id, 'Phishing reported by a bank.'],
      ],
    )
    const seen = await team.owner.call(
      `GET /projects/${team.project_id}/activity?entry_point=operator`,
    )
    assert.deepEqual(seen.body.data[1].actor, { kind: 'operator', id: null, name: null })
    assert.equal(seen.body.data[1].note, 'Phishing reported by a bank.')
  })
})

describe('reviews', () => {
  test('are listed and decided, and sites go offline and back', async () => {
    operator = await freshOperator()
    const root = `/operator/sites/${team.site_id}`
    const taken = await operator.call(`POST ${root}/offline`, { body: { reason: 'Malware' } })
    assert.deepEqual([taken.status, taken.body.status], [200, 'offline'], taken.text)
    const { body } = await operator.call('GET /operator/reviews')
    const [review] = body.data
    assert.deepEqual([review.site_id, review.findings[0].what], [team.site_id, 'Malware'])
    const open = await operator.call('GET /operator/reviews?open=true')
    assert.deepEqual(open.body.data, [])
    const decision = { decision: 'allowed', note: 'It was a mistake.' }
    const decided = await operator.call(`POST /operator/reviews/${review.id}/decide`, {
      body: decision,
    })
    assert.deepEqual([decided.status, decided.body.decision], [200, 'allowed'], decided.text)
    const online = await operator.call(`POST ${root}/online`)
    assert.equal(online.body.status, 'live')
    const missing = [
      operator.call(`POST /operator/reviews/${UNKNOWN}/decide`, { body: decision }),
      operator.call(`POST /operator/sites/${UNKNOWN}/online`),
      operator.call(`POST /operator/sites/${UNKNOWN}/offline`, { body: { reason: 'x' } }),
    ]
    for (const { status } of await Promise.all(missing)) assert.equal(status, 404)
    const acts = await operator.call('GET /operator/acts?limit=3')
    assert.deepEqual(
      acts.body.data.map(({ operation }: any) => operation),
      ['sites.put_online', 'reviews.decide', 'sites.take_offline'],
    )
  })
})

describe('work and providers', () => {
  test('counts due work by its age, and retries jobs that failed for good', async () => {
    operator = await freshOperator()
    const earlier = await operator.call('GET /operator/work')
    const now = runtime.clock.now_ms()
    const row = { payload: '{}', project_id: team.project_id, kind: 'calls.summarise' }
    await runtime.db.transact((tx) =>
      tx
        .insertInto('jobs')
        .values([
          {
            ...row,
            id: crypto.randomUUID(),
            state: 'due',
            run_at: new Date(now - 5_000_000),
            created_at: new Date(now),
          },
          {
            ...row,
            id: crypto.randomUUID(),
            state: 'dead',
            run_at: new Date(now),
            created_at: new Date(now),
            dead_at: new Date(now),
            last_error: 'No model.',
          },
        ])
        .execute(),
    )
    const { body } = await operator.call('GET /operator/work')
    assert.equal(body.jobs.ages.over_1_h, earlier.body.jobs.ages.over_1_h + 1)
    assert.ok(body.jobs.oldest_s >= 5_000)
    assert.equal(body.jobs.failed, 1)
    assert.equal(body.failed_jobs[0].last_error, 'No model.')
    assert.equal((await projectOf(team.project_id)).health, 'failing')
    const retried = await operator.call('POST /operator/jobs/retry')
    assert.deepEqual(retried.body, { retried: 1 })
    const acts = await operator.call('GET /operator/acts?limit=1')
    assert.deepEqual(
      [acts.body.data[0].operation, acts.body.data[0].project_id],
      ['jobs.retry', null],
    )
  })

  test('keeps samples of the work for a month, and shows them in intervals', async () => {
    operator = await freshOperator()
    await Promise.all([sampleWork.run(runtime), sampleWork.run(runtime)])
    passes('10 minutes')
    await sampleWork.run(runtime)
    const { body } = await operator.call('GET /operator/work/history')
    assert.deepEqual([body.interval_s, body.data.length], [1800, 48])
    const samples = body.data.map((one: any) => one.samples)
    assert.equal(samples.slice(-2).toSorted().join(), samples.at(-1) === 2 ? '0,2' : '1,1')
    assert.ok(body.data.some(({ jobs }: any) => jobs.due > 0 && jobs.oldest_s >= 5_000))
    for (const [range, count] of [
      ['7d', 56],
      ['30d', 60],
    ]) {
      const longer = await operator.call(`GET /operator/work/history?range=${range}`)
      assert.equal(longer.body.data.length, count)
    }
    assert.equal((await operator.call('GET /operator/work/history?range=1y')).status, 400)
    passes('32 days')
    await sampleWork.run(runtime)
    operator = await freshOperator()
    const later = await operator.call('GET /operator/work/history?range=30d')
    assert.equal(later.body.data.filter((one: any) => one.samples > 0).length, 1)
  })

  test('lists each provider with its state and last error', async () => {
    noteProviderError(runtime, 'phone', 'The carrier answered 503.')
    const { body, text } = await operator.call('GET /operator/providers')
    const names = body.data.map(({ interface: name }: any) => name)
    assert.deepEqual(names, ['phone', 'ai', 'mail', 'payments', 'vat', 'files'], text)
    assert.equal(body.data[0].last_error.message, 'The carrier answered 503.')
    assert.equal(body.data[1].last_error, null)
  })
})

describe('a list of the console or a search of a project that takes too long', () => {
  const holder = new pg.Client(runtime.connection)
  after(() => holder.end())
  before(() => holder.connect())

  const countWaiting = async () =>
    (await holder.query('select count(*)::int as n from pg_locks where not granted')).rows[0].n

  test('is 400 invalid_parameter', async () => {
    const key = await newKey({ project_id: team.project_id })
    // A project has three connections for such reads.
    const other = { key: await newKey({ project_id: (await fixture.newProject()).project_id }) }
    type Ask = () => Promise<{ status: number; body: any }>
    const lists: [table: string, parameter: string, ask: Ask][] = [
      ['webhook_endpoints', 'search', () => operator.call('GET /operator/projects?search=a')],
      ['activity', 'operator', () => operator.call('GET /operator/acts?operator=a')],
      ['site_reviews', 'open', () => operator.call('GET /operator/reviews')],
      ['media', 'kind', () => call('GET /media?kind=image', { key })],
      ['calls', 'q', () => call('GET /calls?q=a', { key })],
      ['calls', 'from', () => call('GET /calls?from=%2B31612345678', { key })],
      ['orders', 'limit', () => call('GET /customers', other)],
      ['orders', 'q', () => call('GET /customers?q=a', other)],
    ]
    await holder.query('begin')
    for (const [table] of lists) await holder.query(`lock table ${table} in access exclusive mode`)
    const asked = lists.map(([, , ask]) => ask())
    await eventually(async () => (await countWaiting()) === 6)
    const replies = await Promise.all(asked)
    await holder.query('rollback')
    for (const [at, { status, body }] of replies.entries()) {
      assert.deepEqual([status, body.type.split('/').at(-1)], [400, 'invalid_parameter'])
      assert.match(body.detail, /needs more than \d seconds/)
      assert.equal(body.parameter, lists[at]?.[1])
    }
    for (const [table, , ask] of lists) assert.equal((await ask()).status, 200, table)
  })
})
