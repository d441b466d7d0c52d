/** The operations of numbers for people: overview, terms and the check of a call plan. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { liveFixture, personDetails } from '../../../../test/fixtures/live-projects.ts'
import { newSession, newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import * as projects from '../../projects/service.ts'

const fixture = await openTestRuntime({ work: false })
const { db } = fixture.runtime
const live = liveFixture(fixture)

let owners = 0

/** The owner of a project, and a path below it in the API of the portal. */
async function ownerOf(project_id: string) {
  owners += 1
  const email = `owner-${owners}@numbers.example`
  fixture.passes('20 minutes')
  await db.transact((tx) =>
    tx.updateTable('projects').set({ owner_email: email }).where('id', '=', project_id).execute(),
  )
  const session = await newSession(fixture, email)
  const call = (route: string, body?: unknown) => {
    const [method, path] = route.split(' ')
    return session.call(`${method} /projects/${project_id}${path}`, { body })
  }
  return { session, call }
}

async function newTestProject() {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const ordered = await fixture.call('POST /numbers', { key, headers, body: {} })
  assert.equal(ordered.status, 201, ordered.text)
  return { project_id, key, id: String(ordered.body.id), ...(await ownerOf(project_id)) }
}

const goodbye = { id: 'goodbye', type: 'hangup', label: 'Goodbye' }
const ring = {
  id: 'ring',
  type: 'forward',
  strategy: 'sequential',
  targets: [{ kind: 'external', e164: '+31201234567' }],
  onNoAnswer: 'goodbye',
}
const plan = { entry: 'ring', nodes: { ring, goodbye } }

describe('the overview of numbers', () => {
  test('shows a test number as free, with the plan that its calls follow', async () => {
    const { call, id, key } = await newTestProject()
    const first = await call('GET /numbers/overview')
    assert.equal(first.status, 200, first.text)
    const [number] = first.body.data
    assert.deepEqual(
      [number.id, number.price_eur, number.next_charge_on, number.is_owed, number.plan_source],
      [id, 0, null, false, 'default'],
    )
    assert.deepEqual(number.steps, [{ type: 'hangup', label: null }])
    await fixture.call(`PUT /numbers/${id}/call-plan`, { key, body: plan })
    const { body } = await call('GET /numbers/overview')
    assert.equal(body.data[0].plan_source, 'number')
    assert.deepEqual(body.data[0].steps, [
      { type: 'forward', label: null },
      { type: 'hangup', label: 'Goodbye' },
    ])
  })

  test('ends the steps at a choice of the caller, and follows open and unmatched calls', async () => {
    const { call, id, key } = await newTestProject()
    const nodes = {
      hours: {
        id: 'hours',
        type: 'openingHours',
        source: 'assistant',
        onOpen: 'match',
        onClosed: 'goodbye',
      },
      match: {
        id: 'match',
        type: 'callerMatch',
        rules: [{ prefixes: ['+49'], next: 'goodbye' }],
        default: 'hello',
      },
      hello: { id: 'hello', type: 'readText', text: 'Hello', next: 'menu' },
      menu: { id: 'menu', type: 'menu', prompt: { text: 'Press 1' }, options: { 1: 'goodbye' } },
      goodbye,
    }
    const body = { entry: 'hours', nodes }
    const put = await fixture.call(`PUT /numbers/${id}/call-plan`, { key, body })
    assert.equal(put.status, 200, put.text)
    const overview = await call('GET /numbers/overview')
    assert.deepEqual(
      overview.body.data[0].steps.map(({ type }: { type: string }) => type),
      ['openingHours', 'callerMatch', 'readText', 'menu'],
    )
  })

  test('follows the plan of the project if a number has none', async () => {
    const { call, project_id } = await newTestProject()
    const now = fixture.runtime.clock.now()
    const row = { project_id, number_id: null, version: 1, plan: JSON.stringify(plan) }
    await db.transact((tx) =>
      tx
        .insertInto('call_plans')
        .values({ ...row, created_at: now, updated_at: now })
        .execute(),
    )
    const { body } = await call('GET /numbers/overview')
    assert.equal(body.data[0].plan_source, 'project')
    assert.equal(body.data[0].steps[0].type, 'forward')
  })

  test('shows price, next charge and an unpaid month of a real number', async () => {
    const { project_id, key } = await live.readyProject({ euro: 5 })
    assert.equal((await live.order(key)).status, 201)
    const { call, session } = await ownerOf(project_id)
    const [number] = (await call('GET /numbers/overview')).body.data
    assert.deepEqual([number.test, number.price_eur, number.is_owed], [false, 5, false])
    assert.match(number.next_charge_on, /^\d{4}-\d{2}-01$/)
    fixture.passes('32 days')
    const later = await newSession(fixture, session.email)
    const [owed] = (await later.call(`GET /projects/${project_id}/numbers/overview`)).body.data
    assert.deepEqual([owed.next_charge_on, owed.is_owed], [number.next_charge_on, true])
  })

  test('lists the orders that the carrier has not answered', async () => {
    const { project_id, key } = await live.readyProject()
    // The simulated carrier answers an order of this number with an error of its own.
    const unknown = await live.order(key, { e164: '+31850009006' })
    assert.equal(unknown.status, 502, unknown.text)
    const { call } = await ownerOf(project_id)
    const { body } = await call('GET /numbers/overview')
    assert.equal(body.data.length, 0)
    assert.equal(body.open_orders.length, 1)
    assert.equal(body.open_orders[0].type, 'national')
  })
})

