/** Tests of files that are uploaded by link and referenced in a deploy by digest. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import {
  fileBooksOf,
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'

const runtime = await openTestRuntime({ work: false })

const page = '<!doctype html><title>Bread</title>'
const MB = 1_048_576

function refused(answer: Answer, status: number, slug: string): void {
  assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
}

/** Returns the announcement of a file with this content, and its reference in a deploy. */
function named(path: string, content: string | Buffer) {
  const bytes = Buffer.from(content)
  return { path, sha256: sha256(bytes).toString('hex'), bytes: bytes.length }
}

/** Uploads the content like a client. */
async function send(upload: any, content: string | Buffer): Promise<Response> {
  const { pathname } = new URL(upload.url)
  const { method, headers } = upload
  return fetch(runtime.url + pathname, { method, headers, body: Buffer.from(content) })
}

suite('POST /sites/uploads', () => {
  test('returns one upload link per file, in order, valid for 15 minutes', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = [
      named('index.html', page),
      { ...named('/a/logo', 'picture'), content_type: 'image/png' },
    ]
    const before = runtime.clock.now_ms()
    const { status, body } = await call('POST /sites/uploads', { files })
    assert.equal(status, 201)
    const [first, second] = body.uploads
    assert.deepEqual(
      body.uploads.map(({ path, method, status: needed }: any) => [path, method, needed]),
      [
        ['index.html', 'PUT', 'needed'],
        ['a/logo', 'PUT', 'needed'],
      ],
    )
    assert.equal(first.headers['Content-Type'], 'text/html; charset=utf-8')
    assert.equal(second.headers['Content-Type'], 'image/png')
    const lives_s = (Date.parse(first.expires_at) - before) / 1000
    assert.ok(lives_s >= limits.upload_link_lifetime_s && lives_s < 960, `${lives_s}`)
  })

  test('publishes an uploaded file by its digest, and requests no second upload of it', async () => {
    const { call, project_id } = await newSiteOwner(runtime)
    const files = [named('index.html', page), named('copy.html', page), named('a.txt', 'a')]
    const { body } = await call('POST /sites/uploads', { files })
    for (const [index, upload] of body.uploads.entries()) {
      if (index === 1) continue
      const { ok, status } = await send(upload, index === 0 ? page : 'a')
      assert.ok(ok, `${status}`)
    }
    const site = await call('POST /sites', { slug: newSlug(), files })
    assert.equal(site.status, 201, site.text)
    assert.deepEqual([site.body.title, site.body.files_count], ['Bread', 3])
    const read = await call(`GET /sites/${site.body.id}/files/copy.html`)
    assert.equal(read.body.content, page)
    const again = await call('POST /sites/uploads', { files })
    for (const upload of again.body.uploads) assert.equal(upload.status, 'already_there')
    await fileBooksOf(runtime, project_id)
  })

  test('refuses an invalid path or digest: 422 validation_failed', async () => {
    const { call } = await newSiteOwner(runtime)
    const good = named('index.html', page)
    for (const file of [
      { ...good, path: '../index.html' },
      { ...good, sha256: 'abc' },
      { ...good, sha256: good.sha256.toUpperCase() },
      { ...good, bytes: -1 },
      { ...good, bytes: 1.5 },
      { ...good, content_type: 'text/html\r\nX-Evil: 1' },
      { path: 'a', sha256: good.sha256 },
      { ...good, content: page },
    ]) {
      refused(await call('POST /sites/uploads', { files: [file] }), 422, 'validation_failed')
    }
    refused(await call('POST /sites/uploads', { files: [] }), 422, 'validation_failed')
    refused(await call('POST /sites/uploads', { files: [good, good] }), 422, 'validation_failed')
  })

  test('refuses uploads over the size limit of a site when they are announced: 422 site_too_large', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = (count: number, bytes: number) =>
      Array.from({ length: count }, (_, n) => ({ ...named(`${n}`, `${n}`), bytes }))
    for (const [count, bytes] of [
      [51, 1],
      [1, MB + 1],
      [6, MB],
    ] as const) {
      const answer = await call('POST /sites/uploads', { files: files(count, bytes) })
      refused(answer, 422, 'site_too_large')
    }
  })
})

suite('a deploy with an upload that was not received (upload_not_received)', () => {
  test('names every announced file without bytes, and publishes nothing', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const files = [named('a.txt', 'a'), named('b.txt', 'b'), named('c.txt', 'c')]
    const { body } = await call('POST /sites/uploads', { files })
    await send(body.uploads[1], 'b')
    const answer = await call(`PUT /sites/${site.id}`, { files })
    refused(answer, 422, 'upload_not_received')
    assert.deepEqual(
      answer.body.errors.map(({ path }: any) => path),
      ['/files/0', '/files/2'],
    )
    assert.match(answer.body.detail, /a\.txt/)
    assert.equal((await call(`GET /sites/${site.id}`)).body.version, 1)
    for (const index of [0, 2]) await send(body.uploads[index], index === 0 ? 'a' : 'c')
    assert.equal((await call(`PUT /sites/${site.id}`, { files })).status, 200)
  })

  test('treats a file that was never announced in the same way', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = [named('index.html', 'never announced')]
    refused(await call('POST /sites', { slug: newSlug(), files }), 422, 'upload_not_received')
  })

  test('does not find bytes uploaded by another project', async () => {
    const [one, other] = [await newSiteOwner(runtime), await newSiteOwner(runtime)]
    await one.publish({ 'index.html': page })
    const files = [named('index.html', page)]
    const answer = await other.call('POST /sites', { slug: newSlug(), files })
    refused(answer, 422, 'upload_not_received')
  })

  test('refuses a length that differs from the uploaded file: 422 validation_failed', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const files = [{ ...named('index.html', page), bytes: 3 }]
    const answer = await call(`PUT /sites/${site.id}`, { files })
    refused(answer, 422, 'validation_failed')
    assert.equal(answer.body.errors[0].path, '/files/0/bytes')
  })

  test('accepts the digest of a file whose content is in the same deploy', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = [...filesFromTexts({ 'index.html': page }), named('copy.html', page)]
    assert.equal((await call('POST /sites', { slug: newSlug(), files })).status, 201)
  })
})
