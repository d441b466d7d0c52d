/** Tests of the replacement of a file of the library, and of the sites that show it. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { mediaFixture, newPicture, newRecording } from '../../../../test/fixtures/media/media.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { fileBooksOf, newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../../test/fixtures/sites/site-visitor.ts'

const runtime = await openTestRuntime()
const media = mediaFixture(runtime)
const page = '<!doctype html><title>Bread</title><img src="bread.jpg">'
const jpeg = () => newPicture().jpeg().toBuffer()

/** Creates an owner with two pictures, of which a live site shows the first. */
async function newOwner() {
  const owner = await newSiteOwner(runtime)
  const key = await runtime.newKey({ project_id: owner.project_id })
  const shown = await media.ready(await jpeg(), { key, filename: 'bread.jpg' })
  const fresh = await media.ready(await newPicture({ width: 500 }).png().toBuffer(), {
    key,
    filename: 'new-bread.png',
    content_type: 'image/png',
  })
  const site = await owner.publish(
    { 'index.html': page },
    { media: [{ media_id: shown.id, path: 'bread.jpg' }] },
  )
  return { ...owner, key, shown, fresh, site }
}

suite('POST /media/{id}/replace', () => {
  test('keeps id, descriptions and places, and publishes the new content on the site', async () => {
    const { call, project_id, shown, fresh, site } = await newOwner()
    const described = { alt: 'Our bread', tags: ['food'], focal_point: { x: 0, y: 0 } }
    await call(`PATCH /media/${shown.id}`, described)
    const answer = await call(`POST /media/${shown.id}/replace`, { media_id: fresh.id })
    assert.equal(answer.status, 200, answer.text)
    const { sites, ...file } = answer.body
    assert.deepEqual(sites, [{ site_id: site.id, version: 2, problem: null }])
    assert.deepEqual(
      [file.id, file.sha256, file.content_type, file.width, file.filename],
      [shown.id, fresh.sha256, 'image/png', 500, 'new-bread.png'],
    )
    assert.deepEqual(
      [file.alt, file.tags, file.focal_point, file.created_at],
      ['Our bread', ['food'], null, shown.created_at],
    )
    assert.deepEqual(file.used_on, [{ site_id: site.id, path: 'bread.jpg' }])
    assert.equal((await call(`GET /media/${fresh.id}`)).status, 404)
    const seen = await visit(runtime, { host: hostOf(site.url), route: 'GET /bread.jpg' })
    assert.deepEqual([seen.headers['content-type'], seen.body.length], ['image/png', fresh.bytes])
    await fileBooksOf(runtime, project_id)
  })

  test('has links of the new content at once, and a rollback shows the former one', async () => {
    const { call, shown, fresh, site } = await newOwner()
    await call(`GET /media/${shown.id}/link?width=160`)
    await call(`POST /media/${shown.id}/replace`, { media_id: fresh.id })
    const { url } = (await call(`GET /media/${shown.id}/link`)).body
    assert.equal((await (await fetch(url)).arrayBuffer()).byteLength, fresh.bytes)
    assert.deepEqual((await call(`GET /media/${shown.id}`)).body.variants, [])
    await call(`POST /sites/${site.id}/rollback`, {})
    const seen = await visit(runtime, { host: hostOf(site.url), route: 'GET /bread.jpg' })
    assert.equal(seen.body.length, shown.bytes)
  })

  test('reports a site that could not be published', async () => {
    const { call, shown, fresh, site, project_id } = await newOwner()
    await runtime.runtime.db.transact((tx) =>
      tx
        .updateTable('sites')
        .set({ status: 'offline', status_reason: 'abuse' })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const { body } = await call(`POST /media/${shown.id}/replace`, { media_id: fresh.id })
    const [{ problem, ...rest }] = body.sites
    assert.deepEqual(rest, { site_id: site.id, version: null })
    assert.match(problem, /offline/)
    assert.equal(body.sha256, fresh.sha256)
  })

  test('is refused with 422 by the same file, an unknown file or one of another kind', async () => {
    const { call, key, shown } = await newOwner()
    const sound = await media.ready(newRecording(), { key, filename: 'a.wav' })
    const unknown = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    for (const media_id of [shown.id, unknown, sound.id]) {
      const answer = await call(`POST /media/${shown.id}/replace`, { media_id })
      assert.deepEqual([answer.status, answer.body.errors?.[0].path], [422, '/media_id'])
    }
  })

  test('is refused with 409 and used_on by a file that a site shows', async () => {
    const { call, shown, fresh, site } = await newOwner()
    const answer = await call(`POST /media/${fresh.id}/replace`, { media_id: shown.id })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    assert.deepEqual(answer.body.used_on, [{ site_id: site.id, path: 'bread.jpg' }])
  })
})
