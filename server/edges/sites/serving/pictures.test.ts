/** Tests of smaller copies of a site's pictures: `photo.jpg?width=640&format=webp`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import sharp from 'sharp'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture } from '../../../../test/fixtures/media/media.ts'
import { newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../../test/fixtures/sites/site-visitor.ts'
import { limits } from '../../../contract/limits.ts'

const runtime = await openTestRuntime({ work: false })

/** Deploys a site with these files. */
async function newSite(files: Record<string, Buffer>, more: object = {}) {
  const owner = await newSiteOwner(runtime)
  const binary = Object.entries(files).map(([path, bytes]) => {
    return { path, content: bytes.toString('base64'), encoding: 'base64' }
  })
  const index = { path: 'index.html', content: '<!doctype html><title>A</title><p>A</p>' }
  const site = await owner.publish({}, { files: [index, ...binary], ...more })
  const host = hostOf(site.url)
  return {
    ...owner,
    get: (path: string, headers: Record<string, string> = {}) =>
      visit(runtime, { host, route: `GET ${path}`, headers }),
    head: (path: string) => visit(runtime, { host, route: `HEAD ${path}` }),
  }
}

async function copiesOf(project_id: string) {
  const { rows } = await sql<{ file_id: string; width: number; format: string }>`
    select file_id, width, format from picture_copies where project_id = ${project_id}
    order by width, format`.execute(runtime.runtime.db)
  return rows
}

const photo = await newPicture({ width: 1500, height: 1000 }).jpeg({ quality: 95 }).toBuffer()

describe('a picture on a site', () => {
  test('is sent in the next larger width of the list, as WebP', async () => {
    const site = await newSite({ 'photo.jpg': photo })
    const { status, headers, body } = await site.get('/photo.jpg?width=500')
    const about = await sharp(body).metadata()
    assert.deepEqual(
      [status, headers['content-type'], about.format, about.width, about.height],
      [200, 'image/webp', 'webp', 640, 427],
    )
    assert.ok(body.length < photo.length / 4)
    assert.equal(headers['content-length'], String(body.length))
    assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
    assert.match(headers.etag ?? '', /-640\.webp"$/)
    const again = await site.get('/photo.jpg?width=640', { 'If-None-Match': headers.etag ?? '' })
    assert.deepEqual([again.status, again.body.length], [304, 0])
    const whole = await site.get('/photo.jpg')
    assert.ok(whole.body.equals(photo))
    assert.notEqual(whole.headers.etag, headers.etag)
    const head = await site.head('/photo.jpg?width=640')
    assert.deepEqual([head.headers.etag, head.body.length], [headers.etag, 0])
    const part = await site.get('/photo.jpg?width=640', { Range: 'bytes=0-9' })
    assert.deepEqual([part.status, part.body], [206, body.subarray(0, 10)])
  })

  test('is sent as AVIF, WebP or JPEG if the format is named', async () => {
    const site = await newSite({ 'photo.jpg': photo })
    const types = {
      avif: 'avif',
      webp: 'webp',
      jpeg: 'jpeg',
      jpg: 'jpeg',
      gif: 'webp',
      toString: 'webp',
    }
    for (const [format, expected] of Object.entries(types)) {
      const { status, headers } = await site.get(`/photo.jpg?width=320&format=${format}`)
      assert.deepEqual([status, headers['content-type']], [200, `image/${expected}`], format)
    }
  })

  test("is resized if it is in the media library, and shares the library's copies", async () => {
    const owner = await newSiteOwner(runtime)
    const key = await runtime.newKey({ project_id: owner.project_id })
    const { id } = await mediaFixture(runtime).ready(photo, { key })
    const site = await owner.publish(
      { 'index.html': '<!doctype html><title>A</title><p>A</p>' },
      { media: [{ media_id: id, path: 'photo.jpg' }] },
    )
    const host = hostOf(site.url)
    const seen = await visit(runtime, { host, route: 'GET /photo.jpg?width=640' })
    assert.equal(seen.headers['content-type'], 'image/webp')
    const { variants } = (await owner.call(`GET /media/${id}`)).body
    assert.deepEqual(variants, [{ width: 640, format: 'webp', bytes: seen.body.length }])
  })

  test('is never enlarged, and is sent as the original if no copy is smaller', async () => {
    const small = await newPicture({ width: 100, height: 50 }).webp({ quality: 20 }).toBuffer()
    const site = await newSite({ 'small.webp': small, 'photo.jpg': photo })
    assert.ok((await site.get('/small.webp?width=2000')).body.equals(small))
    const large = await site.get('/photo.jpg?width=999999')
    assert.equal((await sharp(large.body).metadata()).width, 1500)
  })

  test('is sent as the original for an invalid width, and other files for any query', async () => {
    const site = await newSite({ 'photo.jpg': photo })
    const queries = [
      'width=0',
      'width=-1',
      'width=1e3',
      'width=',
      'width=a',
      'format=webp',
      'w=320',
    ]
    for (const query of queries) {
      const { status, body } = await site.get(`/photo.jpg?${query}`)
      assert.deepEqual([status, body.equals(photo)], [200, true], query)
    }
    assert.match((await site.get('/?width=320')).text, /<p>A<\/p>/)
    assert.equal((await site.get('/missing.jpg?width=320')).status, 404)
  })

  test('has at most one copy per listed width and format', async () => {
    const picture = await newPicture({ width: 200, height: 100 }).jpeg({ quality: 100 }).toBuffer()
    const site = await newSite({ 'a.jpg': picture })
    const asked = Array.from({ length: 60 }, (_, n) => `/a.jpg?width=${n * 50 + 1}&junk=${n}`)
    const seen = await Promise.all(asked.map((path) => site.get(path)))
    assert.ok(seen.every(({ status }) => status === 200))
    const copies = await copiesOf(site.project_id)
    assert.deepEqual(
      copies.map(({ width, format }) => [width, format]),
      limits.media_widths.map((width) => [width, 'webp']),
    )
  })

  test('is not cached for a year while the original is sent instead of a copy', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const site = await newSite({ 'photo.3f9a1c2e.jpg': photo, 'false.3f9a1c2e.jpg': svg })
    const copy = await site.get('/photo.3f9a1c2e.jpg?width=320')
    assert.match(copy.headers['cache-control'] ?? '', /immutable/)
    const false_one = await site.get('/false.3f9a1c2e.jpg?width=320')
    assert.ok(false_one.body.equals(svg))
    assert.equal(false_one.headers['cache-control'], 'public, max-age=0, must-revalidate')
  })

  test('is sent as the original once the project reaches site_picture_copies_bytes_max', async () => {
    const site = await newSite({ 'photo.jpg': photo })
    await site.get('/photo.jpg?width=320')
    await sql`update picture_copies set bytes = ${limits.site_picture_copies_bytes_max}
      where project_id = ${site.project_id}`.execute(runtime.runtime.db)
    const { status, body } = await site.get('/photo.jpg?width=640')
    assert.deepEqual([status, body.equals(photo)], [200, true])
    assert.equal((await copiesOf(site.project_id)).length, 1)
  })

  test('requires the password of its site', async () => {
    const site = await newSite(
      { 'photo.jpg': photo },
      { visibility: 'password', password: 'seven bakers' },
    )
    const { status, headers } = await site.get('/photo.jpg?width=320')
    assert.equal(status, 401)
    assert.match(headers['content-type'] ?? '', /^text\/html/)
    assert.deepEqual(await copiesOf(site.project_id), [])
  })
})
