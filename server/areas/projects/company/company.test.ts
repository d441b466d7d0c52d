/**
 * Tests of GET and PUT /project/company over HTTP: each rule of the specification, and invalid
 * bodies.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import * as projects from '../service.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

const address = {
  street: 'Molenstraat',
  house_number: '12',
  postal_code: '1012 AB',
  city: 'Amsterdam',
  country: 'NL',
}
const contact = { name: 'Anna de Vries', phone: '+31612345678' }
const dutch = {
  account_type: 'business',
  company_name: 'Bakery De Molen',
  kvk_number: '12345678',
  address,
  contact,
}
const { kvk_number: _kvk, ...withoutKvk } = dutch
const german = {
  ...withoutKvk,
  registration_number: 'HRB 12345',
  address: { ...address, country: 'DE' },
}
const personal = { account_type: 'personal', address, contact }

async function fresh() {
  const { project_id } = await runtime.newProject()
  return { project_id, key: await runtime.newKey({ project_id }) }
}

const put = (body: unknown, key?: string) =>
  runtime.call('PUT /project/company', { body, ...(key ? { key } : {}) })
const get = async (key: string) => (await runtime.call('GET /project/company', { key })).body
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)

async function saves(body: unknown): Promise<any> {
  const { key } = await fresh()
  const answer = await put(body, key)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await get(key), answer.body)
  return answer.body
}

/** Asserts that the body is refused with 422 and these paths, and changes nothing. */
async function refuses(body: unknown, paths: readonly string[]): Promise<Answer> {
  const { key } = await fresh()
  const before = await get(key)
  const answer = await put(body, key)
  assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
  const faults: { path: string; message: string }[] = answer.body.errors
  assert.deepEqual([...new Set(faults.map(({ path }) => path))].toSorted(), [...paths].toSorted())
  assert.deepEqual(await get(key), before)
  return answer
}

describe('the company', () => {
  test('has every field of the specification in its order, and lists missing details', async () => {
    assert.deepEqual(Object.keys(await saves(dutch)), [
      'account_type',
      'company_name',
      'kvk_number',
      'registration_number',
      'vat_number',
      'vat_status',
      'vat_checked_at',
      'address',
      'contact',
      'registrar_contact_name',
      'complete',
      'missing',
      'domain_contacts',
    ])
  })
  test('is a business with everything missing before the first PUT', async () => {
    const { key } = await fresh()
    assert.deepEqual(await get(key), {
      account_type: 'business',
      company_name: null,
      kvk_number: null,
      registration_number: null,
      vat_number: null,
      vat_status: 'not_required',
      vat_checked_at: null,
      address: null,
      contact: null,
      registrar_contact_name: null,
      complete: false,
      missing: ['company_name', 'registration_number', 'address', 'contact'],
      domain_contacts: {},
    })
  })
  test('has no domain_contacts without domains', async () => {
    assert.deepEqual((await saves(dutch)).domain_contacts, {})
  })
  test('is separate for each project', async () => {
    const [one, other] = [await fresh(), await fresh()]
    await put(dutch, one.key)
    assert.equal((await get(other.key)).company_name, null)
  })
})

