/** Tests of phone codes: sending, confirming, guessing and limits, through the portal's API. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { verificationFixture, type Owner } from '../../../../test/fixtures/verification/owners.ts'
import { limits } from '../../../contract/limits.ts'

const fixture = await openTestRuntime()
const { newOwner, lastCode } = verificationFixture(fixture)
let numbers = 10_000_000
const newNumber = () => `+316${(numbers += 7)}`
const slugOf = ({ status, body }: Answer) => [status, String(body.type).split('/').at(-1)]
const ask = (owner: Owner, phone: string, channel = 'sms') =>
  owner.call('POST /phone', { phone, channel })
const confirm = (owner: Owner, id: string, code: string) =>
  owner.call('POST /phone/confirm', { id, code })
const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a code by phone', () => {
  for (const channel of ['sms', 'call']) {
    test(`verifies the number that got it by ${channel}`, async () => {
      const owner = await newOwner()
      const phone = newNumber()
      const asked = await ask(owner, phone, channel)
      assert.equal(asked.status, 201, asked.text)
      const sent = await lastCode()
      assert.deepEqual([sent.to, sent.channel], [phone, channel])
      assert.match(sent.code, /^\d{6}$/)
      assert.ok(!asked.text.includes(sent.code))
      const done = await confirm(
        owner,
        asked.body.id,
        `${sent.code.slice(0, 3)} ${sent.code.slice(3)}`,
      )
      assert.equal(done.status, 200, done.text)
      assert.equal(done.body.phone_verified, true)
      assert.match(done.body.phone, /^\+31•+\d\d$/)
      const company = await owner.levelOf('company')
      assert.ok(!company.missing.includes('phone_verification'))
    })
  }

  test('is not stored in the database', async () => {
    const owner = await newOwner()
    await ask(owner, newNumber())
    const { code } = await lastCode()
    const rows = await fixture.runtime.db
      .selectFrom('verification_phone_codes')
      .selectAll()
      .where('project_id', '=', owner.project_id)
      .execute()
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes(code))
    assert.ok(!rows[0]!.code_mac.toString('latin1').includes(code))
  })

  test('is refused after five wrong attempts, even if it is right', async () => {
    const owner = await newOwner()
    const { body } = await ask(owner, newNumber())
    const { code } = await lastCode()
    for (let at = 0; at < limits.phone_code_tries_max; at += 1) {
      const wrong = await confirm(owner, body.id, wrongFor(code))
      assert.deepEqual(slugOf(wrong), [422, 'validation_failed'])
      assert.match(wrong.body.user_message, /wrong/)
    }
    const late = await confirm(owner, body.id, code)
    assert.deepEqual(slugOf(late), [422, 'validation_failed'])
    assert.match(late.body.user_message, /too often/)
  })

  test('counts attempts at once under a lock', async () => {
    const owner = await newOwner()
    const { body } = await ask(owner, newNumber())
    const { code } = await lastCode()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => confirm(owner, body.id, wrongFor(code))),
    )
    const tried = answers.filter((one) => /is wrong/.test(one.body.user_message))
    assert.equal(tried.length, limits.phone_code_tries_max)
  })

  test('expires after ten minutes, and when a newer one is sent', async () => {
    const owner = await newOwner()
    const first = await ask(owner, newNumber())
    const { code } = await lastCode()
    await ask(owner, newNumber())
    assert.equal((await confirm(owner, first.body.id, code)).status, 422)
    const last = await ask(owner, newNumber())
    const late = await lastCode()
    fixture.passes('10 minutes')
    assert.equal((await confirm(owner, last.body.id, late.code)).status, 422)
  })

  test('verifies no other project', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()]
    const { body } = await ask(owner, newNumber())
    const { code } = await lastCode()
    assert.equal((await confirm(stranger, body.id, code)).status, 422)
    assert.equal((await stranger.call('GET /')).body.phone_verified, false)
  })

  test('is refused to admins of the project and to strangers', async () => {
    const { project_id, admin } = await newTeam(fixture)
    const stranger = await newOwner()
    const route = `POST /projects/${project_id}/verification/phone`
    const body = { phone: newNumber(), channel: 'sms' }
    assert.equal((await admin.call(route, { body })).status, 403)
    assert.equal((await stranger.session.call(route, { body })).status, 404)
  })
})

describe('a phone number', () => {
  const refused: [phone: string, channel: string, why: RegExp][] = [
    ['hello', 'sms', /not a phone number/],
    ['+31201', 'call', /does not exist/],
    ['+31900 1234567', 'call', /ordinary|does not exist/],
    ['+31 20 624 1111', 'sms', /landline/],
    ['+882 16 1234 5678', 'call', /European|does not exist|not a phone/],
    ['+1 876 555 1234', 'sms', /European/],
  ]
  for (const [phone, channel, why] of refused) {
    test(`such as ${phone} gets no code by ${channel}`, async () => {
      const owner = await newOwner()
      const answer = await ask(owner, phone, channel)
      assert.deepEqual(slugOf(answer), [422, 'validation_failed'])
      assert.match(answer.body.user_message, why)
    })
  }

  test('that the carrier cannot reach is refused with a reason', async () => {
    const owner = await newOwner()
    const answer = await ask(owner, '+31612349008')
    assert.deepEqual(slugOf(answer), [422, 'validation_failed'])
    assert.match(answer.body.user_message, /cannot reach/)
  })
})

describe('the limit of codes', () => {
  test('per number holds across projects', async () => {
    const phone = newNumber()
    for (let sent = 0; sent < limits.phone_codes_per_number_max; sent += 1) {
      assert.equal((await ask(await newOwner(), phone)).status, 201)
    }
    const over = await ask(await newOwner(), phone)
    assert.deepEqual(slugOf(over), [429, 'rate_limited'])
    fixture.passes('24 hours')
    assert.equal((await ask(await newOwner(), phone)).status, 201)
  })

  test('per project holds for concurrent requests', async () => {
    fixture.passes('24 hours')
    const owner = await newOwner()
    const answers = await Promise.all(
      Array.from({ length: limits.phone_codes_per_project_max + 4 }, () => ask(owner, newNumber())),
    )
    const sent = answers.filter(({ status }) => status === 201)
    assert.equal(sent.length, limits.phone_codes_per_project_max)
  })

  test('per network holds across people and projects', async () => {
    fixture.passes('25 hours')
    for (let sent = 0; sent < limits.phone_codes_per_network_max; sent += 1) {
      if (sent % 5 === 0) fixture.passes('1 minute')
      const answer = await ask(await newOwner(), newNumber())
      assert.equal(answer.status, 201, answer.text)
    }
    assert.deepEqual(slugOf(await ask(await newOwner(), newNumber())), [429, 'rate_limited'])
  })
})

test('one number verifies five projects and no sixth', async () => {
  const phone = newNumber()
  for (let verified = 0; verified < limits.phone_number_projects_max; verified += 1) {
    fixture.passes('25 hours')
    const owner = await newOwner()
    const { body } = await ask(owner, phone)
    const { code } = await lastCode()
    assert.equal((await confirm(owner, body.id, code)).status, 200)
  }
  fixture.passes('25 hours')
  assert.deepEqual(slugOf(await ask(await newOwner(), phone)), [409, 'conflict'])
})

test('the codes are shown at /dev/phone on this machine', async () => {
  fixture.passes('25 hours')
  await ask(await newOwner(), newNumber())
  const { code, to } = await lastCode()
  const page = await (await fetch(`${fixture.url}/dev/phone`)).text()
  assert.ok(page.includes(code) && page.includes(to))
  const away = await fetch(`${fixture.url}/dev/phone`, {
    headers: { 'x-forwarded-for': '1.2.3.4' },
  })
  assert.equal(away.status, 404)
})