describe('the terms of a real number', () => {
  const codesOf = async (call: (route: string) => Promise<any>) => {
    const { body } = await call('GET /numbers/terms')
    const codes = ({ blockers }: any) => blockers.map(({ code }: any) => code)
    return { national: codes(body.national), geographic: codes(body.geographic) }
  }

  test('list everything that prevents the order, for each type', async () => {
    const { project_id } = await fixture.newProject()
    const { call } = await ownerOf(project_id)
    const { body } = await call('GET /numbers/terms')
    assert.deepEqual([body.national.price_eur, body.geographic.price_eur], [5, 3])
    const shared = [
      'rail',
      'company_details',
      'spending_cap',
      'payment_mandate',
      'phone_verification',
      'payment_authentication',
      'level.company',
    ]
    assert.deepEqual(await codesOf(call), {
      national: shared,
      geographic: [...shared, 'number_documents'],
    })
    await projects.change(db, project_id, { plan: 'free' })
    assert.equal((await codesOf(call)).national[1], 'plan')
  })

  test('are free of blockers once everything is there, until three numbers are reached', async () => {
    const { project_id, key } = await live.readyProject()
    const { call } = await ownerOf(project_id)
    assert.deepEqual(await codesOf(call), { national: [], geographic: ['number_documents'] })
    for (let count = 0; count < 3; count += 1) {
      assert.equal((await live.order(key)).status, 201)
    }
    assert.deepEqual((await codesOf(call)).national, ['number_limit'])
  })

  test('name the balance, the cap and the kind of account', async () => {
    const { project_id, key } = await live.readyProject({ euro: 4 })
    const { call } = await ownerOf(project_id)
    assert.deepEqual((await codesOf(call)).national, ['balance'])
    await projects.change(db, project_id, { spending_limit_micro: 1_000_000n })
    assert.deepEqual((await codesOf(call)).national, ['monthly_cap'])
    await live.saveCompany(key, personDetails)
    assert.ok((await codesOf(call)).national.includes('business'))
  })

  test('say that the test project of a pair orders no real number', async () => {
    const pair = await fixture.newProject({ shape: 'pair' })
    const { call } = await ownerOf(pair.test_project_id)
    assert.equal((await codesOf(call)).national[0], 'live_project')
  })

  test('say that no carrier is connected', async () => {
    const bare = await openTestRuntime({ work: false, settings: { HOMEPORT_CARRIER: 'none' } })
    const { owner, project_id } = await newTeam(bare)
    const codes = await codesOf((route) =>
      owner.call(route.replace('/numbers', `/projects/${project_id}/numbers`)),
    )
    assert.ok(codes.national.includes('carrier'))
  })
})

