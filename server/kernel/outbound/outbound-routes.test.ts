/**
 * Tests of connections of the guarded fetch: misbehaving receivers, invalid certificates and a
 * proxy.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  createAuthority,
  expired,
  type Certificate,
} from '../../../test/fixtures/external/certificate.ts'
import {
  developmentPolicy,
  writeSlowly,
  replyOk,
  openOutbound,
  openReceiver,
  openMisbehavingReceiver,
  assertRefuses,
  strictPolicy,
} from '../../../test/fixtures/external/outside.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import type { Resolve } from './outbound.ts'

const short_ms = 250
const concurrently = { concurrency: true, timeout: 60_000 }

describe('a slow receiver', concurrently, () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  const ways: Record<string, (socket: Socket) => void> = {
    'says nothing': () => {},
    'drips its headers': (socket) => {
      socket.write(head)
      writeSlowly(socket, 'X-Drip: 1\r\n')
    },
    'drips its body': (socket) => {
      socket.write(`${head}Content-Length: 60000\r\n\r\n`)
      writeSlowly(socket, '.')
    },
    'drips its chunks': (socket) => {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
      writeSlowly(socket, '1\r\n.\r\n')
    },
    'announces a body that never comes': (socket) => {
      socket.write(`${head}Content-Length: 5\r\n\r\n`)
    },
    'sends early hints for ever': (socket) =>
      writeSlowly(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  }
  for (const [way, misbehave] of Object.entries(ways)) {
    it(`that ${way} is abandoned at the deadline, and its connection closed`, async (t) => {
      const closed = Promise.withResolvers<void>()
      const url = await openMisbehavingReceiver(t, (socket) => {
        socket.on('close', () => closed.resolve())
        misbehave(socket)
      })
      const call = openOutbound(t, developmentPolicy).request({ url, deadline_ms: short_ms })
      await assertRefuses(call, 'timeout', /^127\.0\.0\.1 did not answer within 0\.25 s\.$/)
      await closed.promise
    })
  }
  it('is abandoned at the deadline if it never finishes the TLS handshake', async (t) => {
    const server = createTcpServer(() => {})
    const url = `https://127.0.0.1:${await listen(t, server)}/`
    const call = openOutbound(t, developmentPolicy).request({ url, deadline_ms: short_ms })
    await assertRefuses(call, 'timeout')
  })
})

describe('a receiver that sends too much', concurrently, () => {
  it('is disconnected during an endless body', async (t) => {
    const closed = Promise.withResolvers<void>()
    const url = await openMisbehavingReceiver(t, (socket) => {
      socket.on('close', () => closed.resolve())
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
      }
      socket.on('drain', pour)
      pour()
    })
    const call = openOutbound(t, developmentPolicy).request({ url })
    await assertRefuses(call, 'response_too_large', /^The response is over 65536 bytes\.$/)
    await closed.promise
  })

  it('is disconnected by its Content-Length, before the body', async (t) => {
    const closed = Promise.withResolvers<void>()
    const url = await openMisbehavingReceiver(t, (socket) => {
      socket.on('close', () => closed.resolve())
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n')
    })
    const call = openOutbound(t, developmentPolicy).request({ url })
    await assertRefuses(call, 'response_too_large')
    await closed.promise
  })

  it('is disconnected during huge headers', async (t) => {
    const url = await openMisbehavingReceiver(t, (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_100_000)}\r\n\r\n`)
    })
    const call = openOutbound(t, developmentPolicy).request({ url })
    await assertRefuses(call, 'response_too_large', /^The response headers are too large\.$/)
  })

  it('is disconnected during a flood of early hints', async (t) => {
    const url = await openMisbehavingReceiver(t, (socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000))
    })
    const call = openOutbound(t, developmentPolicy).request({ url })
    await assertRefuses(call, 'response_too_large', /^More than 100 interim responses/)
  })
})

describe('a receiver that breaks', concurrently, () => {
  const ways: Record<string, (socket: Socket) => void> = {
    'resets the connection': (socket) => void socket.resetAndDestroy(),
    'hangs up without a word': (socket) => void socket.end(),
    'hangs up in its headers': (socket) => void socket.end('HTTP/1.1 200 OK\r\nX-Half: '),
    'hangs up in its body': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'),
    'resets in its body': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', () => {
        socket.resetAndDestroy()
      })
    },
    'says continue unasked': (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    'does not speak HTTP': (socket) => void socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
    'gives two lengths': (socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    'switches protocols unasked': (socket) =>
      void socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
  }
  for (const [way, misbehave] of Object.entries(ways)) {
    it(`that ${way} is a failed connection`, async (t) => {
      const url = await openMisbehavingReceiver(t, misbehave)
      await assertRefuses(openOutbound(t, developmentPolicy).request({ url }), 'connection_failed')
    })
  }

  it('is a failed connection if it refuses the connection', async (t) => {
    const server = createTcpServer()
    const port = await listen(t, server)
    await new Promise((resolve) => server.close(resolve))
    const call = openOutbound(t, developmentPolicy).request({ url: `http://127.0.0.1:${port}/` })
    await assertRefuses(call, 'connection_failed', /^127\.0\.0\.1 refused the connection\.$/)
  })

  it('does not break the connection of the next request', async (t) => {
    let calls = 0
    const receiver = await openReceiver(t, (_request, response) => {
      calls += 1
      if (calls === 1) response.destroy()
      else response.end('ok')
    })
    const outbound = openOutbound(t, developmentPolicy)
    const url = `http://127.0.0.1:${receiver.port}/`
    await assertRefuses(outbound.request({ url }), 'connection_failed')
    assert.equal((await outbound.request({ url })).status, 200)
  })
})

const no_valid_certificate = /^receiver\.example has no valid certificate for its name\.$/
const authority = createAuthority('Test authority')
const known = getCACertificates('default')
before(() => setDefaultCACertificates([...known, authority.cert]))
after(() => setDefaultCACertificates(known))

/** A TLS receiver that prefers HTTP/2, with this certificate. */
async function listenWithTls(t: TestContext, certificate: Certificate): Promise<number> {
  const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, replyOk)
  return listen(t, server)
}

