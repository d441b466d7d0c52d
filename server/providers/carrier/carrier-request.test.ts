/**
 * Tests how failed requests are classified. `unavailable` guarantees that nothing happened, so each
 * type of failure is tried on real sockets, for both carriers.
 */
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../test/fixtures/depth.ts'
import { openReceiver, openMisbehavingReceiver } from '../../../test/fixtures/external/outside.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { withShortTimeout, PATIENCE_MS } from '../../../test/fixtures/external/impatience.ts'
import { createServer } from 'node:net'
import { CarrierError, type Carrier, type CarrierFault } from './carrier.ts'
import { telnyxCarrier } from './telnyx.ts'
import { twilioCarrier } from './twilio.ts'

const { runtime } = await openTestRuntime({
  settings: { HOMEPORT_CARRIER_ACCOUNT: 'AC1' },
  work: false,
})
const key = 'a-secret-key'
const order = { e164: '+31201234567', reference: 'reference' }
const patienceLost = new RegExp(`did not answer within ${PATIENCE_MS / 1000} s\\.$`)

function carriersAt(url: string): Carrier[] {
  const address = { base_url: () => url, key, is_own: true }
  return [telnyxCarrier(runtime, address), twilioCarrier(runtime, address)]
}

async function fails(work: Promise<unknown>, fault: CarrierFault): Promise<string> {
  const error: unknown = await work.then(
    () => assert.fail('It did not fail.'),
    (reason: unknown) => reason,
  )
  assert(error instanceof CarrierError, String(error))
  assert.equal(error.fault, fault, error.message)
  assert.match(error.message, /^[^\n]{1,400}[.]$/)
  assert(!error.message.includes(key), error.message)
  return error.message
}

/** Asserts that every type of request fails with this fault, with both carriers. */
async function allFail(url: string, fault: CarrierFault): Promise<void> {
  for (const carrier of carriersAt(url)) {
    await fails(carrier.search({ type: 'national', count: 1 }), fault)
    await fails(carrier.find(order), fault)
    await fails(carrier.release({ carrier_id: 'id', e164: order.e164 }), fault)
  }
  const [telnyx] = carriersAt(url)
  assert(telnyx)
  await fails(telnyx.order(order), fault)
}

async function closedPort(t: TestContext): Promise<number> {
  const server = createServer()
  const port = await listen(t, server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('a carrier is unavailable if nothing was sent', () => {
  it('throws unavailable if the carrier refuses the connection', async (t) => {
    await allFail(`http://127.0.0.1:${await closedPort(t)}`, 'unavailable')
  })

  it('throws unavailable if each of several addresses refuses the connection', async (t) => {
    await allFail(`http://localhost:${await closedPort(t)}`, 'unavailable')
  })

  it('throws unavailable if the name of the carrier has no address', () =>
    allFail('http://carrier.invalid', 'unavailable'))
  it('throws unavailable if the URL of the carrier is invalid', () =>
    allFail('carrier', 'unavailable'))

  it('throws unavailable if a public name resolves to a private network', async () => {
    const address = { base_url: () => 'https://127.0.0.1/v2', key, is_own: false }
    await fails(telnyxCarrier(runtime, address).order(order), 'unavailable')
  })

  for (const status of [401, 403, 429]) {
    it(`throws unavailable if the carrier replies ${status}`, async (t) => {
      const { port } = await openReceiver(t, (_, response) => {
        response.writeHead(status).end(JSON.stringify({ message: key }))
      })
      await allFail(`http://127.0.0.1:${port}`, 'unavailable')
    })
  }
})

describe('the outcome is unknown if the request was sent', () => {
  const silences: [string, (socket: Socket) => void][] = [
    ['nothing comes back', () => {}],
    [
      'the answer stops in the middle',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data":')
      },
    ],
  ]
  for (const [words, misbehave] of silences) {
    it(`throws unknown if ${words}, within the configured timeout`, async (t) => {
      const url = await openMisbehavingReceiver(t, misbehave)
      const [telnyx, twilio] = carriersAt(url)
      assert(telnyx && twilio)
      const messages = await withShortTimeout(runtime, 'carrier', () =>
        Promise.all([
          fails(telnyx.order(order), 'unknown'),
          fails(telnyx.search({ type: 'national', count: 1 }), 'unknown'),
          fails(twilio.find(order), 'unknown'),
        ]),
      )
      for (const message of messages) assert.match(message, patienceLost)
    })
  }

  const misdeeds: [string, (socket: Socket) => void][] = [
    ['the connection is reset', (socket) => socket.resetAndDestroy()],
    ['the connection is closed', (socket) => socket.end()],
    [
      'the answer breaks off',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data":')
        setImmediate(() => socket.destroy())
      },
    ],
    ['the answer is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    [
      'the answer is no JSON',
      (socket) => {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n<html>')
      },
    ],
    [
      'the answer is empty JSON',
      (socket) => {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}')
      },
    ],
    [
      'the answer is too long',
      (socket) => {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9000000\r\n\r\n[')
      },
    ],
    [
      'the answer leads elsewhere',
      (socket) => {
        socket.end('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n')
      },
    ],
  ]
  for (const [words, misbehave] of misdeeds) {
    it(`throws unknown if ${words}`, async (t) => {
      const url = await openMisbehavingReceiver(t, misbehave)
      const [telnyx, twilio] = carriersAt(url)
      assert(telnyx && twilio)
      await fails(telnyx.order(order), 'unknown')
      await fails(telnyx.search({ type: 'national', count: 1 }), 'unknown')
      await fails(twilio.find(order), 'unknown')
    })
  }

  for (const status of [408, 500, 502, 503, 504]) {
    it(`throws unknown if the carrier replies ${status}`, async (t) => {
      const { port } = await openReceiver(t, (_, response) => {
        response.writeHead(status).end('{}')
      })
      await allFail(`http://127.0.0.1:${port}`, 'unknown')
    })
  }

  it('throws unknown if an endless response exceeds a megabyte', async (t) => {
    const { port } = await openReceiver(t, (_, response) => {
      const chunk = 'x'.repeat(300_000)
      for (let at = 0; at < 5; at += 1) response.write(chunk)
      response.end()
    })
    const [telnyx] = carriersAt(`http://127.0.0.1:${port}`)
    assert(telnyx)
    assert.match(await fails(telnyx.order(order), 'unknown'), /over 1048576 bytes/)
  })
})

