/**
 * HOMEPORT_WEBHOOKS_ALLOW_PRIVATE allows webhook deliveries to private addresses, and no other
 * outbound call.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { openReceiver } from '../fixtures/external/outside.ts'

const { call } = await openTestRuntime({
  settings: { HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '1', HOMEPORT_EGRESS_ALLOW_PRIVATE: '0' },
})

describe('HOMEPORT_WEBHOOKS_ALLOW_PRIVATE', () => {
  it('allows loopback for webhooks and for no other outbound call', async (t) => {
    const receiver = await openReceiver(t, (_request, response) => void response.end('ok'))
    const url = `http://127.0.0.1:${receiver.port}/page`
    const imported = await call('POST /media/import', { body: { url } })
    assert.equal(imported.status, 422)
    const program = new URLSearchParams({ response_type: 'code', client_id: url })
    const signed_in = await call(`GET //oauth/authorize?${program}`, { key: null })
    assert.equal(signed_in.status, 400)
    const website = await call('PUT /assistant', { body: { website_url: url } })
    assert.equal(website.status, 422)
    assert.equal(receiver.connections, 0)

    const body = { url, events: ['document.created'] }
    const { body: endpoint } = await call('POST /webhooks', { body })
    const tested = await call(`POST /webhooks/${endpoint.id}/test`)
    assert.deepEqual([tested.status, tested.body.response_status], [200, 200])
    assert.equal(receiver.connections, 1)
  })
})