describe('PUT replaces the whole company', () => {
  test('PUT sets omitted fields to null', async () => {
    const { key } = await fresh()
    await put(dutch, key)
    const { body } = await put({ account_type: 'business' }, key)
    assert.deepEqual(
      [body.company_name, body.kvk_number, body.address, body.contact],
      [null, null, null, null],
    )
  })
  test('treats null and omitted fields alike', async () => {
    const nulls = { company_name: null, kvk_number: null, address: null, contact: null }
    const left_out = await saves({ account_type: 'business' })
    assert.deepEqual(await saves({ account_type: 'business', ...nulls }), left_out)
  })
  test('keeps the saved registrar_contact_name if it is omitted', async () => {
    const { key } = await fresh()
    await put({ ...dutch, registrar_contact_name: 'Bram Bakker' }, key)
    assert.equal((await put(dutch, key)).body.registrar_contact_name, 'Bram Bakker')
    const cleared = await put({ ...dutch, registrar_contact_name: null }, key)
    assert.equal(cleared.body.registrar_contact_name, null)
  })
  test('requires account_type', async () => {
    const { account_type: _type, ...rest } = dutch
    const answer = await put(rest, (await fresh()).key)
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
  })
  test('accepts the body of GET unchanged', async () => {
    const { key } = await fresh()
    await put({ ...dutch, registrar_contact_name: 'Bram Bakker' }, key)
    const read = await get(key)
    assert.deepEqual((await put(read, key)).body, read)
  })
  test('ignores read-only fields of any value', async () => {
    const saved = await saves({
      ...dutch,
      vat_status: 'valid',
      vat_checked_at: 5,
      complete: false,
      missing: 'all',
      domain_contacts: null,
    })
    assert.deepEqual([saved.vat_status, saved.complete, saved.missing], ['not_required', true, []])
  })
  test('refuses unknown members', async () => {
    await refuses({ ...dutch, kvk: '12345678' }, ['/kvk'])
    await refuses({ ...dutch, address: { ...address, province: 'NH' } }, ['/address/province'])
    await refuses({ ...dutch, contact: { ...contact, email: 'a@b.example' } }, ['/contact/email'])
  })
  test('trims texts and capitalises the country', async () => {
    const saved = await saves({
      ...dutch,
      company_name: '  Bakery De Molen ',
      address: { ...address, street: ' Molenstraat', country: 'nl' },
      contact: { ...contact, name: 'Anna de Vries ' },
      registrar_contact_name: ' Bram Bakker ',
    })
    assert.deepEqual(
      [saved.company_name, saved.address, saved.contact, saved.registrar_contact_name],
      ['Bakery De Molen', address, contact, 'Bram Bakker'],
    )
  })
  test('keeps exactly one body of concurrent PUTs', async () => {
    const { key } = await fresh()
    const bodies = Array.from({ length: 8 }, (_, index) => ({
      ...dutch,
      company_name: `Company ${index}`,
      kvk_number: `1234567${index}`,
    }))
    const answers = await Promise.all(bodies.map((body) => put(body, key)))
    assert.ok(answers.every(({ status }) => status === 200))
    const saved = await get(key)
    assert.equal(`Company ${saved.kvk_number.at(-1)}`, saved.company_name)
  })
  test('needs project:write to write and project:read to read', async () => {
    const reads = await runtime.newKey({ scopes: ['project:read'] })
    assert.equal((await put(dutch, reads)).status, 403)
    assert.equal((await runtime.call('GET /project/company', { key: reads })).status, 200)
    const writes = await runtime.newKey({ scopes: ['project:write'] })
    assert.equal((await runtime.call('GET /project/company', { key: writes })).status, 403)
  })
  test('replies 401 project_deleted to a key of a deleted project', async () => {
    const { project_id, key } = await fresh()
    await projects.remove(runtime.runtime, project_id)
    const answer = await put(dutch, key)
    assert.deepEqual([answer.status, slugOf(answer)], [401, 'project_deleted'])
  })
})

describe('the missing details', () => {
  const rules: [what: string, body: Record<string, unknown>, missing: string[]][] = [
    ['a Dutch business with everything', dutch, []],
    ['a German business with everything', german, []],
    ['a Dutch business without its register number', withoutKvk, ['kvk_number']],
    [
      'a German business without its register number',
      { ...german, registration_number: null },
      ['registration_number'],
    ],
    ['a business without its name', { ...dutch, company_name: null }, ['company_name']],
    ['a business without an address', { ...dutch, address: null }, ['address']],
    ['a business without a contact', { ...dutch, contact: null }, ['contact']],
    [
      'a business of which nothing is known',
      { account_type: 'business' },
      ['company_name', 'registration_number', 'address', 'contact'],
    ],
    ['a person with address and contact', personal, []],
    ['a person without an address', { ...personal, address: null }, ['address']],
    ['a person of whom nothing is known', { account_type: 'personal' }, ['address', 'contact']],
  ]
  for (const [what, body, missing] of rules) {
    test(`are ${missing.join(', ') || 'empty'} for ${what}`, async () => {
      const { project_id, key } = await fresh()
      const answer = await put(body, key)
      assert.deepEqual([answer.body.missing, answer.body.complete], [missing, missing.length === 0])
      const project = await projects.find(db, project_id)
      assert.ok(project)
      assert.deepEqual(await projects.listMissingCompanyDetails(db, project), missing)
    })
  }
})

