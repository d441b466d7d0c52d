/**
 * Tests of the guarded fetch on real sockets: changing names, the address policy, and unmodified
 * requests and replies.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { startNameServer, type DnsAnswer } from '../../../test/fixtures/external/dns-server.ts'
import {
  developmentPolicy,
  replyOk,
  openOutbound,
  openReceiver,
  assertRefuses,
  strictPolicy,
} from '../../../test/fixtures/external/outside.ts'
import { createOutbound, OutboundError } from './outbound.ts'

async function openNames(t: TestContext, answer: (host: string, earlier: number) => DnsAnswer) {
  const names = await startNameServer(answer)
  t.after(() => names.close())
  return names
}

describe('the names of receivers', () => {
  it('are accepted if every address is public', async (t) => {
    const names = await openNames(t, () => ['93.184.215.14', '2606:4700::1'])
    await openOutbound(t, strictPolicy, names.resolve).check('https://receiver.example/hooks')
  })

  it('are refused if one of many addresses is not', async (t) => {
    const bad = ['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '64:ff9b::a00:1']
    const names = await openNames(t, (host) => {
      return ['93.184.215.14', '2606:4700::1', bad[Number(host.split('.')[1])] ?? '']
    })
    const outbound = openOutbound(t, strictPolicy, names.resolve)
    for (const number of bad.keys()) {
      await assertRefuses(outbound.check(`https://a.${number}.example/`), 'not_public_host')
    }
  })

  it('do not disclose the address of a private name', async (t) => {
    const names = await openNames(t, () => ['10.1.2.3'])
    const check = openOutbound(t, strictPolicy, names.resolve).check('https://wiki.corp.example/')
    await assertRefuses(
      check,
      'not_public_host',
      /^wiki\.corp\.example does not lead to a public address\.$/,
    )
  })

  it('count as a failed connection if they have no address', async (t) => {
    const names = await openNames(t, (host) => (host === 'no.example' ? 'no_such_name' : []))
    const outbound = openOutbound(t, strictPolicy, names.resolve)
    for (const host of ['no.example', 'empty.example']) {
      await assertRefuses(
        outbound.check(`https://${host}/`),
        'connection_failed',
        /has no address\.$/,
      )
    }
    const nothing = openOutbound(t, strictPolicy, async () => [])
    await assertRefuses(nothing.check('https://empty.example/'), 'connection_failed')
  })

  it('share the deadline of the request with a silent DNS server', async (t) => {
    const names = await openNames(t, () => 'silence')
    const outbound = openOutbound(t, strictPolicy, names.resolve)
    const call = outbound.request({ url: 'https://slow.example/', deadline_ms: 250 })
    await assertRefuses(call, 'timeout', /^slow\.example did not answer within 0\.25 s\.$/)
  })

  it('include those of the machine: localhost reaches loopback in development', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const reply = await openOutbound(t, developmentPolicy).request({
      url: `http://localhost:${receiver.port}/`,
    })
    assert.equal(reply.status, 200)
  })

  it('are refused in development if they resolve to private networks', async (t) => {
    const names = await openNames(t, () => ['127.0.0.1', '192.168.1.1'])
    const check = openOutbound(t, developmentPolicy, names.resolve).check(
      'http://router.example:80/',
    )
    await assertRefuses(check, 'not_public_host')
  })

  it('are resolved once for concurrent requests, and again for the next request', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const names = await openNames(t, () => ['127.0.0.1'])
    const outbound = openOutbound(t, developmentPolicy, names.resolve)
    const call = () => outbound.request({ url: `http://many.example:${receiver.port}/` })
    await Promise.all(Array.from({ length: 20 }, call))
    assert.equal(names.lookups('many.example'), 1)
    await call()
    assert.equal(names.lookups('many.example'), 2)
  })

  it('are resolved again after a failed look-up', async (t) => {
    const names = await openNames(t, (_host, earlier) => (earlier === 0 ? [] : ['1.1.1.1']))
    const outbound = openOutbound(t, strictPolicy, names.resolve)
    await assertRefuses(outbound.check('https://late.example/'), 'connection_failed')
    await outbound.check('https://late.example/')
  })
})

describe('a changing name', () => {
  it('is connected to the checked address, without a second look-up', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const names = await openNames(t, (_host, earlier) => [earlier === 0 ? '127.0.0.1' : '10.0.0.1'])
    const outbound = openOutbound(t, developmentPolicy, names.resolve)
    const url = `http://rebind.example:${receiver.port}/`
    assert.equal((await outbound.request({ url })).status, 200)
    assert.equal(names.lookups('rebind.example'), 1)
  })

  it('is refused with a private address although a connection is still open', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const names = await openNames(t, (_host, earlier) => [earlier === 0 ? '127.0.0.1' : '10.0.0.1'])
    const outbound = openOutbound(t, developmentPolicy, names.resolve)
    const url = `http://rebind.example:${receiver.port}/`
    await outbound.request({ url })
    await assertRefuses(outbound.request({ url }), 'not_public_host')
    assert.equal(receiver.connections, 1)
  })

  it('is connected at its new allowed address, not over the old connection', async (t) => {
    const dialled: string[] = []
    const receiver = await openReceiver(
      t,
      (request, response) => {
        dialled.push(request.socket.localAddress ?? '')
        response.end()
      },
      '0.0.0.0',
    )
    const names = await openNames(t, (_host, earlier) => [
      earlier === 0 ? '127.0.0.1' : '127.0.0.2',
    ])
    const outbound = openOutbound(t, developmentPolicy, names.resolve)
    const url = `http://moved.example:${receiver.port}/`
    await outbound.request({ url })
    await outbound.request({ url })
    assert.deepEqual(dialled, ['127.0.0.1', '127.0.0.2'])
  })

  it('keeps its connection if only the order of its addresses changes', async (t) => {
    const receiver = await openReceiver(t, replyOk, '0.0.0.0')
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4']
    let turn = 0
    const resolve = async () => {
      turn += 1
      return addresses.map((_address, index) => addresses[(index + turn) % 4] ?? '')
    }
    const outbound = openOutbound(t, developmentPolicy, resolve)
    for (let call = 0; call < 8; call += 1) {
      await outbound.request({ url: `http://steady.example:${receiver.port}/` })
    }
    // A request that follows at once may start before the first connection is reusable.
    assert(receiver.connections <= 2, `${receiver.connections} connections for 8 calls`)
  })

  it('is tried at no more than eight addresses', async (t) => {
    const receiver = await openReceiver(t, replyOk, '127.0.0.9')
    const resolve = async () => Array.from({ length: 9 }, (_none, index) => `127.0.0.${index + 1}`)
    const outbound = openOutbound(t, developmentPolicy, resolve)
    const call = outbound.request({ url: `http://crowd.example:${receiver.port}/` })
    await assertRefuses(call, 'connection_failed', /^crowd\.example refused the connection\.$/)
    assert.equal(receiver.connections, 0)
  })
})

describe('the policy', () => {
  it('refuses http, ports and addresses before connecting', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const outbound = openOutbound(t, strictPolicy)
    for (const start of [
      'http://127.0.0.1',
      'https://127.0.0.1',
      'http://localhost',
      'https://0',
    ]) {
      const url = `${start}:${receiver.port}/`
      await assertRefuses(outbound.request({ url }), 'invalid_url')
      await assertRefuses(outbound.check(url), 'invalid_url')
    }
    await assertRefuses(outbound.check('https://localhost/'), 'not_public_host')
    assert.equal(receiver.connections, 0)
  })

  it('refuses literal private addresses in development', async (t) => {
    const outbound = openOutbound(t, developmentPolicy)
    for (const host of ['169.254.169.254', '10.0.0.1', '192.168.0.1', '[::ffff:127.0.0.1]']) {
      await assertRefuses(outbound.request({ url: `http://${host}/` }), 'not_public_host')
    }
  })

  it("allows a service of the operator in the operator's networks", async (t) => {
    const receiver = await openReceiver(t, replyOk, '127.0.0.7')
    const policy = { ...strictPolicy, allow_plain: true, allow_cidrs: ['127.0.0.7/32'] }
    const outbound = openOutbound(t, policy)
    const reply = await outbound.request({ url: `http://127.0.0.7:${receiver.port}/v1` })
    assert.equal(reply.status, 200)
    await assertRefuses(outbound.check('http://127.0.0.8:11434/v1'), 'not_public_host')
  })
})

describe('a request', () => {
  it('arrives with its method, path, headers and body', async (t) => {
    const receiver = await openReceiver(t, async (request, response) => {
      const body = (await request.toArray()).join('')
      const { 'service-event': event, host } = request.headers
      response.end(JSON.stringify({ method: request.method, url: request.url, event, host, body }))
    })
    const reply = await openOutbound(t, developmentPolicy).request({
      url: `http://127.0.0.1:${receiver.port}/hooks/a%20b?c=d#fragment`,
      method: 'POST',
      headers: { 'Service-Event': 'webhook.test' },
      body: '{"grüße":1}',
    })
    assert.deepEqual(JSON.parse(Buffer.from(reply.body).toString()), {
      method: 'POST',
      url: '/hooks/a%20b?c=d',
      event: 'webhook.test',
      host: `127.0.0.1:${receiver.port}`,
      body: '{"grüße":1}',
    })
    assert(reply.duration_ms >= 0)
  })

  it('sends binary bodies unchanged', async (t) => {
    const receiver = await openReceiver(t, (request, response) => void request.pipe(response))
    const body = Uint8Array.from([0, 255, 128, 10])
    const url = `http://127.0.0.1:${receiver.port}/`
    const reply = await openOutbound(t, developmentPolicy).request({ url, method: 'PUT', body })
    assert.deepEqual(Uint8Array.from(reply.body), body)
  })

  it('throws as a bug if it is invalid, not as a failed receiver', async (t) => {
    const outbound = openOutbound(t, developmentPolicy)
    const wrong = [
      { Host: 'other.example' },
      { host: 'other.example' },
      { 'a b': 'c' },
      { a: '\n' },
    ]
    for (const headers of wrong) {
      const call = outbound.request({ url: 'http://127.0.0.1:9/', headers })
      await assert.rejects(call, (error) => !(error instanceof OutboundError))
    }
  })

  it('is refused after the shutdown, and open connections are closed', async (t) => {
    const receiver = await openReceiver(t, replyOk)
    const outbound = createOutbound(developmentPolicy)
    const url = `http://127.0.0.1:${receiver.port}/`
    await outbound.request({ url })
    await outbound.close()
    await assert.rejects(outbound.request({ url }), /after the end/)
  })

  it('is completed before the shutdown if it is running', async (t) => {
    const held = Promise.withResolvers<() => void>()
    const receiver = await openReceiver(t, (_request, response) => {
      held.resolve(() => response.end('late'))
    })
    const outbound = createOutbound(developmentPolicy)
    const call = outbound.request({ url: `http://127.0.0.1:${receiver.port}/` })
    const answer = await held.promise
    const end = outbound.close()
    answer()
    assert.equal(Buffer.from((await call).body).toString(), 'late')
    await end
  })
})

describe('a reply', () => {
  it('is returned with any status, and a redirect is not followed', async (t) => {
    const receiver = await openReceiver(t, (request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { Location: 'http://169.254.169.254/' })
      response.end()
    })
    const outbound = openOutbound(t, developmentPolicy)
    for (const status of [200, 204, 301, 302, 304, 307, 308, 404, 410, 500, 503]) {
      const reply = await outbound.request({ url: `http://127.0.0.1:${receiver.port}/${status}` })
      assert.equal(reply.status, status)
      assert.equal(reply.headers['location'], 'http://169.254.169.254/')
    }
  })

  it('has lowercase headers, with repeated ones joined', async (t) => {
    const receiver = await openReceiver(t, (_request, response) => {
      response.setHeader('X-Many', ['one', 'two']).setHeader('ETag', '"a"').end()
    })
    const url = `http://127.0.0.1:${receiver.port}/`
    const { headers } = await openOutbound(t, developmentPolicy).request({ url })
    assert.equal(headers['x-many'], 'one, two')
    assert.equal(headers['etag'], '"a"')
  })

  it('stays compressed, so a decompression bomb has no effect', async (t) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const receiver = await openReceiver(t, (_request, response) => {
      response.setHeader('Content-Encoding', 'gzip').end(bomb)
    })
    const url = `http://127.0.0.1:${receiver.port}/`
    const reply = await openOutbound(t, developmentPolicy).request({ url })
    assert.equal(reply.headers['content-encoding'], 'gzip')
    assert.equal(reply.body.length, bomb.length)
    assert.equal(gunzipSync(reply.body).length, 20_000_000)
  })

  it('may be exactly as large as the limit', async (t) => {
    const receiver = await openReceiver(t, (_request, response) => {
      response.write('12345')
      response.end('67890')
    })
    const url = `http://127.0.0.1:${receiver.port}/`
    const outbound = openOutbound(t, developmentPolicy)
    const reply = await outbound.request({ url, response_bytes_max: 10 })
    assert.equal(Buffer.from(reply.body).toString(), '1234567890')
    const call = outbound.request({ url, response_bytes_max: 9 })
    await assertRefuses(call, 'response_too_large', /^The response is over 9 bytes\.$/)
  })

  it('may announce a body of any size to HEAD', async (t) => {
    const receiver = await openReceiver(t, (_request, response) => {
      response.setHeader('Content-Length', 10_000_000).end()
    })
    const url = `http://127.0.0.1:${receiver.port}/`
    const reply = await openOutbound(t, developmentPolicy).request({ url, method: 'HEAD' })
    assert.equal(reply.body.length, 0)
  })
})
