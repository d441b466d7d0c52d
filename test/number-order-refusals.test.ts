/**
 * Tests every declared refusal of POST /numbers by a scenario. A declared refusal without a
 * scenario fails, and so does a refusal without texts for people and agents.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as projects from '../server/areas/projects/service.ts'
import { order as operation } from '../server/areas/numbers/operations.ts'
import type { ErrorSlug } from '../server/contract/error-catalogue.ts'
import { limits } from '../server/contract/limits.ts'
import { listProblems, listStatuses } from '../server/edges/describe/problems-of.ts'
import { microFromEuro } from '../server/kernel/values/money.ts'
import { eventually } from './fixtures/eventually.ts'
import { openTestRuntime, type Answer, type CallOptions } from './fixtures/runtime.ts'
import { liveFixture, personDetails, slugOfProblem } from './fixtures/live-projects.ts'

const runtime = await openTestRuntime({ work: false })
const fixture = liveFixture(runtime)
const { order, bareProject, readyProject, change, topUp, verify, saveCompany } = fixture

/** Errors that a client cannot produce: failures of the service itself. */
const elsewhere: readonly ErrorSlug[] = [
  // Covered by the fuzz test.
  'internal_error',
  // Covered by test/process/start-and-stop.test.ts.
  'service_unavailable',
]

let sent = 0
const send = (options: CallOptions) =>
  runtime.call('POST /numbers', {
    body: {},
    ...options,
    headers: { 'idempotency-key': `refusal-${++sent}`, ...options.headers },
  })

const euro = (amount: number) => ({ spending_limit_micro: microFromEuro(amount) })

/** Orders a number for a ready project with these changes, which remove one prerequisite. */
async function lacking(changes: projects.ProjectChanges): Promise<Answer> {
  const { project_id, key } = await readyProject()
  await change(project_id, changes)
  return order(key)
}