describe('invalid company details', () => {
  const long = 'x'.repeat(201)
  const cases: [what: string, change: Record<string, unknown>, path: string][] = [
    ['account_type of another kind', { account_type: 'foundation' }, '/account_type'],
    ['account_type null', { account_type: null }, '/account_type'],
    ['company_name that is a number', { company_name: 5 }, '/company_name'],
    ['company_name that is empty', { company_name: '' }, '/company_name'],
    ['company_name that cannot be seen', { company_name: '\u200b' }, '/company_name'],
    ['company_name of a filler', { company_name: '\u3164' }, '/company_name'],
    ['company_name that turns the text', { company_name: 'a\u202eb' }, '/company_name'],
    ['company_name that is blank', { company_name: '  ' }, '/company_name'],
    ['company_name that is too long', { company_name: long }, '/company_name'],
    ['company_name of two lines', { company_name: 'A\nB' }, '/company_name'],
    ['company_name with a control character', { company_name: 'A\u0007B' }, '/company_name'],
    ['company_name with a line separator', { company_name: 'A\u2028B' }, '/company_name'],
    ['company_name with a zero character', { company_name: 'A\u0000B' }, '/company_name'],
    ['kvk_number of seven digits', { kvk_number: '1234567' }, '/kvk_number'],
    ['kvk_number of nine digits', { kvk_number: '123456789' }, '/kvk_number'],
    ['kvk_number with a letter', { kvk_number: '1234567a' }, '/kvk_number'],
    ['kvk_number as a number', { kvk_number: 12345678 }, '/kvk_number'],
    ['kvk_number in other digits', { kvk_number: '١٢٣٤٥٦٧٨' }, '/kvk_number'],
    ['vat_number that is empty', { vat_number: '' }, '/vat_number'],
    ['vat_number that is too long', { vat_number: 'NL'.repeat(21) }, '/vat_number'],
    ['vat_number with a control character', { vat_number: 'NL\u0007123' }, '/vat_number'],
    ['address that is a text', { address: 'Molenstraat 12' }, '/address'],
    ['contact that is a list', { contact: [] }, '/contact'],
    ['registrar_contact_name, blank', { registrar_contact_name: ' ' }, '/registrar_contact_name'],
    ['registrar_contact_name, long', { registrar_contact_name: long }, '/registrar_contact_name'],
  ]
  for (const [what, change, path] of cases)
    test(what, async () => void (await refuses({ ...dutch, ...change }, [path])))

  const inAddress: [what: string, change: Record<string, unknown>, path: string][] = [
    ['street missing', { street: undefined }, '/address/street'],
    ['street null', { street: null }, '/address/street'],
    ['street blank', { street: ' ' }, '/address/street'],
    ['street too long', { street: long }, '/address/street'],
    ['house_number missing', { house_number: undefined }, '/address/house_number'],
    ['house_number as a number', { house_number: 12 }, '/address/house_number'],
    ['house_number too long', { house_number: '1'.repeat(21) }, '/address/house_number'],
    ['postal_code missing', { postal_code: undefined }, '/address/postal_code'],
    ['postal_code of two lines', { postal_code: '1012\nAB' }, '/address/postal_code'],
    ['city missing', { city: undefined }, '/address/city'],
    ['city too long', { city: 'x'.repeat(101) }, '/address/city'],
    ['country missing', { country: undefined }, '/address/country'],
    ['Kosovo, whose code is none of ISO 3166-1', { country: 'XK' }, '/address/country'],
    ['country of three letters', { country: 'NLD' }, '/address/country'],
    ['country by its name', { country: 'Netherlands' }, '/address/country'],
    ['unassigned country code', { country: 'ZZ' }, '/address/country'],
    ['the EU, which is no country', { country: 'EU' }, '/address/country'],
    ['UK, which is written GB', { country: 'UK' }, '/address/country'],
    ['country as digits', { country: '52' }, '/address/country'],
  ]
  for (const [what, change, path] of inAddress) {
    test(`refuses an address with ${what}`, async () => {
      const body = { ...withoutKvk, address: { ...address, ...change } }
      await refuses(body, [path])
    })
  }

  const phones: [what: string, phone: unknown][] = [
    ['missing', undefined],
    ['without a country', '0612345678'],
    ['with blanks', '+31 6 12345678'],
    ['that is too short', '+3161'],
    ['too long for its country', '+31612345678901'],
    ['with the zero of the country', '+310612345678'],
    ['as a number', 31612345678],
    ['that is a word', 'none'],
  ]
  for (const [what, phone] of phones) {
    test(`refuses a contact whose phone ${what}`, async () => {
      await refuses({ ...dutch, contact: { ...contact, phone } }, ['/contact/phone'])
    })
  }
  test('refuses a contact without a name', async () => {
    await refuses({ ...dutch, contact: { phone: contact.phone } }, ['/contact/name'])
  })
  test('accepts a contact phone of the test range', async () => {
    const saved = await saves({ ...dutch, contact: { ...contact, phone: '+447700900123' } })
    assert.equal(saved.contact.phone, '+447700900123')
  })
  test('refuses a valid phone in another format and names the right one', async () => {
    const body = { ...dutch, contact: { ...contact, phone: '+310612345678' } }
    const answer = await refuses(body, ['/contact/phone'])
    assert.match(answer.text, /\+31612345678/)
  })
  test('reports every error at once', async () => {
    const body = {
      ...dutch,
      company_name: ' ',
      address: { ...address, city: ' ', country: 'ZZ' },
      contact: { name: ' ', phone: '+31612345678901' },
    }
    const paths = ['/company_name', '/address/city', '/address/country', '/contact/name']
    await refuses(body, [...paths, '/contact/phone', '/kvk_number'])
  })
})

