/** Tests of sending domains: records, checks, keys and what stops sending. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import { listen } from '../../../../test/fixtures/loopback.ts'
import { slugOfProblem as slugOf } from '../../../../test/fixtures/live-projects.ts'
import { BOUNCE_HOST, openEmailRuntime } from '../../../../test/fixtures/email/email.ts'
import { limits } from '../../../contract/limits.ts'
import { DKIM_PURPOSE } from './dkim-keys.ts'
import { recheckDomains } from './recheck.ts'

const fixture = await openEmailRuntime({ work: false })
const { call, dns, newKey, newSender, passes, publish, runtime } = fixture
const sender = await newSender()
const keyOf = () => newKey({ project_id: sender.project_id, mode: 'live' })

async function newDomain(domain: string) {
  const made = await call('POST /sending-domains', { key: await keyOf(), body: { domain } })
  assert.equal(made.status, 201, made.text)
  return made.body
}

const verify = async (id: string) =>
  (await call(`POST /sending-domains/${id}/verify`, { key: await keyOf() })).body
const read = async (id: string) =>
  (await call(`GET /sending-domains/${id}`, { key: await keyOf() })).body
const recordOf = (domain: any, purpose: string) =>
  domain.records.find((record: any) => record.purpose === purpose)

describe('a new sending domain', () => {
  test('has its records, and a key of 2048 bits that is stored sealed', async () => {
    const domain = await newDomain('Bäckerei.example')
    assert.deepEqual([domain.domain, domain.status], ['xn--bckerei-5wa.example', 'pending'])
    const dkim = recordOf(domain, 'dkim')
    assert.match(dkim.name, /^hp[0-9a-f]{10}\._domainkey\.xn--bckerei-5wa\.example$/)
    assert.match(dkim.value, /^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{392}$/)
    const bounces = recordOf(domain, 'return_path')
    assert.deepEqual([bounces.type, bounces.value], ['CNAME', BOUNCE_HOST])
    assert.deepEqual(
      domain.records.map(({ required, status }: any) => [required, status]),
      [
        [true, 'pending'],
        [true, 'pending'],
        [false, 'pending'],
      ],
    )
    const { sealed_dkim_key } = await runtime.db
      .selectFrom('sending_domains')
      .select('sealed_dkim_key')
      .where('project_id', '=', sender.project_id)
      .where('id', '=', domain.id)
      .executeTakeFirstOrThrow()
    assert.ok(!sealed_dkim_key.toString('latin1').includes('PRIVATE KEY'))
    assert.match(runtime.seal.open(sealed_dkim_key, DKIM_PURPOSE), /^-----BEGIN PRIVATE KEY-----/)
  })

  test('is refused if it is not a domain name or was added before', async () => {
    const key = await keyOf()
    const odd = await call('POST /sending-domains', { key, body: { domain: 'not a domain' } })
    assert.deepEqual([odd.status, slugOf(odd)], [422, 'validation_failed'])
    const twice = await call('POST /sending-domains', { key, body: { domain: sender.domain } })
    assert.deepEqual([twice.status, slugOf(twice)], [409, 'conflict'])
  })

  test('gets no IP address of its own, because the server has none', async () => {
    const body = { domain: 'own-address.example', dedicated_ip: true }
    const refused = await call('POST /sending-domains', { key: await keyOf(), body })
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'dedicated_ip_not_available'])
  })
})

describe('a check', () => {
  test('says for each record what is missing or wrong', async () => {
    const domain = await newDomain('check.example')
    const missing = await verify(domain.id)
    assert.equal(missing.status, 'pending')
    assert.match(recordOf(missing, 'dkim').message, /There is no TXT record/)
    dns.set(recordOf(domain, 'dkim').name, 'TXT', ['v=DKIM1; k=rsa; p=QUJD'])
    dns.set(recordOf(domain, 'return_path').name, 'CNAME', ['elsewhere.example'])
    dns.set('_dmarc.check.example', 'TXT', ['v=DMARC1; p=quarantine; pct=50; sp=none'])
    const wrong = await verify(domain.id)
    assert.equal(recordOf(wrong, 'dkim').status, 'invalid')
    assert.equal(
      recordOf(wrong, 'return_path').message,
      `The record leads to elsewhere.example, and must lead to ${BOUNCE_HOST}.`,
    )
    assert.deepEqual(recordOf(wrong, 'return_path').found, ['elsewhere.example'])
    assert.deepEqual(wrong.dmarc, { policy: 'quarantine', pct: 50, sp: 'none' })
    publish(domain)
    const right = await verify(domain.id)
    assert.deepEqual([right.status, right.dmarc.policy], ['verified', 'none'])
    assert.ok(right.verified_at && right.last_checked_at)
  })

  test('does not stop sending if the name servers do not answer', async () => {
    const domain = await newDomain('quiet.example')
    publish(domain)
    await verify(domain.id)
    const { name } = recordOf(domain, 'dkim')
    dns.silent.add(name)
    const checked = await verify(domain.id)
    dns.silent.delete(name)
    assert.equal(checked.status, 'temporary_failure')
    assert.equal(recordOf(checked, 'dkim').status, 'temporary_failure')
    const sent = await sender.send({ from: 'shop@quiet.example' }, { key: await keyOf() })
    assert.equal(sent.status, 201, sent.text)
  })

  test('runs daily, and stops sending when a record is gone for 72 hours', async () => {
    const domain = await newDomain('gone.example')
    publish(domain)
    await verify(domain.id)
    dns.remove(recordOf(domain, 'dkim').name)
    passes('25 hours')
    await recheckDomains.run(runtime)
    assert.equal((await read(domain.id)).status, 'temporary_failure')
    passes(`${limits.sending_domain_missing_s / 3600} hours`)
    await recheckDomains.run(runtime)
    assert.equal((await read(domain.id)).status, 'failed')
    const refused = await sender.send({ from: 'shop@gone.example' }, { key: await keyOf() })
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'email_domain_not_verified'])
    publish(domain)
    passes('2 hours')
    await recheckDomains.run(runtime)
    assert.equal((await read(domain.id)).status, 'verified')
  })
})

describe('a rotation of the key', () => {
  test('signs with the next key once its record is found', async () => {
    const domain = await newDomain('rotated.example')
    publish(domain)
    await verify(domain.id)
    const key = await keyOf()
    const { body: asked } = await call(`POST /sending-domains/${domain.id}/rotate-dkim`, { key })
    const next = asked.dkim.next_selector
    assert.ok(next && next !== asked.dkim.selector)
    assert.equal(asked.records.filter(({ purpose }: any) => purpose === 'dkim').length, 2)
    assert.equal((await verify(domain.id)).dkim.selector, asked.dkim.selector)
    publish(asked)
    const rotated = await verify(domain.id)
    assert.deepEqual(rotated.dkim, { selector: next, next_selector: null })
    assert.equal(rotated.status, 'verified')
  })
})

describe('a logo', () => {
  const svg = (attributes: string, inside = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" ${attributes}><title>Bakery</title>${inside}</svg>`

  test('needs a strict policy and a safe square SVG, and has its record until it is removed', async (t) => {
    const domain = await newDomain('logo.example')
    const files: Record<string, string> = {
      '/logo.svg': svg('viewBox="0 0 64 64"', '<circle cx="32" cy="32" r="30"/>'),
      '/wide.svg': svg('viewBox="0 0 64 32"'),
      '/script.svg': svg('viewBox="0 0 64 64"', '<script>alert(1)</script>'),
      '/plain.svg': '<svg viewBox="0 0 64 64"></svg>',
      '/large.svg': svg('viewBox="0 0 64 64"', 'x'.repeat(40_000)),
    }
    const website = createServer(({ url = '' }, reply) => {
      reply.writeHead(files[url] === undefined ? 404 : 200).end(files[url])
    })
    const port = await listen(t, website)
    const logo_url = (path: string) => `http://127.0.0.1:${port}${path}`
    const put = async (path: string, changes = {}) => {
      const body = { logo_url: logo_url(path), ...changes }
      return call(`PUT /sending-domains/${domain.id}/bimi`, { key: await keyOf(), body })
    }
    const policies = ['p=none', 'p=reject; pct=50', 'p=reject; sp=none']
    for (const policy of policies) {
      dns.set('_dmarc.logo.example', 'TXT', [`v=DMARC1; ${policy}`])
      const refused = await put('/logo.svg')
      assert.deepEqual([refused.status, slugOf(refused)], [409, 'bimi_not_ready'], policy)
    }
    dns.set('_dmarc.logo.example', 'TXT', ['v=DMARC1; p=quarantine'])
    for (const path of ['/wide.svg', '/script.svg', '/plain.svg', '/large.svg', '/absent.svg']) {
      const refused = await put(path)
      assert.deepEqual([refused.status, slugOf(refused)], [422, 'validation_failed'], path)
    }
    const set = await put('/logo.svg')
    assert.equal(set.status, 200, set.text)
    assert.deepEqual(set.body.bimi, {
      logo_url: logo_url('/logo.svg'),
      vmc_url: null,
      gmail_ready: false,
    })
    dns.set('default._bimi.logo.example', 'TXT', [`v=BIMI1;l=${logo_url('/logo.svg')}`])
    assert.equal(recordOf(await verify(domain.id), 'bimi').status, 'verified')
    const removed = await call(`DELETE /sending-domains/${domain.id}/bimi`, { key: await keyOf() })
    assert.deepEqual([removed.status, (await read(domain.id)).bimi], [204, null])
  })
})

describe('a deletion', () => {
  test('is refused while emails of the domain wait', async () => {
    const domain = await newDomain('busy.example')
    publish(domain)
    await verify(domain.id)
    const key = await keyOf()
    const scheduled_at = new Date(runtime.clock.now_ms() + 3_600_000).toISOString()
    const from = 'shop@busy.example'
    const { body } = await sender.send({ from, scheduled_at }, { key })
    const busy = await call(`DELETE /sending-domains/${domain.id}`, { key })
    assert.deepEqual([busy.status, slugOf(busy)], [409, 'conflict'])
    await call(`POST /emails/${body.id}/cancel`, { key })
    assert.equal((await call(`DELETE /sending-domains/${domain.id}`, { key })).status, 204)
    assert.equal((await call(`GET /sending-domains/${domain.id}`, { key })).status, 404)
    const listed = await call('GET /sending-domains', { key })
    assert.ok(listed.body.data.every(({ id }: any) => id !== domain.id))
  })
})