const scenarios: Partial<Record<ErrorSlug, () => Promise<Answer>>> = {
  bad_request: () => send({ raw: '{}', headers: { 'content-type': 'text/plain' } }),
  invalid_json: () => send({ raw: '{"area":' }),
  invalid_parameter: () =>
    runtime.call('POST /numbers?area=020', { body: {}, headers: { 'idempotency-key': 'query' } }),
  validation_failed: () => send({ body: { area: 'x' } }),
  unauthorized: () => send({ key: null, headers: { authorization: 'Basic eDp5' } }),
  missing_api_key: () => send({ key: null }),
  invalid_api_key: () => send({ key: `hm_test_${'a'.repeat(32)}` }),
  async api_key_revoked() {
    const key = await runtime.newKey()
    await runtime.runtime.db.transact((tx) =>
      tx
        .updateTable('api_keys')
        .set({ revoked_at: runtime.clock.now() })
        .where('start', '=', key.slice(0, 12))
        .execute(),
    )
    return send({ key })
  },
  async project_deleted() {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    await projects.remove(runtime.runtime, project_id)
    return send({ key })
  },
  async forbidden() {
    const access = { sites: ['a'], apps: [], collections: [], limited_by: 'api_key' as const }
    return send({ key: await runtime.newKey({ access }) })
  },
  async project_not_enabled() {
    const { project_id } = await runtime.newProject()
    await change(project_id, { enabled: false })
    return send({ key: await runtime.newKey({ project_id }) })
  },
  async missing_scope() {
    return send({ key: await runtime.newKey({ scopes: ['numbers:read'] }) })
  },
  async key_mode_mismatch() {
    const { live_project_id: project_id } = await runtime.newProject({ shape: 'pair' })
    return send({ key: await runtime.newKey({ project_id }) })
  },
  async rate_limited() {
    const key = await runtime.newKey()
    for (let count = 0; count < limits.requests_max; count++) {
      await runtime.call('GET /project', { key })
    }
    return send({ key })
  },
  idempotency_key_missing: () => runtime.call('POST /numbers', { body: {} }),
  idempotency_key_invalid: () => send({ headers: { 'idempotency-key': 'with a blank' } }),
  async idempotency_key_reused() {
    const headers = { 'idempotency-key': 'twice' }
    await send({ headers })
    return send({ headers, body: { area: '020' } })
  },
  async idempotency_request_in_progress() {
    const { project_id, key } = await readyProject()
    const { db } = runtime.runtime
    // The lock stops the first order before it ends.
    const { first, second } = await db.transact(async (tx) => {
      await projects.lock(tx, project_id)
      const first = order(key, {}, 'at-once')
      const reserved = db.selectFrom('idempotency_keys').where('project_id', '=', project_id)
      await eventually(() => reserved.select('key').executeTakeFirst())
      return { first, second: await order(key, {}, 'at-once') }
    })
    assert.equal((await first).status, 201)
    return second
  },
  async plan_limit_reached() {
    const { project_id } = await runtime.newProject({ plan: 'free' })
    return send({ key: await runtime.newKey({ project_id, mode: 'live' }) })
  },
  async company_details_missing() {
    return order((await bareProject()).key)
  },
  async spend_cap_missing() {
    return order((await readyProject({ cap: null })).key)
  },
  async payment_mandate_missing() {
    const { project_id, key } = await readyProject({ euro: 0 })
    await change(project_id, { card: false })
    return order(key)
  },
  phone_verification_required: () => lacking({ phone_verified: false }),
  verification_required: () => lacking({ card: false }),
  billing_blocked: () => lacking(euro(1)),
  async insufficient_balance() {
    return order((await readyProject({ euro: 0 })).key)
  },
  async business_required() {
    const { key } = await readyProject()
    await saveCompany(key, personDetails)
    return order(key)
  },
  async regulatory_documents_missing() {
    return order((await readyProject()).key, { area: '020' })
  },
  async number_limit_reached() {
    const { key } = await readyProject()
    for (let count = 0; count < limits.live_numbers_max; count++) await order(key)
    return order(key)
  },
  async test_number_limit_reached() {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    for (let count = 0; count < limits.test_numbers_max; count++) await send({ key })
    return send({ key })
  },
  async number_already_yours() {
    const { key } = await readyProject()
    const { e164 } = (await order(key)).body
    return order(key, { e164 })
  },
  async number_unavailable() {
    return order((await readyProject()).key, { e164: '+31850009000' })
  },
  async no_numbers_available() {
    const { project_id, key } = await readyProject()
    await verify(project_id, 'number_documents')
    return order(key, { area: '0999' })
  },
  async upstream_error() {
    return order((await readyProject()).key, { e164: '+31850009007' })
  },
  async order_status_unknown() {
    return order((await readyProject()).key, { e164: '+31850009005' })
  },
  async telephony_unavailable() {
    return order((await readyProject()).key, { e164: '+31850009008' })
  },
}

/** These replies have a Retry-After header. */
const later: readonly ErrorSlug[] = [
  'rate_limited',
  'idempotency_request_in_progress',
  'telephony_unavailable',
]

describe('POST /numbers refuses', () => {
  for (const name of listProblems(operation).filter((one) => !elsewhere.includes(one))) {
    test(name, async () => {
      const scenario = scenarios[name]
      assert(scenario, `No scenario gives ${name}.`)
      const answer = await scenario()
      assert.equal(slugOfProblem(answer), name, answer.text)
      assert(listStatuses(operation, name).includes(answer.status))
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
      const { user_message, next_step, detail, request_id } = answer.body
      assert.match(user_message, /^[A-Z].+\.$/)
      assert.match(detail, /\.$/)
      if (next_step !== undefined) assert.match(next_step, /^[A-Z].+\.$/)
      assert.equal(request_id, answer.headers.get('x-request-id'))
      assert.equal(answer.headers.has('retry-after'), later.includes(name))
    })
  }
  test('only for the reasons it declares', () => {
    const declared = new Set<string>(listProblems(operation))
    assert.deepEqual(
      Object.keys(scenarios).filter((one) => !declared.has(one)),
      [],
    )
  })
})

test('POST /numbers accepts a retry after a top-up removes the cause of insufficient_balance', async () => {
  const { project_id, key } = await readyProject({ euro: 1 })
  assert.equal(slugOfProblem(await order(key, {}, 'again')), 'insufficient_balance')
  await topUp(project_id, 4)
  assert.equal((await order(key, {}, 'again')).status, 201)
})