describe('the register number', () => {
  test('must be kvk_number for a business in the Netherlands', async () => {
    const body = { ...withoutKvk, registration_number: '12345678' }
    const answer = await refuses(body, ['/registration_number'])
    assert.match(answer.body.detail, /kvk_number/)
  })
  test('must be registration_number for a business elsewhere', async () => {
    const answer = await refuses({ ...german, kvk_number: '12345678' }, ['/kvk_number'])
    assert.match(answer.body.detail, /registration_number/)
  })
  const fine = ['HRB 12345', '0202.239.951', 'FN 12345-a', 'SC123456', '12/345/6789', '7']
  for (const number of [...fine, 'Amtsgericht Köln, HRB 1', 'ΗΡΒ1'])
    test(`may be ${number} elsewhere`, async () => {
      const saved = await saves({ ...german, registration_number: number })
      assert.equal(saved.registration_number, number)
    })
  for (const number of ['', ' ', ' - ', 'x'.repeat(61), 'HRB\n1', 12345])
    test(`may not be ${JSON.stringify(number)} elsewhere`, async () => {
      await refuses({ ...german, registration_number: number }, ['/registration_number'])
    })
  test('may be only one of the two, also without an address', async () => {
    const both = { kvk_number: '12345678', registration_number: 'HRB 1' }
    await refuses({ account_type: 'business', ...both }, ['/registration_number'])
  })
  test('may be saved without an address', async () => {
    const saved = await saves({ account_type: 'business', kvk_number: '12345678' })
    assert.deepEqual(saved.missing, ['company_name', 'address', 'contact'])
  })
  test('is accepted and not required for a personal account', async () => {
    assert.equal((await saves({ ...personal, registration_number: 'A1' })).complete, true)
  })
})