describe('the schemas of call plan nodes', () => {
  test('are those of the OpenAPI document, without references', async () => {
    const { call } = await newTestProject()
    const { body } = await call('GET /numbers/call-plan-schema')
    const document = await fixture.call('GET /openapi.json', {})
    const { schemas } = document.body.components
    const resolved = (value: any): any => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map(resolved)
      if (typeof value.$ref === 'string') return resolved(schemas[value.$ref.split('/').at(-1)])
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one)]))
    }
    const { mapping } = schemas.CallPlanNode.discriminator
    assert.deepEqual(Object.keys(body.nodes), Object.keys(mapping))
    for (const [type, $ref] of Object.entries(mapping)) {
      assert.deepEqual(body.nodes[type], resolved({ $ref }), type)
    }
  })
})

describe('the check of a call plan', () => {
  test('accepts a plan that would be stored, and stores nothing', async () => {
    const { call, id } = await newTestProject()
    const { status, body } = await call(`POST /numbers/${id}/call-plan/check`, plan)
    assert.deepEqual([status, body], [200, { errors: [], refusal: null, warnings: [] }])
    assert.equal((await call(`GET /numbers/${id}/call-plan`)).body.version, 0)
  })

  test('returns the faults and the warnings together, each with its place', async () => {
    const { call, id } = await newTestProject()
    const nodes = {
      ring: { ...ring, ringSeconds: 500, timeout: 3 },
      goodbye,
      lost: { ...goodbye, id: 'lost' },
    }
    const { body } = await call(`POST /numbers/${id}/call-plan/check`, { ...plan, nodes })
    assert.equal(body.refusal, 'validation_failed')
    assert.deepEqual(
      body.errors.map(({ path }: any) => path),
      ['/nodes/ring/ringSeconds'],
    )
    assert.deepEqual(
      body.warnings.map(({ path }: any) => path),
      ['/nodes/ring/timeout', '/nodes/lost'],
    )
  })

  test('reports an entry that is not text as a fault, whatever it contains', async () => {
    const { call, id } = await newTestProject()
    for (const entry of [null, 1, ['ring'], { toString: '' }]) {
      const { status, body } = await call(`POST /numbers/${id}/call-plan/check`, { ...plan, entry })
      assert.deepEqual([status, body.errors[0].path, body.warnings], [200, '/entry', []])
    }
  })

  test('names refused targets, and an assistant that is not set up', async () => {
    const { call, id } = await newTestProject()
    const premium = { ...ring, targets: [{ kind: 'external', e164: '+31900123456' }] }
    const refused = await call(`POST /numbers/${id}/call-plan/check`, {
      ...plan,
      nodes: { ring: premium, goodbye },
    })
    assert.equal(refused.body.refusal, 'forward_target_not_allowed')
    assert.equal(refused.body.errors[0].path, '/nodes/ring/targets/0/e164')
    const nodes = { a: { id: 'a', type: 'ai_agent' } }
    const agent = await call(`POST /numbers/${id}/call-plan/check`, { entry: 'a', nodes })
    assert.deepEqual(agent.body, { errors: [], refusal: 'assistant_not_configured', warnings: [] })
  })

  test('compares no names of a plan that is too large', async () => {
    const { call, id } = await newTestProject()
    const { body } = await call(`POST /numbers/${id}/call-plan/check`, {
      ...plan,
      note: 'x'.repeat(70_000),
    })
    assert.deepEqual([body.errors.length, body.errors[0].path, body.warnings], [1, '', []])
  })

  test('answers 404 for a number of another project, and is open to viewers', async () => {
    const team = await newTeam(fixture)
    const { id } = await newTestProject()
    const route = `POST /projects/${team.project_id}/numbers/${id}/call-plan/check`
    assert.equal((await team.viewer.call(route, { body: plan })).status, 404)
    const overview = `GET /projects/${team.project_id}/numbers/overview`
    assert.equal((await team.viewer.call(overview)).status, 200)
  })
})
