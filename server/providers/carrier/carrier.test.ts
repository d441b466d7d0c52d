/** Tests of the choice of the carrier by settings. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openCarrierServer } from '../../../test/fixtures/external/carrier-server.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { carrierOf, soldCountry } from './carrier.ts'

const { runtime } = await openTestRuntime({ work: false })

function runtimeWith(carrier: Partial<Config['carrier']>): Runtime {
  return {
    ...runtime,
    config: { ...runtime.config, carrier: { ...runtime.config.carrier, ...carrier } },
  }
}

it('sells Dutch numbers', () => {
  assert.deepEqual(soldCountry, { iso: 'NL', calling_code: '31' })
})

it('is null if the operator chose none', () => {
  assert.equal(carrierOf(runtimeWith({ provider: 'none' })), null)
})

it('is created once per server', () => {
  for (const provider of ['simulator', 'telnyx', 'twilio', 'none'] as const) {
    const one = runtimeWith({ provider, key: 'k', account: 'AC1' })
    assert.equal(carrierOf(one), carrierOf(one))
  }
})

it('is the simulator by default, on the port of the server', async () => {
  const fresh: Runtime = { ...runtime, config: { ...runtime.config, simulators_url: '' } }
  const carrier = carrierOf(fresh)
  fresh.config = runtime.config
  assert.equal((await carrier?.search({ type: 'national', count: 1 }))?.length, 1)
})

it('is Telnyx at its own address or a configured one', async (t) => {
  const server = await openCarrierServer(t, () => ({ json: { data: [] } }))
  const url = `${server.url}/telnyx/v2/`
  const carrier = carrierOf(runtimeWith({ provider: 'telnyx', key: 'KEY', url }))
  await carrier?.search({ type: 'national', count: 1 })
  assert.equal(server.requests[0]?.path, '/telnyx/v2/available_phone_numbers')
  assert.equal(server.requests[0]?.authorization, 'Bearer KEY')
})

it('is Twilio at its own address or a configured one', async (t) => {
  const server = await openCarrierServer(t, () => ({ json: { available_phone_numbers: [] } }))
  const carrier = carrierOf(
    runtimeWith({ provider: 'twilio', key: 'token', account: 'AC1', url: server.url }),
  )
  await carrier?.search({ type: 'national', count: 1 })
  const [request] = server.requests
  assert.equal(request?.path, '/2010-04-01/Accounts/AC1/AvailablePhoneNumbers/NL/National.json')
  assert.equal(request.authorization, `Basic ${Buffer.from('AC1:token').toString('base64')}`)
})