describe('a refusal', () => {
  const statuses = [400, 402, 404, 405, 409, 410, 413, 415, 422]
  it(`is thrown for status ${statuses.join(', ')}, with any body`, async (t) => {
    let status = 400
    let text = ''
    const { port } = await openReceiver(t, (_, response) => {
      response.writeHead(status).end(text)
    })
    const [telnyx] = carriersAt(`http://127.0.0.1:${port}`)
    assert(telnyx)
    for (status of statuses) {
      for (text of ['', '<html>', '{}', 'null', '{"errors":[]}', '{"errors":[{"code":"1"}]}']) {
        const message = await fails(telnyx.order(order), 'refused')
        assert.match(message, new RegExp(`^Telnyx refused \\(${status}`))
      }
    }
  })

  it('has a short message of one line without secrets', async (t) => {
    const detail = `First ${key}\nsecond\u0007 Bearer ${key} ${'x'.repeat(5_000)}...`
    const { port } = await openReceiver(t, (_, response) => {
      response.writeHead(422).end(JSON.stringify({ errors: [{ code: '10027', detail }] }))
    })
    const [telnyx] = carriersAt(`http://127.0.0.1:${port}`)
    assert(telnyx)
    const message = await fails(telnyx.order(order), 'refused')
    assert.match(message, /^Telnyx refused \(422, 10027\): First … second Bearer … x+\.$/)
  })
})

it('is a CarrierError for any response, which never becomes an order', async (t) => {
  let reply = { status: 200, text: '' }
  const { port } = await openReceiver(t, (_, response) => {
    response.writeHead(reply.status).end(reply.text)
  })
  const carriers = carriersAt(`http://127.0.0.1:${port}`)
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((data) => `{"data":${data}}`),
  )
  const property = fc.asyncProperty(
    fc.constantFrom(200, 201, 204, 301, 400, 401, 404, 409, 422, 429, 500, 503),
    bodies,
    async (status, text) => {
      reply = { status, text: status === 204 ? '' : text }
      for (const carrier of carriers) {
        const placed: unknown = await carrier.order(order).catch((error: unknown) => error)
        assert(placed instanceof CarrierError, String(placed))
        if (status < 400) assert.notEqual(placed.fault, 'refused')
      }
    },
  )
  await fc.assert(property, { numRuns: depth(25, 100) })
})
