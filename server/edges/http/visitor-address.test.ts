/** Tests of the identification of visitors by address, and of trusted proxies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, ConfigError } from '../../kernel/config/config.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { limits } from '../../contract/limits.ts'
import { hashAddress, findNetwork } from './visitor-address.ts'
import { openSite } from '../../../test/fixtures/sites/site.ts'

test('every notation of an IPv4 address counts as one visitor', () => {
  assert.equal(findNetwork('192.0.2.7'), '192.0.2.7')
  assert.equal(findNetwork('::ffff:192.0.2.7'), '192.0.2.7')
  assert.notEqual(findNetwork('192.0.2.8'), findNetwork('192.0.2.7'))
})

test('an IPv6 /64 network counts as one visitor', () => {
  assert.equal(findNetwork('2001:DB8::1'), '2001:db8:0:0::/64')
  assert.equal(findNetwork('2001:db8:0:0:ffff::1'), findNetwork('2001:db8::1'))
  assert.notEqual(findNetwork('2001:db8:0:1::1'), findNetwork('2001:db8::1'))
})

test('an invalid address counts as it is written', () => {
  assert.equal(findNetwork('unknown'), 'unknown')
})

test('the key of a visitor does not reveal the address', () => {
  assert.equal(hashAddress('192.0.2.7'), hashAddress('::ffff:192.0.2.7'))
  assert.doesNotMatch(hashAddress('192.0.2.7'), /192/)
})

/** Returns the number of 429 replies beyond the rate limit, with this header in each request. */
async function refusedOf(trusted: string, forwarded: (count: number) => string): Promise<number> {
  const runtime = await openTestRuntime({
    work: false,
    settings: { HOMEPORT_TRUSTED_PROXIES: trusted },
  })
  const site = await openSite(runtime)
  let refused = 0
  for (let count = 0; count <= limits.public_requests_per_address_max; count++) {
    const { status } = await site.send('GET /public/collections/none/form', {
      address: forwarded(count),
    })
    if (status === 429) refused += 1
  }
  return refused
}

test('the server trusts a proxy on the same machine by default', async () => {
  assert.equal(await refusedOf('', (count) => `198.51.100.${count}`), 0)
})

test('the server trusts only the part of X-Forwarded-For that the proxy added', async () => {
  assert.equal(await refusedOf('', (count) => `10.0.0.${count}, 198.51.100.1`), 1)
})

test('the server ignores X-Forwarded-For without trusted proxies', async () => {
  assert.equal(await refusedOf('none', (count) => `198.51.100.${count}`), 1)
})

test('the server refuses to start with an invalid network in the setting', () => {
  const read = (text: string) => () => readConfig({ HOMEPORT_TRUSTED_PROXIES: text })
  for (const text of ['everybody', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0', 'true', '::/129'])
    assert.throws(read(text), ConfigError, text)
  const networks = 'loopback, 10.0.0.0/8, 2001:db8::/32, 192.0.2.7, uniquelocal'
  assert.equal(read(networks)().trusted_proxies.length, 5)
})
