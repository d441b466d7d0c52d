/**
 * Tests of VAT numbers: checked before saving, saved as unverified if VIES does not answer, and
 * checked again until it does.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { withShortTimeout } from '../../../../test/fixtures/external/impatience.ts'
import { openViesServer } from '../../../../test/fixtures/external/vies-server.ts'
import * as projects from '../service.ts'

// The first import of the check-digit rules is slow on a busy machine.
await import('stdnum')

const address = {
  street: 'Molenstraat',
  house_number: '12',
  postal_code: '1012 AB',
  city: 'Amsterdam',
  country: 'NL',
}
const details = { account_type: 'business', company_name: 'Bakery De Molen', address }
const abroad = (country: string) => ({ ...details, address: { ...address, country } })
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)

describe('the check of a VAT number with the default answers of the VIES simulator', async () => {
  const runtime = await openTestRuntime({ work: false, clock: standingClock() })
  const fresh = async () => runtime.newKey({ project_id: (await runtime.newProject()).project_id })
  const put = (body: unknown, key: string) => runtime.call('PUT /project/company', { body, key })
  const get = async (key: string) => (await runtime.call('GET /project/company', { key })).body

  const saved: [what: string, body: object, number: string | null, status: string][] = [
    ['no number', details, null, 'not_required'],
    ['a good number', { ...details, vat_number: 'NL123456782B90' }, 'NL123456782B90', 'valid'],
    [
      'a number as people write it',
      { ...details, vat_number: ' nl 1234.56.782.b90 ' },
      'NL123456782B90',
      'valid',
    ],
    [
      'of another country of the EU',
      { ...details, vat_number: 'DE136695976' },
      'DE136695976',
      'valid',
    ],
    ['of Greece', { ...abroad('GR'), vat_number: 'GR094259216' }, 'EL094259216', 'valid'],
    ['of Northern Ireland', { ...abroad('GB'), vat_number: 'XI980780684' }, 'XI980780684', 'valid'],
    ['of Great Britain', { ...abroad('GB'), vat_number: 'GB 123' }, 'GB123', 'not_required'],
    [
      'of Switzerland',
      { ...abroad('CH'), vat_number: 'CHE-116.281.710 MWST' },
      'CHE116281710MWST',
      'not_required',
    ],
    [
      'of the EU, with an address outside',
      { ...abroad('US'), vat_number: 'NL000000000B00' },
      'NL000000000B00',
      'not_required',
    ],
    [
      'of the EU, before there is an address',
      { account_type: 'business', vat_number: 'DE136695976' },
      'DE136695976',
      'valid',
    ],
    [
      'of a person',
      { account_type: 'personal', address, vat_number: 'NL123456782B90' },
      'NL123456782B90',
      'valid',
    ],
  ]
  for (const [what, body, number, status] of saved) {
    test(`replies ${status} for ${what}`, async () => {
      const answer = await put(body, await fresh())
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual([answer.body.vat_number, answer.body.vat_status], [number, status])
      const checked_at = status === 'valid' ? runtime.clock.now().toISOString() : null
      assert.equal(answer.body.vat_checked_at, checked_at)
    })
  }

  const refused: [what: string, number: string][] = [
    ['zeros', 'NL000000000B00'],
    ['a wrong check digit', 'NL123456789B01'],
    ['no letters of a country', '123456782B90'],
    ['letters of a country outside the EU', 'US123456789'],
    ['a digit too few', 'DE12345678'],
    ['a digit too many', 'DE1366959760'],
    ['a word', 'none'],
    ['only blanks and dots', ' . '],
    ['other digits', 'DE١٣٦٦٩٥٩٧٦'],
    ['an ending of silence, but no shape of its country', 'DE9999'],
  ]
  for (const [what, vat_number] of refused) {
    test(`replies 422 vat_number_invalid for ${what}, and saves nothing`, async () => {
      const key = await fresh()
      await put(details, key)
      const before = await get(key)
      const answer = await put({ ...details, company_name: 'New', vat_number }, key)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'vat_number_invalid'], answer.text)
      assert.deepEqual(await get(key), before)
    })
  }
  test('rejects a VAT number of zeros because VIES does not know it, not because of its format', async () => {
    const answer = await put({ ...details, vat_number: 'NL000000000B00' }, await fresh())
    assert.match(answer.body.detail, /EU VAT validation service/)
  })
  test('checks VAT numbers of live keys and test keys alike', async () => {
    const live = await runtime.newKey({ mode: 'live' })
    const answer = await put({ ...details, vat_number: 'NL000000000B00' }, live)
    assert.equal(slugOf(answer), 'vat_number_invalid')
  })
  test('saves the number as unverified when the configured timeout is over', async () => {
    const numbers = ['DE123459999', 'NL123459999B01']
    const keys = await Promise.all(numbers.map(fresh))
    const answers = await withShortTimeout(runtime.runtime, 'vat', () =>
      Promise.all(numbers.map((vat_number, at) => put({ ...details, vat_number }, keys[at]!))),
    )
    for (const [at, { status, body, text }] of answers.entries()) {
      assert.equal(status, 200, text)
      const { vat_number, vat_status, vat_checked_at } = body
      assert.deepEqual([vat_number, vat_status, vat_checked_at], [numbers[at], 'unverified', null])
    }
  })
})

describe('the VAT check while the answers of VIES change', async () => {
  const vies = await openViesServer()
  const runtime = await openTestRuntime({
    settings: { HOMEPORT_VAT: 'vies', HOMEPORT_VAT_URL: vies.url },
    clock: standingClock(),
  })
  const { db } = runtime.runtime
  const GOOD = 'NL123456782B90'
  const OTHER = 'DE136695976'

  async function fresh() {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id })
    const put = (vat_number: string | null, more: object = {}) =>
      runtime.call('PUT /project/company', { key, body: { ...details, vat_number, ...more } })
    const get = async () => (await runtime.call('GET /project/company', { key })).body
    const jobs = () =>
      db
        .selectFrom('jobs')
        .select(['state', 'payload'])
        .where('project_id', '=', project_id)
        .where('kind', '=', 'company.check_vat_number')
        .execute()
    return { project_id, key, put, get, jobs }
  }

  /** Saves a number while VIES does not answer, which enqueues the recheck. */
  async function unverified(vat_number = GOOD) {
    const company = await fresh()
    vies.answers('drop')
    const answer = await company.put(vat_number)
    assert.equal(answer.body.vat_status, 'unverified', answer.text)
    assert.deepEqual((await company.jobs()).length, 1)
    return company
  }

  const isDone = async (company: Awaited<ReturnType<typeof fresh>>) =>
    eventually(async () => (await company.jobs()).length === 0)

  test('does not check a valid, unchanged number again', async () => {
    const { put } = await fresh()
    vies.answers({ verdict: true })
    const first = (await put(GOOD)).body
    runtime.passes('1 hour')
    vies.answers({ verdict: false })
    const asked = vies.asked.length
    const again = (await put('nl 123456782 b90', { company_name: 'New name' })).body
    assert.equal(vies.asked.length, asked)
    assert.deepEqual(
      [again.company_name, again.vat_status, again.vat_checked_at],
      ['New name', 'valid', first.vat_checked_at],
    )
  })
  test('checks a changed number', async () => {
    const { put, get } = await fresh()
    vies.answers({ verdict: true })
    await put(GOOD)
    vies.answers({ verdict: false })
    assert.equal(slugOf(await put(OTHER)), 'vat_number_invalid')
    assert.equal((await get()).vat_number, GOOD)
  })
  test('checks a number again after the company moved out of the EU and back', async () => {
    const { put } = await fresh()
    vies.answers({ verdict: true })
    await put(GOOD)
    const outside = await put(GOOD, abroad('US'))
    assert.deepEqual([outside.body.vat_status, outside.body.vat_checked_at], ['not_required', null])
    vies.answers({ verdict: false })
    assert.equal(slugOf(await put(GOOD)), 'vat_number_invalid')
  })
  test('stops rechecking after a PUT that gets an answer', async () => {
    const company = await unverified()
    vies.answers({ verdict: true })
    assert.equal((await company.put(GOOD)).body.vat_status, 'valid')
    const asked = vies.asked.length
    runtime.passes('1 hour')
    await isDone(company)
    assert.equal(vies.asked.length, asked)
  })

  test('rechecks an unverified number after a minute and saves the answer', async () => {
    const company = await unverified()
    vies.answers({ verdict: true })
    runtime.passes('61 seconds')
    await isDone(company)
    const { vat_status, vat_checked_at } = await company.get()
    assert.equal(vat_status, 'valid')
    assert.equal(vat_checked_at, runtime.clock.now().toISOString())
  })
  test('saves a late answer "invalid" as the status', async () => {
    const company = await unverified()
    vies.answers({ verdict: false })
    runtime.passes('61 seconds')
    await isDone(company)
    const { vat_number, vat_status, vat_checked_at } = await company.get()
    assert.deepEqual([vat_number, vat_status], [GOOD, 'invalid'])
    assert.ok(vat_checked_at)
  })
  test('refuses the next PUT of a number that VIES reported as invalid', async () => {
    const company = await unverified()
    vies.answers({ verdict: false })
    runtime.passes('61 seconds')
    await isDone(company)
    assert.equal(slugOf(await company.put(GOOD)), 'vat_number_invalid')
    assert.equal((await company.put(null)).body.vat_status, 'not_required')
  })
  test('repeats the check after pauses that grow to a day, without end, by one job at a time', async () => {
    const company = await unverified()
    const vain = () => vies.asked.length
    const pauses = ['1 minute', '5 minutes', '30 minutes', '2 hours', '6 hours', '1 day']
    for (const pause of [...pauses, '1 day', '1 day', '1 day']) {
      const asked = vain()
      const heard = vies.nextQuestion()
      runtime.passes(pause)
      await heard
      assert.equal(vain(), asked + 1)
      await eventually(async () => (await company.jobs()).every(({ state }) => state === 'waiting'))
    }
    const [job] = await company.jobs()
    assert.deepEqual(job?.payload, { vat_number: GOOD, asked: 10 })
    assert.equal((await company.get()).vat_status, 'unverified')
    vies.answers({ verdict: true })
    runtime.passes('1 day')
    await isDone(company)
    assert.equal((await company.get()).vat_status, 'valid')
  })
  test('discards an answer about a replaced number', async () => {
    const company = await unverified()
    vies.answers({ verdict: true })
    await company.put(OTHER)
    vies.answers({ verdict: false })
    runtime.passes('61 seconds')
    await isDone(company)
    const { vat_number, vat_status } = await company.get()
    assert.deepEqual([vat_number, vat_status], [OTHER, 'valid'])
  })
  test('discards an answer if the number is replaced during the request to VIES', async () => {
    const company = await unverified()
    vies.answers('hang')
    const heard = vies.nextQuestion()
    runtime.passes('61 seconds')
    await heard
    vies.answers({ verdict: true })
    const answer = await company.put(OTHER)
    assert.equal(answer.body.vat_status, 'valid')
    vies.hangUp()
    await eventually(async () => (await company.jobs()).every(({ state }) => state === 'waiting'))
    assert.deepEqual((await company.get()).vat_number, OTHER)
    runtime.passes('1 hour')
    await isDone(company)
    assert.deepEqual((await company.get()).vat_status, 'valid')
  })
  test('keeps one job for repeated PUTs without an answer', async () => {
    const company = await unverified()
    await Promise.all([1, 2, 3, 4].map(() => company.put(GOOD)))
    assert.equal((await company.jobs()).length, 1)
    // Other tests count requests to VIES, so no recheck may be left.
    await company.put(null)
    runtime.passes('61 seconds')
    await isDone(company)
  })
  test('enqueues a separate recheck for each unverified number', async () => {
    const company = await unverified()
    await company.put(OTHER)
    assert.equal((await company.jobs()).length, 2)
    vies.answers({ verdict: true })
    runtime.passes('61 seconds')
    await isDone(company)
    const { vat_number, vat_status } = await company.get()
    assert.deepEqual([vat_number, vat_status], [OTHER, 'valid'])
  })
  test('stops rechecking for a deleted project', async () => {
    const company = await unverified()
    await projects.remove(runtime.runtime, company.project_id)
    const asked = vies.asked.length
    runtime.passes('61 seconds')
    await isDone(company)
    assert.equal(vies.asked.length, asked)
  })
  test('holds no lock during the request to VIES', async () => {
    const company = await fresh()
    vies.answers('hang')
    const heard = vies.nextQuestion()
    const slow = company.put(GOOD)
    await heard
    const locked = await db.transact((tx) => projects.findLocked(tx, company.project_id))
    assert.equal(locked?.id, company.project_id)
    assert.equal((await company.put(null)).body.vat_number, null)
    vies.hangUp()
    assert.equal((await slow).body.vat_status, 'unverified')
  })
})
