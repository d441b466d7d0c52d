/** Tests of the form of addresses, the check of an address, and recipients that the owner confirms. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slugOfProblem as slugOf } from '../../../../test/fixtures/live-projects.ts'
import { openEmailRuntime } from '../../../../test/fixtures/email/email.ts'
import { parseMailbox } from './parse-address.ts'

const fixture = await openEmailRuntime({ work: false })
const { call, dns, newSender } = fixture

describe('an address', () => {
  test('is one mailbox with or without a name', () => {
    const read = (text: string) => parseMailbox(text)
    assert.deepEqual(read('Anna@Example.com'), { name: null, address: 'Anna@example.com' })
    assert.deepEqual(read('Anna de Vries <anna@example.com>'), {
      name: 'Anna de Vries',
      address: 'anna@example.com',
    })
    assert.deepEqual(read('"Vries, Anna" <a.b+c@bäckerei.example>'), {
      name: 'Vries, Anna',
      address: 'a.b+c@xn--bckerei-5wa.example',
    })
    for (const text of [
      '',
      'anna',
      'anna@',
      '@example.com',
      'anna@example',
      'anna@-a.example',
      'a b@example.com',
      'anna@example.com, bo@example.com',
      'anna@example.com bo@example.com',
      'anna..b@example.com',
      '.anna@example.com',
      'Anna <anna@example.com',
      'Anna <anna@example.com> x',
      'A\r\nBcc: eve@evil.example <anna@example.com>',
      'anna@127.0.0.1',
      'anna@[127.0.0.1]',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b.'.repeat(130)}example.com`,
    ]) {
      assert.equal(read(text), null, JSON.stringify(text))
    }
  })
})

describe('the check of an address', () => {
  test('has a verdict with reasons and a suggestion', async () => {
    const sender = await newSender()
    const check = async (address: string) =>
      (await call('POST /email/check-address', { key: sender.live_key, body: { address } })).body
    dns.set('gmial.com', 'MX', ['10 mx.gmial.com'])
    dns.set('nullmx.example', 'MX', ['0 .'])
    dns.set('plain.example', 'A', ['192.0.2.1'])
    dns.set('mailinator.com', 'MX', ['10 mx.mailinator.com'])
    dns.silent.add('silent.example')
    const verdicts = {
      'anna@example.com': 'deliverable',
      'anna@plain.example': 'deliverable',
      'anna@gmial.com': 'risky',
      'anna@mailinator.com': 'risky',
      'anna@nullmx.example': 'invalid',
      'anna@absent.example': 'invalid',
      'anna at example': 'invalid',
      'anna@silent.example': 'unknown',
    }
    for (const [address, verdict] of Object.entries(verdicts)) {
      const found = await check(address)
      assert.equal(found.verdict, verdict, address)
      assert.equal(found.reasons.length > 0, verdict !== 'deliverable', address)
    }
    assert.equal((await check('anna@gmial.com')).suggestion, 'anna@gmail.com')
  })
})

describe('a recipient', () => {
  test('can be written to once the owner has confirmed the address', async () => {
    const sender = await newSender()
    const { live_key: key, team, project_id } = sender
    const body = { address: 'Flour@Example.com', note: 'Supplier of flour.' }
    const asked = await call('POST /email/recipients', { key, body })
    assert.deepEqual(
      [asked.status, asked.body.status, asked.body.address],
      [201, 'pending_owner', 'flour@example.com'],
    )
    const waiting = await call('GET /email/status', { key })
    assert.equal(waiting.body.recipients_waiting, 1)
    const to = ['flour@example.com']
    assert.equal(slugOf(await sender.send({ to })), 'recipient_not_allowed')
    const root = `/projects/${project_id}/email/recipients/${asked.body.id}`
    const foreign = await team.admin.call(`POST ${root}/confirm`)
    assert.equal(foreign.status, 403)
    const confirmed = await team.owner.call(`POST ${root}/confirm`)
    assert.deepEqual([confirmed.status, confirmed.body.status], [200, 'confirmed'])
    assert.equal((await sender.send({ to })).status, 201)
    const again = await call('POST /email/recipients', { key, body })
    assert.equal(again.body.status, 'confirmed', 'it stays as it is')
    assert.equal((await team.owner.call(`DELETE ${root}`)).status, 204)
    assert.equal((await team.owner.call(`DELETE ${root}`)).status, 404)
    assert.equal(slugOf(await sender.send({ to })), 'recipient_not_allowed')
  })
})