describe('a certificate', () => {
  async function call(t: TestContext, certificate: Certificate, host = 'receiver.example') {
    const port = await listenWithTls(t, certificate)
    const outbound = openOutbound(t, developmentPolicy, async () => ['127.0.0.1'])
    return outbound.request({ url: `https://${host}:${port}/` })
  }
  it('is accepted if it is for the name, with HTTP/1.1', async (t) => {
    assert.equal((await call(t, authority.issue('receiver.example'))).status, 200)
  })

  it('is verified for the name without its final dot', async (t) => {
    const reply = await call(t, authority.issue('receiver.example'), 'receiver.example.')
    assert.equal(reply.status, 200)
  })

  it('is refused if it is for another name', async (t) => {
    const reply = call(t, authority.issue('other.example'))
    await assertRefuses(reply, 'connection_failed', no_valid_certificate)
  })

  it('is refused if it has expired', async (t) => {
    const reply = call(t, authority.issue('receiver.example', expired))
    await assertRefuses(reply, 'connection_failed', no_valid_certificate)
  })

  it('is refused if its authority is unknown', async (t) => {
    const reply = call(t, createAuthority('Stranger').issue('receiver.example'))
    await assertRefuses(reply, 'connection_failed', no_valid_certificate)
  })
})

describe('an egress proxy', () => {
  /** Opens a forward proxy that connects every tunnel to `port`, or refuses. */
  async function openProxy(t: TestContext, port: number, refusal?: string) {
    const asked: string[] = []
    const server = createServer((_request, response) => void response.writeHead(500).end())
    server.on('connect', (request, socket: Socket) => {
      asked.push(request.url ?? '')
      if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      onward.on('error', () => socket.destroy())
      socket.on('error', () => onward.destroy())
    })
    return { proxy_url: `http://127.0.0.1:${await listen(t, server)}`, asked }
  }
  const unexpected: Resolve = async () => assert.fail('the name was looked up here')

  it('gets a tunnel request with the name, which is not resolved here', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const { proxy_url, asked } = await openProxy(t, receiver.port)
    const outbound = openOutbound(t, { ...strictPolicy, allow_plain: true, proxy_url }, unexpected)
    const reply = await outbound.request({ url: 'http://receiver.example/', method: 'POST' })
    assert.equal(reply.status, 200)
    await outbound.check('https://receiver.example/')
    assert.deepEqual(asked, ['receiver.example:80'])
  })

  it('does not affect the verification of the certificate', async (t) => {
    for (const name of ['receiver.example', 'other.example']) {
      const { proxy_url } = await openProxy(t, await listenWithTls(t, authority.issue(name)))
      const outbound = openOutbound(t, { ...strictPolicy, proxy_url }, unexpected)
      const call = outbound.request({ url: 'https://receiver.example/' })
      if (name === 'receiver.example') assert.equal((await call).status, 200)
      else await assertRefuses(call, 'connection_failed', no_valid_certificate)
    }
  })

  it('does not relax the rules for names and addresses', async (t) => {
    const { proxy_url, asked } = await openProxy(t, 9)
    const outbound = openOutbound(t, { ...strictPolicy, proxy_url }, unexpected)
    await assertRefuses(outbound.request({ url: 'https://10.0.0.1/' }), 'invalid_url')
    await assertRefuses(outbound.request({ url: 'https://db.internal/' }), 'not_public_host')
    const plain = openOutbound(t, { ...developmentPolicy, proxy_url }, unexpected)
    await assertRefuses(plain.request({ url: 'http://169.254.169.254/' }), 'not_public_host')
    await assertRefuses(
      plain.request({ url: 'http://metadata.google.internal/' }),
      'not_public_host',
    )
    assert.deepEqual(asked, [])
  })

  it('is a failed connection if it refuses, disconnects or is unavailable', async (t) => {
    for (const refusal of ['403 Forbidden', '407 Request rejected by proxy', '502 Bad Gateway']) {
      const { proxy_url } = await openProxy(t, 9, refusal)
      const outbound = openOutbound(t, { ...strictPolicy, proxy_url }, unexpected)
      await assertRefuses(
        outbound.request({ url: 'https://receiver.example/' }),
        'connection_failed',
      )
    }
    const mute = await listen(
      t,
      createTcpServer((socket) => void socket.end()),
    )
    for (const port of [mute, 9]) {
      const proxy_url = `http://127.0.0.1:${port}`
      const outbound = openOutbound(t, { ...strictPolicy, proxy_url }, unexpected)
      await assertRefuses(
        outbound.request({ url: 'https://receiver.example/' }),
        'connection_failed',
      )
    }
  })

  it('is abandoned at the deadline if it is slow', async (t) => {
    const silent = await listen(
      t,
      createTcpServer(() => {}),
    )
    const proxy_url = `http://127.0.0.1:${silent}`
    const outbound = openOutbound(t, { ...strictPolicy, proxy_url }, unexpected)
    const call = outbound.request({ url: 'https://receiver.example/', deadline_ms: short_ms })
    await assertRefuses(call, 'timeout')
  })
})
