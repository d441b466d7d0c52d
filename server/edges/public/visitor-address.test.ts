/** Which addresses are one visitor, and whose word is taken for an address. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig, ConfigError } from '../../kernel/config/config.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { limits } from '../../contract/limits.ts'
import { addressKey, networkOf } from './visitor-address.ts'
import { openSite } from '../../../test/fixtures/site.ts'

test('an IPv4 address is one visitor, however it is written', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.notEqual(networkOf('192.0.2.8'), networkOf('192.0.2.7'))
})

test('an IPv6 address counts with its /64', () => {
  assert.equal(networkOf('2001:DB8::1'), '2001:db8:0:0::/64')
  assert.equal(networkOf('2001:db8:0:0:ffff::1'), networkOf('2001:db8::1'))
  assert.notEqual(networkOf('2001:db8:0:1::1'), networkOf('2001:db8::1'))
})

test('what is no address counts as itself', () => {
  assert.equal(networkOf('unknown'), 'unknown')
})

test('a key tells nothing of the address', () => {
  assert.equal(addressKey('192.0.2.7'), addressKey('::ffff:192.0.2.7'))
  assert.doesNotMatch(addressKey('192.0.2.7'), /192/)
})

/** How many statuses 429 come of more readings than one address may make, each with this header. */
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

test('a proxy on this machine is believed, as is said by default', async () => {
  assert.equal(await refusedOf('', (count) => `198.51.100.${count}`), 0)
})

test('only what the proxy added is believed, not what a visitor wrote before it', async () => {
  assert.equal(await refusedOf('', (count) => `10.0.0.${count}, 198.51.100.1`), 1)
})

test('nobody is believed where no proxy is trusted', async () => {
  assert.equal(await refusedOf('none', (count) => `198.51.100.${count}`), 1)
})

test('a setting that names no network is refused at the start', () => {
  const read = (text: string) => () => readConfig({ HOMEPORT_TRUSTED_PROXIES: text })
  for (const text of ['everybody', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0', 'true', '::/129'])
    assert.throws(read(text), ConfigError, text)
  const networks = 'loopback, 10.0.0.0/8, 2001:db8::/32, 192.0.2.7, uniquelocal'
  assert.equal(read(networks)().trusted_proxies.length, 5)
})
