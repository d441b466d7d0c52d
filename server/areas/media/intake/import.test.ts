/** Tests of imports from URLs, which can return anything. */
import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { limits } from '../../../contract/limits.ts'
import { callerOf, slugOf } from '../../../../test/fixtures/data/data.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { fromPhone } from '../../../../test/fixtures/media/media.ts'
import { listen } from '../../../../test/fixtures/loopback.ts'

const runtime = await openTestRuntime({ work: false })
const call = callerOf(runtime, runtime.project_id)
const picture = await fromPhone().jpeg().toBuffer()
const seen: Parameters<RequestListener>[0][] = []

type Answer = (response: ServerResponse) => void

const lead = (status: number, location?: string): Answer => {
  return (response) => response.writeHead(status, location ? { location } : {}).end('moved')
}

const places: Record<string, Answer> = {
  '/photos/terrace.jpg': (response) => response.end(picture),
  '/photos/caf%C3%A9%2F..%2Fx.jpg': (response) => response.end(picture),
  '/': (response) => response.end(picture),
  '/page': (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html>'),
  '/empty': (response) => response.end(),
  '/missing': lead(404),
  '/away': lead(302, '/photos/terrace.jpg'),
  '/twice': lead(308, '/away'),
  '/round': lead(307, '/round'),
  '/nowhere': lead(301),
  '/file': lead(302, 'file:///etc/passwd'),
  '/inside': lead(302, 'http://169.254.169.254/latest/meta-data'),
  '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  '/large': (response) => {
    response.writeHead(200, { 'content-length': String(limits.media_import_bytes_max + 1) })
    response.write('x')
  },
  '/endless': (response) => {
    const more = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(1_048_576)))
    more.on('error', () => {}).pipe(response)
  },
  '/gone': (response) => response.destroy(),
}

const server = createServer((request, response) => {
  seen.push(request)
  response.on('error', () => {})
  places[request.url ?? '']?.(response)
})
const origin = `http://127.0.0.1:${await listen({ after }, server)}`

const bring = (path: string, more: object = {}) =>
  call('POST /media/import', { url: /^\w+:/.test(path) ? path : origin + path, ...more })

describe('an import from a URL', () => {
  test('creates a media file like an upload', async () => {
    const says = { alt: 'The terrace', tags: ['summer'], folder: 'menu' }
    const { status, body, text } = await bring('/photos/terrace.jpg', says)
    assert.equal(status, 201, text)
    assert.deepEqual(
      [body.filename, body.kind, body.content_type, body.status, body.source, body.width],
      ['terrace.jpg', 'image', 'image/jpeg', 'ready', 'import', 400],
    )
    assert.deepEqual([body.alt, body.tags, body.folder], ['The terrace', ['summer'], 'menu'])
    assert.notEqual(body.sha256, body.sent_sha256)
  })

  test('sends no keys and no cookies', async () => {
    await bring('/photos/terrace.jpg')
    const { headers, method } = seen.at(-1)!
    assert.equal(method, 'GET')
    assert.deepEqual(Object.keys(headers).toSorted(), [
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  test('uses the given file name, else the last part of the URL without folders', async () => {
    const names: [string, object, string][] = [
      ['/photos/terrace.jpg', { filename: 'other.jpg' }, 'other.jpg'],
      ['/photos/caf%C3%A9%2F..%2Fx.jpg', {}, 'café..x.jpg'],
      ['/', {}, '127.0.0.1'],
    ]
    for (const [path, more, name] of names) {
      assert.equal((await bring(path, more)).body.filename, name)
    }
  })

  test('derives the type from the bytes, whatever the server declares', async () => {
    const { body } = await bring('/page')
    assert.deepEqual([body.kind, body.content_type], ['document', 'text/html; charset=utf-8'])
  })

  test('follows redirects', async () => {
    for (const path of ['/away', '/twice']) {
      const { status, body } = await bring(path)
      assert.deepEqual([status, body.filename], [201, 'terrace.jpg'])
    }
  })
})

describe('an import from an invalid or failing URL', () => {
  const faulty: [string, RegExp][] = [
    ['/missing', /answered with 404/],
    ['/empty', /empty file/],
    ['/round', /leads on more than 3 times/],
    ['/nowhere', /not an address/],
    ['/packed', /packed as gzip/],
    ['/gone', /closed the connection/],
    ['/file', /./],
    ['/inside', /./],
    ['http://169.254.169.254/latest/meta-data', /./],
    ['http://10.0.0.1/', /./],
    ['file:///etc/passwd', /./],
    ['data:image/png;base64,AAAA', /./],
    ['http://user:password@127.0.0.1/', /./],
    ['http://nobody.invalid/a.jpg', /no address/],
  ]
  for (const [address, reason] of faulty) {
    test(`is refused with 422 validation_failed and a reason: ${address}`, async () => {
      const answer = await bring(address)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.match(answer.body.detail, reason)
      assert.equal(answer.body.errors[0].path, '/url')
      assert.doesNotMatch(answer.text, /root:|ami-id/)
    })
  }

  test('is refused with 422 if the URL cannot be parsed', async () => {
    assert.equal((await call('POST /media/import', { url: 'terrace.jpg' })).status, 422)
  })

  test('is refused with 413 file_too_large for more bytes than allowed, with or without a Content-Length', async () => {
    for (const path of ['/large', '/endless']) {
      const answer = await bring(path)
      assert.deepEqual([answer.status, slugOf(answer)], [413, 'file_too_large'])
      assert.equal(answer.body.limit_bytes, limits.media_import_bytes_max)
    }
  })

  test('is refused with 429 for a project with too many pending imports, and delays no other project', async () => {
    const held: ServerResponse[] = []
    places['/slow'] = (response) => void held.push(response)
    const answers: Promise<Awaited<ReturnType<typeof bring>>>[] = []
    const begin = () => answers.push(bring('/slow'))
    begin()
    begin()
    await eventually(() => held.length === 2)
    for (let waiting = 0; waiting < 8; waiting += 1) begin()
    const refused = await eventually(async () => {
      const answer = await bring('/photos/terrace.jpg')
      return answer.status === 429 && answer
    })
    assert.equal(slugOf(refused), 'rate_limited')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    const other = callerOf(runtime, (await runtime.newProject()).project_id)
    const url = `${origin}/photos/terrace.jpg`
    assert.equal((await other('POST /media/import', { url })).status, 201)
    assert.equal(held.length, 2)
    places['/slow'] = (response) => response.end(picture)
    for (const response of held) response.end(picture)
    const [first, second] = await Promise.all(answers)
    assert.deepEqual([first?.status, second?.status], [201, 201])
  })
})

test('an import may use private addresses only if the server allows them for webhooks', async () => {
  const strict = await openTestRuntime({
    work: false,
    settings: { HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '1', HOMEPORT_EGRESS_ALLOW_PRIVATE: '0' },
  })
  const asked = seen.length
  const { body } = await strict.call('POST /media/import', {
    body: { url: `${origin}/photos/terrace.jpg` },
  })
  assert.equal(body.status, 422)
  assert.equal(seen.length, asked)
})