describe('the country of a company address', () => {
  for (const country of ['RU', 'BY', 'KP', 'IR', 'SY', 'CU', 'ru']) {
    test(`refuses ${country} with 422 country_not_supported, and saves nothing`, async () => {
      const { key } = await fresh()
      await put(german, key)
      const answer = await put({ ...dutch, address: { ...address, country } }, key)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'country_not_supported'])
      assert.equal((await get(key)).address.country, 'DE')
    })
  }
  for (const country of ['NL', 'DE', 'US', 'GB', 'JP', 'UA', 'BR', 'fr', 'Be'])
    test(`accepts ${country}`, async () => {
      const body = { ...withoutKvk, address: { ...address, country } }
      assert.equal((await saves(body)).address.country, country.toUpperCase())
    })
})

describe('a change of account_type', () => {
  const approved = async () => {
    const made = await fresh()
    for (const level of projects.approvedLevels) {
      const { project_id } = made
      await projects.setVerification(db, { project_id, level, status: 'approved' })
    }
    return made
  }
  const statuses = async (key: string) => {
    const { verification } = (await runtime.call('GET /project', { key })).body
    const levels: { level: string; status: string }[] = verification.levels
    const approvedLevels = levels.filter(({ status }) => status === 'approved')
    return [verification.account_type, ...approvedLevels.map(({ level }) => level)]
  }

  test('resets number_documents and full, but not company, in both directions', async () => {
    const { project_id, key } = await approved()
    await put(personal, key)
    assert.deepEqual(await statuses(key), ['personal', 'test', 'company'])
    for (const level of ['number_documents', 'full'] as const)
      await projects.setVerification(db, { project_id, level, status: 'approved' })
    await put(dutch, key)
    assert.deepEqual(await statuses(key), ['business', 'test', 'company'])
  })
  test('lowers a spending cap above 500 euro, which needs the level full', async () => {
    const capOf = async (key: string) =>
      (await runtime.call('GET /project', { key })).body.spending_limit_eur
    const { project_id, key } = await approved()
    await projects.change(db, project_id, { spending_limit_micro: 5_000_000_000n })
    await put(dutch, key)
    assert.equal(await capOf(key), 5000)
    await put(personal, key)
    assert.equal(await capOf(key), 500)
    await assert.rejects(
      projects.change(db, project_id, { spending_limit_micro: 501_000_000n }),
      projects.SpendingCapTooHigh,
    )
    const open = await approved()
    await put(personal, open.key)
    assert.equal(await capOf(open.key), null, 'no cap stays none')
  })
  test('keeps every level if the type is the same', async () => {
    const { key } = await approved()
    await put(dutch, key)
    await put({ ...dutch, company_name: 'Another name' }, key)
    const all = ['business', 'test', 'company', 'number_documents', 'full']
    assert.deepEqual(await statuses(key), all)
  })
  test('resets nothing if the details are invalid', async () => {
    const { key } = await approved()
    await put({ ...personal, contact: { ...contact, phone: '+31612345678901' } }, key)
    await put({ ...personal, address: { ...address, country: 'RU' } }, key)
    await put({ ...personal, vat_number: 'NL000000000B00' }, key)
    const all = ['business', 'test', 'company', 'number_documents', 'full']
    assert.deepEqual(await statuses(key), all)
  })

  const number = (project_id: string, type: 'national' | 'geographic', by: 1 | -1) =>
    db.transact((tx) => projects.updateNumbersCount(tx, { project_id, type, by }))

  test('to personal is refused with a national number, and changes nothing', async () => {
    const { project_id, key } = await approved()
    await put(dutch, key)
    await number(project_id, 'national', 1)
    const answer = await put({ ...personal, registrar_contact_name: 'Other' }, key)
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'account_type_change_blocked'])
    const all = ['business', 'test', 'company', 'number_documents', 'full']
    assert.deepEqual(await statuses(key), all)
    const { company_name, registrar_contact_name } = await get(key)
    assert.deepEqual([company_name, registrar_contact_name], ['Bakery De Molen', null])
  })
  test('to personal succeeds after the national number is released', async () => {
    const { project_id, key } = await fresh()
    await number(project_id, 'national', 1)
    assert.equal((await put(personal, key)).status, 422)
    await number(project_id, 'national', -1)
    assert.equal((await put(personal, key)).status, 200)
  })
  test('to personal is refused during the order of a national number', async () => {
    const { project_id, key } = await fresh()
    const order = (by: 1 | -1) =>
      db.transact((tx) => projects.updateOrdersCount(tx, { project_id, type: 'national', by }))
    await order(1)
    const answer = await put(personal, key)
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'account_type_change_blocked'])
    await order(-1)
    assert.equal((await put(personal, key)).status, 200)
  })
  test('to personal succeeds with geographic numbers, owned or ordered', async () => {
    const { project_id, key } = await fresh()
    await number(project_id, 'geographic', 1)
    await db.transact((tx) =>
      projects.updateOrdersCount(tx, { project_id, type: 'geographic', by: 1 }),
    )
    assert.equal((await put(personal, key)).status, 200)
    assert.equal((await runtime.call('GET /project', { key })).body.numbers_count, 1)
  })
  test('to personal is refused with a national test number until its release', async () => {
    const { key } = await fresh()
    const headers = { 'idempotency-key': 'a-test-number' }
    const ordered = await runtime.call('POST /numbers', { key, body: {}, headers })
    assert.equal(ordered.body.type, 'national', ordered.text)
    assert.equal((await put(personal, key)).status, 422)
    await runtime.call(`DELETE /numbers/${ordered.body.id}`, { key })
    assert.equal((await put(personal, key)).status, 200)
  })

  /** Waits until a transaction waits for a lock. */
  async function untilLockWait(): Promise<void> {
    for (;;) {
      const waiting = await db
        .selectFrom('pg_stat_activity' as 'projects')
        .select((row) => row.fn.countAll<bigint>().as('count'))
        .where('wait_event_type' as 'name', '=', 'Lock')
        .executeTakeFirstOrThrow()
      if (waiting.count > 0n) return
    }
  }

  test('waits for a concurrent order, and then sees its number', async () => {
    const { project_id, key } = await fresh()
    const switching = await db.transact(async (tx) => {
      await projects.findLocked(tx, project_id)
      const answer = put(personal, key)
      await untilLockWait()
      await projects.updateNumbersCount(tx, { project_id, type: 'national', by: 1 })
      return { answer }
    })
    assert.equal((await switching.answer).status, 422)
    assert.deepEqual((await statuses(key))[0], 'business')
  })
  test('makes a concurrent order see the personal account', async () => {
    const { project_id, key } = await fresh()
    const [answer, found] = await Promise.all([
      put(personal, key),
      db.transact(async (tx) => {
        const project = await projects.findLocked(tx, project_id)
        if (project?.account_type === 'business')
          await projects.updateNumbersCount(tx, { project_id, type: 'national', by: 1 })
        return project?.account_type
      }),
    ])
    // Either may be first, but only one of them succeeds.
    assert.equal(answer.status, found === 'business' ? 422 : 200)
  })
})

describe('findLocked', () => {
  test('returns undefined for deleted and unknown projects', async () => {
    const { project_id } = await fresh()
    const found = () => db.transact((tx) => projects.findLocked(tx, project_id))
    assert.equal((await found())?.id, project_id)
    await projects.remove(runtime.runtime, project_id)
    assert.equal(await found(), undefined)
  })
})
