/** Tests of media files on sites: shown by a deploy, and protected from deletion while live. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture } from '../../../../test/fixtures/media/media.ts'
import {
  fileBooksOf,
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../../test/fixtures/sites/site-visitor.ts'
import { limits } from '../../../contract/limits.ts'
import { findServed, readManifest } from '../service.ts'

const runtime = await openTestRuntime()
const { db } = runtime.runtime
const media = mediaFixture(runtime)

const page = '<!doctype html><title>Bread</title><img src="pictures/bread.jpg">'
const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

function refused(answer: Answer, status: number, slug: string): void {
  assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
}

/** Creates an owner with an image in the library. */
async function newOwner() {
  const owner = await newSiteOwner(runtime)
  const key = await runtime.newKey({ project_id: owner.project_id })
  const bytes = await newPicture().jpeg().toBuffer()
  const picture = await media.ready(bytes, { key })
  return { ...owner, key, picture }
}

suite('media in a deploy', () => {
  test('serves a media file at its path with its own content type, beside the other files', async () => {
    const { publish, picture, project_id } = await newOwner()
    const shown = [{ media_id: picture.id, path: '/pictures/bread.jpg' }]
    const site = await publish({ 'index.html': page }, { media: shown })
    assert.deepEqual([site.warnings, site.files_count], [[], 2])
    assert.equal(site.bytes, Buffer.byteLength(page) + picture.bytes)
    const { files } = await readManifest(db, (await findServed(db, site.slug))!, 1)
    const file = files.find(({ path }) => path === 'pictures/bread.jpg')
    assert.deepEqual([file?.media_id, file?.content_type], [picture.id, 'image/jpeg'])
    await fileBooksOf(runtime, project_id)
  })

  test('adds smaller sources to wide pictures of new pages', async () => {
    const { publish, key, picture } = await newOwner()
    const bytes = await newPicture({ width: 1700, height: 20 }).jpeg().toBuffer()
    const wide = await media.ready(bytes, { key })
    const shown = [
      { media_id: wide.id, path: 'a/wide, 1.jpg' },
      { media_id: picture.id, path: 'small.jpg' },
    ]
    const others = [
      '<img src="../small.jpg">',
      '<img src="wide, 1.jpg?width=320">',
      '<img src="wide, 1.jpg" srcset="x.jpg 2x">',
      '<img src="https://elsewhere.example/a/wide, 1.jpg">',
      '<!-- <img src="wide, 1.jpg"> -->',
    ].join('')
    const content = `<title>x</title><img src="wide, 1.jpg" width="800">${others}<img alt src='/a/wide, 1.jpg'>`
    const site = await publish({ 'a/index.html': content }, { media: shown })
    assert.ok(site.warnings.includes('a/index.html: 2 wide pictures got smaller sources (srcset).'))
    const route = 'GET /a/'
    const { text } = await visit(runtime, { host: hostOf(site.url), route })
    const sources = (from: string) =>
      [160, 320, 640, 960, 1280].map((width) => `${from}?width=${width} ${width}w`).join(', ') +
      `, ${from} 1700w`
    const sized = 'sizes="(max-width: 800px) 100vw, 800px"'
    assert.equal(
      text,
      `<title>x</title><img srcset="${sources('wide%2C%201.jpg')}" ${sized} src="wide, 1.jpg" width="800">` +
        `${others}<img srcset="${sources('/a/wide%2C%201.jpg')}" sizes="100vw" alt src='/a/wide, 1.jpg'>`,
    )
    const copy = await visit(runtime, {
      host: hostOf(site.url),
      route: 'GET /a/wide%2C%201.jpg?width=320',
    })
    assert.equal(copy.headers['content-type'], 'image/webp')
  })

  test('serves a text media file with charset=utf-8', async () => {
    const { publish, key } = await newOwner()
    const bytes = Buffer.from('naam,prijs\ncafé crème,3\n')
    const { id } = await media.ready(bytes, { key, filename: 'prices.csv' })
    const site = await publish({ 'index.html': page }, { media: [{ media_id: id, path: 'p.csv' }] })
    const seen = await visit(runtime, { host: hostOf(site.url), route: 'GET /p.csv' })
    assert.equal(seen.headers['content-type'], 'text/csv; charset=utf-8')
    assert.ok(seen.body.equals(bytes))
  })

  test('refuses to delete a media file while it is live, and deletes it afterwards', async () => {
    const { call, publish, picture, project_id } = await newOwner()
    const path = 'pictures/bread.jpg'
    const shown = [{ media_id: picture.id, path }]
    const site = await publish({ 'index.html': page }, { media: shown })
    const answer = await call(`DELETE /media/${picture.id}`)
    refused(answer, 409, 'conflict')
    assert.deepEqual(answer.body.used_on, [{ site_id: site.id, path }])
    assert.equal((await call(`PUT /sites/${site.id}`, { delete: [path] })).status, 200)
    assert.equal((await call(`DELETE /media/${picture.id}`)).status, 204)
    await fileBooksOf(runtime, project_id)
    const back = await call(`POST /sites/${site.id}/rollback`, {})
    assert.deepEqual([back.status, back.body.files_count], [200, 2], 'the old version keeps it')
    const { files } = await readManifest(db, (await findServed(db, site.slug))!, 1)
    assert.ok(files.some((file) => file.path === path))
    await fileBooksOf(runtime, project_id)
  })

  test('references a media file again after a rollback, and releases it when the site is deleted', async () => {
    const { call, publish, picture } = await newOwner()
    const shown = [{ media_id: picture.id, path: 'a.jpg' }]
    const site = await publish({ 'index.html': page }, { media: shown })
    await call(`PUT /sites/${site.id}`, { files: filesFromTexts({ 'index.html': page }) })
    assert.deepEqual((await call(`GET /media/${picture.id}`)).body.used_on, [])
    await call(`POST /sites/${site.id}/rollback`, {})
    refused(await call(`DELETE /media/${picture.id}`), 409, 'conflict')
    await call(`DELETE /sites/${site.id}`)
    assert.equal((await call(`DELETE /media/${picture.id}`)).status, 204)
  })

  test('keeps media with keep_others, and does not count it in the size of the site', async () => {
    const { call, publish, picture } = await newOwner()
    const shown = Array.from({ length: limits.site_files_max + 1 }, (_, n) => {
      return { media_id: picture.id, path: `${n}.jpg` }
    })
    const site = await publish({ 'index.html': page }, { media: shown })
    const body = { files: filesFromTexts({ 'new.html': page }), keep_others: true }
    const answer = await call(`PUT /sites/${site.id}`, body)
    assert.deepEqual([answer.status, answer.body.files_count], [200, limits.site_files_max + 3])
  })

  test('refuses media that is missing, not ready or of another project: 422 validation_failed', async () => {
    const [one, other] = [await newOwner(), await newOwner()]
    for (const media_id of [UNKNOWN_ID, other.picture.id]) {
      const body = { slug: newSlug(), files: filesFromTexts({ 'index.html': page }) }
      const shown = [{ media_id, path: 'a.jpg' }]
      const answer = await one.call('POST /sites', { ...body, media: shown })
      refused(answer, 422, 'validation_failed')
      assert.equal(answer.body.errors[0].path, '/media/0/media_id')
    }
  })

  test('refuses media and a file at the same path: 422 validation_failed', async () => {
    const { call, picture } = await newOwner()
    const body = { slug: newSlug(), files: filesFromTexts({ 'a.jpg': page }) }
    const shown = [{ media_id: picture.id, path: '/a.jpg' }]
    refused(await call('POST /sites', { ...body, media: shown }), 422, 'validation_failed')
  })

  test('refuses more than 200 media files', async () => {
    const { call, picture } = await newOwner()
    const shown = Array.from({ length: limits.site_media_max + 1 }, (_, n) => {
      return { media_id: picture.id, path: `${n}.jpg` }
    })
    const body = { slug: newSlug(), files: filesFromTexts({ 'index.html': page }), media: shown }
    refused(await call('POST /sites', body), 422, 'validation_failed')
  })
})
