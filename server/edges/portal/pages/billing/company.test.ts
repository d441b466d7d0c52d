/** Tests of the company page: saved fields, and faults beside their fields. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { newTeam, type TestTeam } from '../../../../../test/fixtures/portal/sessions.ts'

const fixture = await openTestRuntime({ work: false })
const pageOf = ({ project_id }: TestTeam) => `/portal/projects/${project_id}/company`
const faultsOf = (text: string) =>
  [...(/role="alert">([^]*?)<\/div>/.exec(text)?.[1] ?? '').matchAll(/<p>([^<]*)</g)].map(
    ([, fault]) => fault,
  )

const form = {
  account_type: 'business',
  company_name: 'Bakkerij De Molen',
  register_number: '12345678',
  vat_number: '',
  street: 'Molenweg',
  house_number: '12',
  postal_code: '1011 AB',
  city: 'Amsterdam',
  country: 'nl',
  name: 'Anna de Vries',
  phone: '+31 6 1234 5678',
}

const companyOf = async ({ owner, project_id }: TestTeam) =>
  (await owner.call(`GET /projects/${project_id}/project/company`)).body

describe('the company page', () => {
  test('saves the entered fields and shows fewer open ones', async () => {
    const team = await newTeam(fixture)
    const { visitor } = team.admin
    assert.match((await visitor.get(pageOf(team))).text, /Still missing: company name, /)
    const saved = await visitor.post(pageOf(team), form)
    assert.equal(saved.to, `${pageOf(team)}?done=saved`, saved.text)
    const company = await companyOf(team)
    assert.deepEqual(
      [company.complete, company.kvk_number, company.address.country, company.contact.phone],
      [true, '12345678', 'NL', '+31612345678'],
    )
    const { text } = await visitor.get(saved.to ?? '')
    assert.match(text, /The company is saved/)
    assert.match(text, /value="Bakkerij De Molen"/)
    const goLive = await visitor.get(`/portal/projects/${team.project_id}/go-live`)
    assert.ok(!goLive.text.includes('Fill in the company'))
  })

  test('is linked from the go-live page', async () => {
    const team = await newTeam(fixture)
    const { text } = await team.viewer.visitor.get(`/portal/projects/${team.project_id}/go-live`)
    assert.ok(text.includes(`href="${pageOf(team)}"`))
  })

  test('names the company register of the country', async () => {
    const team = await newTeam(fixture)
    await team.owner.visitor.post(pageOf(team), {
      ...form,
      country: 'DE',
      register_number: 'HRB 1',
    })
    const { kvk_number, registration_number } = await companyOf(team)
    assert.deepEqual([kvk_number, registration_number], [null, 'HRB 1'])
  })

  test('accepts a person with address and contact, and incomplete data', async () => {
    const team = await newTeam(fixture)
    const person = { ...form, account_type: 'personal', company_name: '', register_number: '' }
    await team.owner.visitor.post(pageOf(team), person)
    assert.equal((await companyOf(team)).complete, true)
    const less = { account_type: 'business', company_name: 'Molen' }
    const saved = await team.owner.visitor.post(pageOf(team), less)
    assert.equal(saved.to, `${pageOf(team)}?done=saved`)
    const { address, missing } = await companyOf(team)
    assert.equal(address, null)
    assert.ok(missing.includes('address'))
  })

  test('shows faults beside their fields and keeps the input', async () => {
    const team = await newTeam(fixture)
    const faults = [
      [{ ...form, street: '' }, /^Street /],
      [{ ...form, phone: '0612' }, /^Phone number .* begin with the country code, such as \+31/],
      [{ ...form, country: 'XX' }, /^Country, /],
      [{ ...form, register_number: '12' }, /^Number in the business register /],
      [{ ...form, account_type: 'alien' }, /^This form /],
      [{ ...form, country: 'RU', register_number: '1' }, /./],
      [{ ...form, vat_number: 'NL1' }, /^VAT number does not look/],
    ] as const
    for (const [wrong, sentence] of faults) {
      const { status, text } = await team.owner.visitor.post(pageOf(team), wrong)
      assert.equal(status, 422, JSON.stringify(wrong))
      assert.match(faultsOf(text)[0] ?? '', sentence)
      assert.match(text, /value="Bakkerij De Molen"/)
    }
    assert.equal((await companyOf(team)).company_name, null)
  })

  test('escapes the input', async () => {
    const team = await newTeam(fixture)
    const company_name = '"><script>alert(1)</script>'
    const { text } = await team.owner.visitor.post(pageOf(team), {
      ...form,
      company_name,
      phone: '',
    })
    assert.ok(!text.includes('<script>alert'), text)
  })

  test('can be edited by admins from portal pages, and viewed by the team', async () => {
    const team = await newTeam(fixture)
    assert.equal((await team.member.visitor.post(pageOf(team), form)).status, 403)
    assert.match(
      (await team.viewer.visitor.get(pageOf(team))).text,
      /Owners and admins can edit the company/,
    )
    assert.equal((await team.limited.visitor.get(pageOf(team))).status, 403)
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    assert.equal((await team.owner.visitor.post(pageOf(team), form, elsewhere)).status, 403)
    assert.equal((await companyOf(team)).company_name, null)
  })
})
