/** Tests of live numbers over HTTP: prerequisites, costs and failures. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as projects from '../../projects/service.ts'
import {
  liveFixture,
  personDetails,
  slugOfProblem,
} from '../../../../test/fixtures/live-projects.ts'

const runtime = await openTestRuntime({ work: false, clock: standingClock() })
const fixture = liveFixture(runtime)
const { order, bareProject, readyProject, books, listed, topUp, verify, saveCompany } = fixture
const cap = (euro: number) => ({ spending_limit_micro: microFromEuro(euro) })

const refused = async (key: string, body: object = {}) => {
  const answer = await order(key, body)
  return [answer.status, slugOfProblem(answer)]
}

describe('the prerequisites of an order', () => {
  test('are nine for a business and a national number, each with its own error', async () => {
    const { project_id, key } = await bareProject()
    const change = (changes: projects.ProjectChanges) => fixture.change(project_id, changes)
    await change({ plan: 'free' })
    assert.deepEqual(await refused(key), [402, 'plan_limit_reached'])
    await change({ plan: 'online' })
    assert.deepEqual(await refused(key), [422, 'company_details_missing'])
    await saveCompany(key, personDetails)
    assert.deepEqual(await refused(key), [422, 'spend_cap_missing'])
    await change(cap(4))
    assert.deepEqual(await refused(key), [402, 'payment_mandate_missing'])
    await change({ card: true })
    assert.deepEqual(await refused(key), [403, 'phone_verification_required'])
    await change({ phone_verified: true })
    assert.deepEqual(await refused(key), [402, 'billing_blocked'])
    await change(cap(100))
    assert.deepEqual(await refused(key), [402, 'insufficient_balance'])
    await topUp(project_id, 4.999999)
    assert.deepEqual(await refused(key), [402, 'insufficient_balance'])
    await topUp(project_id, 0.000001)
    assert.deepEqual(await refused(key), [422, 'business_required'])
    await saveCompany(key)
    const unchecked = await order(key)
    assert.deepEqual([unchecked.status, slugOfProblem(unchecked)], [403, 'verification_required'])
    assert.deepEqual(unchecked.body.missing, ['kvk_check', 'level.company'])
    await verify(project_id, 'company')
    assert.equal((await order(key)).status, 201)
    assert.deepEqual(await books(key), { balance: 0, spent: 5, amounts: [4.999999, 0.000001, -5] })
  })
  test('include company details, and company_details_missing lists the missing ones', async () => {
    const { key } = await bareProject()
    const { body } = await order(key)
    const fields = ['company_name', 'registration_number', 'address', 'contact']
    assert.deepEqual(body.missing.slice(0, 4), fields)
  })
  test('are listed all at once, under the first error of the specification', async () => {
    const { project_id, key } = await bareProject()
    const company = ['company_name', 'registration_number', 'address', 'contact']
    const others = [
      'spending_cap',
      'payment_mandate',
      'phone_verification',
      'payment_authentication',
      'kvk_check',
      'level.company',
    ]
    const { body } = await order(key)
    assert.deepEqual(body.missing, [...company, ...others])
    assert.match(body.detail, /miss company_name.*no monthly spending cap.*not approved yet\.$/)
    assert.match(body.user_message, /details of the company.*spending limit.*verify your phone/)
    assert.match(body.next_step, /^Several things are missing.*PUT \/project\/company.*Billing/)
    const local = await order(key, { area: '020' })
    assert.ok(local.body.missing.includes('document.identity'), local.text)
    await fixture.change(project_id, { plan: 'free' })
    const free = await order(key)
    assert.deepEqual([free.status, slugOfProblem(free)], [402, 'plan_limit_reached'])
    assert.deepEqual(free.body.missing, ['plan', ...company, ...others])
    await saveCompany(key, personDetails)
    assert.ok((await order(key)).body.missing.includes('business'))
  })
  test('accept a prepaid balance instead of a card, but not instead of the bank-confirmed payment', async () => {
    const { project_id, key } = await bareProject()
    await saveCompany(key)
    await fixture.change(project_id, { ...cap(100), phone_verified: true })
    await topUp(project_id, 20)
    const answer = await order(key)
    assert.deepEqual([answer.status, slugOfProblem(answer)], [403, 'verification_required'])
    assert.deepEqual(answer.body.missing, ['payment_authentication', 'kvk_check', 'level.company'])
  })
  test('include documents for a geographic number, also for a personal account', async () => {
    const { project_id, key } = await readyProject()
    await saveCompany(key, personDetails)
    await projects.setVerification(runtime.runtime.db, {
      project_id,
      level: 'company',
      status: 'not_started',
    })
    const documents = ['document.proof_of_address', 'document.identity']
    const unverified = await order(key, { area: '020' })
    assert.deepEqual([unverified.status, slugOfProblem(unverified)], [403, 'verification_required'])
    assert.deepEqual(unverified.body.missing, ['level.company', ...documents])
    await verify(project_id, 'company')
    const undocumented = await order(key, { area: '020' })
    assert.deepEqual(
      [undocumented.status, slugOfProblem(undocumented)],
      [422, 'regulatory_documents_missing'],
    )
    assert.deepEqual(undocumented.body.missing, documents)
    await verify(project_id, 'number_documents')
    const { status, body } = await order(key, { area: '020' })
    assert.equal(status, 201)
    assert.match(body.e164, /^\+3120\d{7}$/)
    assert.deepEqual([body.type, body.status, body.test], ['geographic', 'active', false])
  })
  test('include the register extract for a business', async () => {
    const { key } = await readyProject()
    const { body } = await order(key, { area: '020' })
    assert(body.missing.includes('document.company_registration'))
  })
  test('charge, count and list nothing if the order is refused', async () => {
    const { project_id, key } = await readyProject({ cap: 4 })
    assert.deepEqual(await refused(key), [402, 'billing_blocked'])
    assert.deepEqual(await books(key), { balance: 100, spent: 0, amounts: [100] })
    assert.deepEqual(await listed(key), [])
    assert.equal((await projects.find(runtime.runtime.db, project_id))?.numbers_count, 0)
  })
})

describe('a live order', () => {
  test('succeeds at once for a number in stock and costs its first month', async () => {
    const { key } = await readyProject()
    const { status, body } = await order(key)
    assert.equal(status, 201)
    const { id, e164, created_at, warnings, ...rest } = body
    assert.equal(warnings.length, 1)
    assert.match(e164, /^\+3185\d{7}$/)
    assert.deepEqual(rest, { type: 'national', status: 'active', test: false, from_stock: true })
    assert.deepEqual(await listed(key), [
      { id, e164, type: 'national', status: 'active', created_at, test: false },
    ])
    const { body: balance } = await runtime.call('GET /balance', { key })
    const [charge] = balance.transactions
    assert.equal(charge.description, `Phone number ${e164}, first month`)
    assert.deepEqual(
      [charge.type, charge.source, charge.amount_eur, charge.quantity, charge.unit],
      ['charge', 'number', -5, 1, 'month'],
    )
    assert.equal(charge.reference_id, id)
    assert.equal((await runtime.call('GET /project', { key })).body.numbers_count, 1)
  })
  test('orders the number that e164 names', async () => {
    const { key } = await readyProject()
    const { body } = await runtime.call('GET /numbers/available', { key })
    const wanted = body.data.at(-1).e164
    assert.equal((await order(key, { e164: wanted })).body.e164, wanted)
    const again = await order(key, { e164: wanted })
    assert.deepEqual([again.status, slugOfProblem(again)], [409, 'number_already_yours'])
  })
  test('is refused for a number of another project: 409 number_unavailable', async () => {
    const [one, other] = [await readyProject(), await readyProject()]
    const { e164 } = (await order(one.key)).body
    assert.deepEqual(await refused(other.key, { e164 }), [409, 'number_unavailable'])
    assert.deepEqual((await books(other.key)).amounts, [100])
  })
  test('lists the invalid fields: 422 validation_failed', async () => {
    const { key } = await readyProject()
    for (const [body, path] of [
      [{ e164: '+447700900123' }, '/e164'],
      [{ e164: '+4930123456' }, '/e164'],
      [{ e164: '+31612345678' }, '/e164'],
      [{ e164: '+31900123456' }, '/e164'],
      [{ e164: '+31800123456' }, '/e164'],
      [{ e164: '0850000001' }, '/e164'],
      [{ e164: '+31850000001', area: '085' }, '/area'],
      [{ area: 'twenty' }, '/area'],
      [{ region: '020' }, '/region'],
    ] as const) {
      const answer = await order(key, body)
      assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'validation_failed'])
      assert.equal(answer.body.errors[0].path, path)
    }
  })
  test('is refused with 422 no_numbers_available in an area without numbers', async () => {
    const { project_id, key } = await readyProject()
    await verify(project_id, 'number_documents')
    assert.deepEqual(await refused(key, { area: '0999' }), [422, 'no_numbers_available'])
  })
  test('is refused if it would be the fourth: 403 number_limit_reached', async () => {
    const { key } = await readyProject()
    for (let count = 0; count < 3; count++) assert.equal((await order(key)).status, 201)
    assert.deepEqual(await refused(key), [403, 'number_limit_reached'])
    assert.equal((await books(key)).balance, 85)
  })
  test('cannot be undone: DELETE is refused with a live and a test key', async () => {
    const { project_id, key } = await readyProject()
    const { id } = (await order(key)).body
    const test_key = await runtime.newKey({ project_id })
    for (const bearer of [key, test_key]) {
      const answer = await runtime.call(`DELETE /numbers/${id}`, { key: bearer })
      assert.deepEqual(
        [answer.status, slugOfProblem(answer)],
        [409, 'number_release_not_supported'],
      )
    }
    assert.equal((await listed(key)).length, 1)
  })
})

describe('concurrent orders', () => {
  test('create three numbers and three charges, with ten keys and money for three', async () => {
    const { key } = await readyProject()
    const answers = await Promise.all(Array.from({ length: 10 }, () => order(key)))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, 3)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.deepEqual([answer.status, slugOfProblem(answer)], [403, 'number_limit_reached'])
    }
    assert.equal(new Set(made.map(({ body }) => body.e164)).size, 3)
    assert.deepEqual(await books(key), { balance: 85, spent: 15, amounts: [100, -5, -5, -5] })
    assert.equal((await runtime.call('GET /project', { key })).body.numbers_count, 3)
  })
  test('create one number with money for one', async () => {
    const { key } = await readyProject({ euro: 9 })
    const answers = await Promise.all(Array.from({ length: 6 }, () => order(key)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.equal(slugOfProblem(answer), 'insufficient_balance')
    }
    assert.deepEqual(await books(key), { balance: 4, spent: 5, amounts: [9, -5] })
  })
  test('create one number, charged once, for twenty requests with one Idempotency-Key', async () => {
    const { key } = await readyProject()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => order(key, {}, 'the-same-key')),
    )
    for (const answer of answers) {
      if (answer.status === 201) continue
      assert.deepEqual(
        [answer.status, slugOfProblem(answer)],
        [409, 'idempotency_request_in_progress'],
      )
    }
    assert.equal((await listed(key)).length, 1)
    assert.equal((await books(key)).balance, 95)
  })
  test('of two projects for one number give it to one project and refuse the other', async () => {
    const several = await Promise.all([readyProject(), readyProject(), readyProject()])
    const e164 = '+31880007777'
    const answers = await Promise.all(several.map(({ key }) => order(key, { e164 })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409])
    for (const answer of answers.filter(({ status }) => status === 409)) {
      assert.equal(slugOfProblem(answer), 'number_unavailable')
    }
    const balances = await Promise.all(several.map(async ({ key }) => (await books(key)).balance))
    assert.deepEqual(balances.toSorted(), [100, 100, 95].toSorted())
  })
})

describe('a search', () => {
  const search = (key: string, query = '') =>
    runtime.call(`GET /numbers/available${query}`, { key })

  test('shows ten numbers of the carrier, those in stock first', async () => {
    const { key } = await readyProject()
    const { status, body } = await search(key)
    assert.equal(status, 200)
    assert.equal(body.data.length, 10)
    for (const { e164, type, test: isTest } of body.data) {
      assert.match(e164, /^\+31\d{9}$/)
      assert.deepEqual([type, isTest], ['national', false])
    }
    const stock: boolean[] = body.data.map((one: { from_stock: boolean }) => one.from_stock)
    assert.deepEqual(
      stock,
      stock.toSorted((one, other) => Number(other) - Number(one)),
    )
  })
  test('returns numbers of the given area, which determines the type', async () => {
    const { key } = await readyProject()
    for (const query of ['?area=030', '?type=geographic&area=030']) {
      const { body } = await search(key, query)
      assert(body.data.length > 0)
      for (const { e164, type } of body.data) {
        assert.match(e164, /^\+3130\d{7}$/)
        assert.equal(type, 'geographic')
      }
    }
  })
  test('is refused for geographic numbers without an area with 422 validation_failed', async () => {
    const { key } = await readyProject()
    const answer = await search(key, '?type=geographic')
    assert.deepEqual([answer.status, slugOfProblem(answer)], [422, 'validation_failed'])
    assert.deepEqual(answer.body.errors, [
      { path: '/area', message: 'is required for a geographic number' },
    ])
  })
  test('returns only numbers that can be ordered, also during concurrent searches', async () => {
    const several = await Promise.all(Array.from({ length: 4 }, () => readyProject()))
    const found = await Promise.all(several.map(({ key }) => search(key)))
    const numbers = found.flatMap(({ body }) => body.data.map(({ e164 }: { e164: string }) => e164))
    assert.equal(new Set(numbers).size, numbers.length, 'nothing is shown to two')
    const orders = found.map(({ body }, index) =>
      order(several[index]!.key, { e164: body.data[3].e164 }),
    )
    for (const { status } of await Promise.all(orders)) assert.equal(status, 201)
  })
  test('hides no number from an order, and extends no reservation if it is repeated', async () => {
    const { e164 } = (await search((await readyProject()).key, '?area=085')).body.data[0]
    const shown = await Promise.all(
      Array.from({ length: 6 }, async () => (await search((await readyProject()).key)).body.data),
    )
    assert(shown.flat().every((one: { e164: string }) => one.e164 !== e164))
    const [keeper, buyer] = [await readyProject(), await readyProject()]
    const kept = (await search(keeper.key, '?area=088')).body.data[0].e164
    runtime.passes('6 minutes')
    await search(keeper.key, '?area=088')
    runtime.passes('5 minutes')
    assert.equal((await order(buyer.key, { e164: kept })).status, 201)
    assert.equal((await order(buyer.key)).status, 201)
  })
  test('reserves nothing on the Free plan', async () => {
    const { project_id, key } = await bareProject()
    await fixture.change(project_id, { plan: 'free' })
    const { e164 } = (await search(key, '?area=088')).body.data[0]
    assert.equal((await order((await readyProject()).key, { e164 })).status, 201)
  })
  test('reserves its results for ten minutes', async () => {
    const [one, other] = [await readyProject(), await readyProject()]
    const { e164 } = (await search(one.key, '?area=088')).body.data[0]
    assert.deepEqual(await refused(other.key, { e164 }), [409, 'number_unavailable'])
    runtime.passes('11 minutes')
    assert.equal((await order(other.key, { e164 })).status, 201)
  })
  test('omits ordered numbers', async () => {
    const { key } = await readyProject()
    const { e164 } = (await order(key)).body
    const { body } = await search(key)
    assert(!body.data.some((one: { e164: string }) => one.e164 === e164))
  })
})

describe('modes', () => {
  test('with a live key, order a test number until the phone rail is live', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const { status, body } = await order(key)
    assert.deepEqual([status, body.test], [201, true])
    assert.match(body.e164, /^\+447700900\d{3}$/)
    const { body: found } = await runtime.call('GET /numbers/available', { key })
    assert(found.data.every((one: { test: boolean }) => one.test))
    await projects.setRail(runtime.runtime.db, { project_id, rail: 'phone', mode: 'live' })
    assert.deepEqual(await refused(key), [422, 'company_details_missing'])
  })
  test('with a test key, order a test number on a live project, without company details', async () => {
    const { project_id, key } = await bareProject()
    const test_key = await runtime.newKey({ project_id })
    const { status, body } = await order(test_key)
    assert.deepEqual([status, body.test], [201, true])
    assert.equal((await books(key)).balance, 0)
  })
  test('order live numbers with the live key of a pair, and test numbers with its test key', async () => {
    const pair = await runtime.newProject({ shape: 'pair' })
    const live_key = await runtime.newKey({ project_id: pair.live_project_id, mode: 'live' })
    const test_key = await runtime.newKey({ project_id: pair.test_project_id })
    assert.deepEqual(await refused(live_key), [422, 'company_details_missing'])
    assert.equal((await order(test_key)).body.test, true)
  })
  test('are refused with 403 key_mode_mismatch in the other project of a pair', async () => {
    const pair = await runtime.newProject({ shape: 'pair' })
    const wrong = await runtime.newKey({ project_id: pair.test_project_id, mode: 'live' })
    const other = await runtime.newKey({ project_id: pair.live_project_id, mode: 'test' })
    for (const key of [wrong, other]) {
      assert.deepEqual(await refused(key), [403, 'key_mode_mismatch'])
    }
  })
  test('with a test key, do not use up the limit of live numbers', async () => {
    const { project_id, key } = await readyProject()
    const test_key = await runtime.newKey({ project_id })
    for (let count = 0; count < 3; count++) assert.equal((await order(test_key)).status, 201)
    assert.equal((await order(key)).status, 201)
    assert.deepEqual(await refused(test_key), [422, 'test_number_limit_reached'])
  })
})
