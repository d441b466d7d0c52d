/** Tests of signed links to files over HTTP: headers, ranges, caching and content types. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture } from '../../../test/fixtures/media/media.ts'
import { readFile } from '../../areas/files/service.ts'

const fixture = await openTestRuntime({ work: false })
const { ready } = mediaFixture(fixture)

interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

async function linkTo(id: string, query = ''): Promise<string> {
  const { body } = await fixture.call(`GET /media/${id}/link${query}`)
  return String(body.url).replace(fixture.runtime.config.public_url, fixture.url)
}

async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const answer = await fetch(url, { method, headers })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes } satisfies Answer
}

const picture = await ready(await newPicture().jpeg().toBuffer(), {
  filename: 'Terras één "1".jpg',
})
const text = 'opening hours and prices\n'.repeat(100)
const note = await ready(Buffer.from(text), { filename: 'note.txt' })

suite('a link to a file', () => {
  test('serves the bytes with nosniff', async () => {
    const { status, headers, bytes } = await get(await linkTo(picture.id))
    assert.equal(status, 200)
    assert.equal(bytes.length, picture.bytes)
    assert.equal(headers.get('content-type'), 'image/jpeg')
    assert.equal(headers.get('content-length'), String(picture.bytes))
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none'/)
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('set-cookie'), null)
    assert.match(headers.get('etag') ?? '', /^"[\w-]{22}"$/)
  })

  test('sends the filename in any script', async () => {
    const { headers } = await get(await linkTo(picture.id))
    assert.equal(
      headers.get('content-disposition'),
      `inline; filename="Terras __n _1_.jpg"; filename*=UTF-8''Terras%20%C3%A9%C3%A9n%20%221%22.jpg`,
    )
  })

  test('serves a resized picture with its own ETag', async () => {
    const { headers, bytes } = await get(await linkTo(picture.id, '?width=160&format=webp'))
    assert.equal(headers.get('content-type'), 'image/webp')
    assert.equal(bytes.subarray(0, 4).toString(), 'RIFF')
    assert.notEqual(headers.get('etag'), (await get(await linkTo(picture.id))).headers.get('etag'))
  })

  test('may be cached by the browser while it is valid', async () => {
    const { headers } = await get(await linkTo(picture.id))
    const [, left_s] = /^private, max-age=(\d+)$/.exec(headers.get('cache-control') ?? '') ?? []
    assert(Number(left_s) > 880 && Number(left_s) <= 901)
  })

  test('replies to HEAD without a body and to If-None-Match with 304', async () => {
    const url = await linkTo(note.id)
    const head = await get(url, {}, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    assert.equal(head.headers.get('content-length'), String(text.length))
    const etag = head.headers.get('etag') ?? ''
    const same = await get(url, { 'if-none-match': `"other", W/${etag}` })
    assert.deepEqual([same.status, same.bytes.length], [304, 0])
    assert.equal((await get(url, { 'if-none-match': '"other"' })).status, 200)
    assert.equal((await get(url, { 'if-match': '"other"' })).status, 412)
  })

  test('serves the requested range', async () => {
    const url = await linkTo(note.id)
    const cases: [range: string, from: number, to: number][] = [
      ['bytes=0-9', 0, 9],
      ['bytes=2490-', 2490, 2499],
      ['bytes=-5', 2495, 2499],
      ['bytes=2400-99999', 2400, 2499],
    ]
    for (const [range, from, to] of cases) {
      const { status, headers, bytes } = await get(url, { range })
      assert.equal(status, 206, range)
      assert.equal(bytes.toString(), text.slice(from, to + 1))
      assert.equal(headers.get('content-range'), `bytes ${from}-${to}/2500`)
      assert.equal(headers.get('content-length'), String(to - from + 1))
    }
    const beyond = await get(url, { range: 'bytes=2500-' })
    assert.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, 'bytes */2500'])
    for (const range of ['bytes=a-b', 'bytes=9-2', 'lines=1-2', 'bytes=0-1,5-6'])
      assert.equal((await get(url, { range })).status, 200)
    assert.equal((await get(url, { range: 'bytes=0-9', 'if-range': '"old"' })).status, 200)
  })

  test('serves every type except pictures, audio, video and PDF as a download', async () => {
    const files: [filename: string, content: string, disposition: string][] = [
      ['a.html', '<!doctype html><script>alert(1)</script>', 'attachment'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'attachment'],
      ['a.xml', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'attachment'],
      ['a.pdf', '%PDF-1.7\n', 'inline'],
    ]
    for (const [filename, content, disposition] of files) {
      const { id } = await ready(Buffer.from(content), { filename })
      const { headers } = await get(await linkTo(id))
      assert.equal(headers.get('content-disposition')?.split(';')[0], disposition, filename)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.doesNotMatch(headers.get('content-type') ?? '', /html|svg|xml|script/)
    }
  })

  test('replies 404 if it is invalid or expired', async () => {
    const url = await linkTo(note.id)
    for (const wrong of [
      `${url.slice(0, -1)}!`,
      `${fixture.url}/files/a`,
      `${fixture.url}/files/..%2f`,
    ])
      assert.equal((await get(wrong)).status, 404, wrong)
    fixture.passes('16 minutes')
    const { status, headers } = await get(url)
    assert.equal(status, 404)
    assert.equal(headers.get('content-type'), 'application/problem+json')
  })

  test('replies 404 if the bytes are missing', async () => {
    const { id } = await ready(Buffer.from('soon lost'), { filename: 'lost.txt' })
    const url = await linkTo(id)
    const { project_id, runtime } = fixture
    const keys = await Array.fromAsync(runtime.blobs.list(`${project_id}/`))
    const contents = await Promise.all(keys.map(({ key }) => runtime.blobs.read(key)))
    const lost = keys[contents.findIndex((bytes) => bytes.toString() === 'soon lost')]
    assert(lost)
    await runtime.blobs.remove([lost.key])
    await assert.rejects(readFile(runtime, project_id, { id: lost.key.split('/')[1] ?? '' }))
    assert.equal((await get(url)).status, 404)
  })
})
