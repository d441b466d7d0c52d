/** Tests of GET /project over HTTP, and of the facts that the command line and the portal set. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from './service.ts'

const runtime = await openTestRuntime({ work: false })
const get = async (key = runtime.key) => (await runtime.call('GET /project', { key })).body

async function fresh() {
  const { project_id } = await runtime.newProject()
  return { project_id, key: await runtime.newKey({ project_id }) }
}

const levelOf = (body: any, level: string) =>
  body.verification.levels.find((one: { level: string }) => one.level === level)

describe('GET /project', () => {
  test('has every field of the specification, in its order', async () => {
    assert.deepEqual(Object.keys(await get()), [
      'id',
      'name',
      'edition',
      'created_at',
      'spending_limit_eur',
      'numbers_count',
      'mode',
      'rails',
      'verification',
      'access',
    ])
  })
  test('shows every rail of a new single project in test mode', async () => {
    const body = await get()
    assert.equal(body.edition, 'api')
    assert.equal(body.mode, 'test')
    assert.equal(body.access, null)
    assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(body.rails, {
      phone: 'test',
      outbound: 'test',
      sms: 'test',
      email: 'test',
      payments: 'test',
      domains: 'test',
    })
  })
  test('shows the mode of the key', async () => {
    assert.equal((await get(await runtime.newKey({ mode: 'live' }))).mode, 'live')
  })
  test('shows every rail live for the live project of a pair, and none for the test project', async () => {
    const pair = await runtime.newProject({ shape: 'pair' })
    const live = await get(await runtime.newKey({ project_id: pair.live_project_id, mode: 'live' }))
    const test_ = await get(await runtime.newKey({ project_id: pair.test_project_id }))
    assert.deepEqual(new Set(Object.values(live.rails)), new Set(['live']))
    assert.deepEqual(new Set(Object.values(test_.rails)), new Set(['test']))
  })
})

describe('verification levels', () => {
  test('lists the four levels of the specification, with what each unlocks and misses', async () => {
    const { key } = await fresh()
    const { verification } = await get(key)
    assert.equal(verification.account_type, 'business')
    assert.deepEqual(verification.levels, [
      {
        level: 'test',
        status: 'approved',
        reason: null,
        missing: [],
        unlocks: ['test_keys', 'test_numbers', 'simulated_calls'],
      },
      {
        level: 'company',
        status: 'not_started',
        reason: null,
        missing: ['payment_mandate', 'payment_authentication', 'phone_verification'],
        unlocks: ['live_keys', 'national_numbers', 'inbound_calls'],
      },
      {
        level: 'number_documents',
        status: 'not_started',
        reason: null,
        missing: [
          'level.company',
          'document.proof_of_address',
          'document.identity',
          'document.company_registration',
        ],
        unlocks: ['geographic_numbers'],
      },
      {
        level: 'full',
        status: 'not_started',
        reason: null,
        missing: ['level.company', 'director_identity', 'ubo_confirmation', 'review'],
        unlocks: ['outbound_calls', 'spending_cap_above_500_eur', 'more_concurrent_calls'],
      },
    ])
  })
  test('removes completed requirements from missing', async () => {
    const { project_id, key } = await fresh()
    await projects.change(runtime.runtime.db, project_id, { card: true })
    assert.deepEqual(levelOf(await get(key), 'company').missing, ['phone_verification'])
    await projects.change(runtime.runtime.db, project_id, { phone_verified: true })
    assert.deepEqual(levelOf(await get(key), 'company').missing, [])
  })
  test('lists nothing as missing for an approved level, nor that level as missing for the next', async () => {
    const { project_id, key } = await fresh()
    await projects.setVerification(runtime.runtime.db, {
      project_id,
      level: 'company',
      status: 'approved',
    })
    const body = await get(key)
    assert.deepEqual(
      [levelOf(body, 'company').status, levelOf(body, 'company').missing],
      ['approved', []],
    )
    assert.ok(!levelOf(body, 'full').missing.includes('level.company'))
    await projects.setVerification(runtime.runtime.db, {
      project_id,
      level: 'company',
      status: 'not_started',
    })
    assert.equal(levelOf(await get(key), 'company').status, 'not_started')
  })
})

describe('changes by the operator', () => {
  test('switch each rail to live and back independently', async () => {
    const { project_id, key } = await fresh()
    for (const rail of projects.railNames) {
      await projects.setRail(runtime.runtime.db, { project_id, rail, mode: 'live' })
      const { rails } = await get(key)
      assert.deepEqual(
        Object.keys(rails).filter((name) => rails[name] === 'live'),
        [rail],
      )
      await projects.setRail(runtime.runtime.db, { project_id, rail, mode: 'test' })
    }
  })
  test('switch two rails concurrently without losing one', async () => {
    const { project_id, key } = await fresh()
    await Promise.all(
      projects.railNames.map((rail) =>
        projects.setRail(runtime.runtime.db, { project_id, rail, mode: 'live' }),
      ),
    )
    assert.deepEqual(new Set(Object.values((await get(key)).rails)), new Set(['live']))
  })
  test('set and remove the spending cap in euro', async () => {
    const { project_id, key } = await fresh()
    await projects.change(runtime.runtime.db, project_id, { spending_limit_micro: 250_500_000n })
    assert.equal((await get(key)).spending_limit_eur, 250.5)
    await projects.change(runtime.runtime.db, project_id, { spending_limit_micro: null })
    assert.equal((await get(key)).spending_limit_eur, null)
  })
  test('deactivate the webhook endpoints of a deleted project, and of no other', async () => {
    const [gone, kept] = [await fresh(), await fresh()]
    const body = { url: 'http://127.0.0.1:9/', events: ['call.completed'] }
    for (const { key } of [gone, kept]) await runtime.call('POST /webhooks', { key, body })
    assert.equal(await projects.remove(runtime.runtime, gone.project_id), true)
    const left = await runtime.runtime.db
      .selectFrom('webhook_endpoints')
      .select('project_id')
      .where('active', 'is', true)
      .execute()
    assert.deepEqual(left, [{ project_id: kept.project_id }])
  })
  test('return undefined for an unknown project', async () => {
    const project_id = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    assert.equal(await projects.change(runtime.runtime.db, project_id, { card: true }), undefined)
    assert.equal(await projects.remove(runtime.runtime, project_id), false)
  })
})
