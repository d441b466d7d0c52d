/** Tests of versions over HTTP: list, read, rollback and retention. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import {
  fileBooksOf,
  filesFromTexts,
  newSiteOwner,
  type SiteOwner,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { limits } from '../../../contract/limits.ts'
import * as projects from '../../projects/service.ts'
import { findServed, readManifest, SITES_TOPIC } from '../service.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

function refused(answer: Answer, status: number, slug: string): void {
  assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
}

function labelOf(url: string): string {
  return new URL(url).hostname.split('.')[0] ?? ''
}

/** Returns the digests of the files that visitors get, by path. */
async function shownAt(label: string) {
  const site = await findServed(db, label)
  assert.ok(site)
  const { files } = await readManifest(db, site, site.version)
  return Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]))
}

/** Creates a site with versions 1 to `count`, each with its own page. */
async function newSite(count: number, owner?: SiteOwner) {
  const whose = owner ?? (await newSiteOwner(runtime))
  const site = await whose.publish({ 'index.html': 'page 1' })
  for (let n = 2; n <= count; n++) {
    const files = filesFromTexts({ 'index.html': `page ${n}` })
    const { status, text } = await whose.call(`PUT /sites/${site.id}`, { files })
    assert.equal(status, 200, text)
  }
  return { ...whose, site, path: `/sites/${site.id}` }
}

suite('a rollback to a version of another address', () => {
  test('is checked against the current address: 422 site_blocked, and the live version stays', async () => {
    const owner = await newSiteOwner(runtime)
    const login = '<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form>'
    const site = await owner.publish({ 'index.html': login })
    const path = `/sites/${site.id}`
    await owner.call(`PUT ${path}`, { files: filesFromTexts({ 'index.html': '<h1>Bread</h1>' }) })
    const moved = await owner.call(`PATCH ${path}`, { slug: 'paypal-login' })
    assert.equal(moved.status, 200, moved.text)
    refused(await owner.call(`POST ${path}/rollback`, { version: 1 }), 422, 'site_blocked')
    assert.equal((await owner.call(`GET ${path}`)).body.version, 2)
  })
})

suite('GET /sites/{id}/versions', () => {
  test('lists versions newest first, each with its own address', async () => {
    const { call, site, path, project_id } = await newSite(2)
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const body = { files: filesFromTexts({ 'index.html': '<form data-collection="bookings">' }) }
    await runtime.call(`PUT ${path}`, { key, body })
    const { status, body: list } = await call(`GET ${path}/versions`)
    assert.equal(status, 200)
    const [newest] = list.data
    assert.deepEqual(
      list.data.map(({ version, live, test }: any) => [version, live, test]),
      [
        [3, true, false],
        [2, false, true],
        [1, false, true],
      ],
    )
    assert.deepEqual(newest.collections, ['bookings'])
    assert.equal(newest.files_count, 1)
    const page = await call(`GET ${path}/files/index.html`)
    assert.equal(newest.bytes, Buffer.byteLength(page.body.content))
    for (const { preview_url, version } of list.data) {
      const served = await findServed(db, labelOf(preview_url))
      assert.deepEqual([served?.id, served?.version, served?.preview], [site.id, version, true])
    }
  })

  test('returns the warnings of each version', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'about.html': '<a href="gone.html">', _redirects: '/a' })
    assert.equal(site.warnings.length, 3, site.warnings.join('\n'))
    const { body } = await call(`GET /sites/${site.id}/versions`)
    assert.deepEqual(body.data[0].warnings, site.warnings)
  })
})

suite('POST /sites/{id}/rollback', () => {
  test('serves an earlier version at once, and keeps the later ones', async () => {
    const { call, site, path, project_id } = await newSite(3)
    const first = await findServed(db, labelOf(site.preview_url))
    let announced = 0
    const silence = runtime.runtime.wakeups.listen(SITES_TOPIC, () => (announced += 1))
    const back = await call(`POST ${path}/rollback`, { version: 1 })
    silence()
    assert.deepEqual([back.status, back.body.version, announced], [200, 1, 1])
    assert.deepEqual(
      await shownAt(site.slug),
      await readManifest(db, first!, 1).then(({ files }) => ({ 'index.html': files[0]?.sha256 })),
    )
    const forth = await call(`POST ${path}/rollback`, { version: 3 })
    assert.deepEqual([forth.status, forth.body.version], [200, 3])
    await fileBooksOf(runtime, project_id)
  })

  test('makes the version before the live one live if the request names none', async () => {
    const { call, path } = await newSite(3)
    const versions = []
    for (let n = 0; n < 2; n++)
      versions.push((await call(`POST ${path}/rollback`, {})).body.version)
    assert.deepEqual(versions, [2, 1])
    refused(await call(`POST ${path}/rollback`, {}), 409, 'conflict')
  })

  test('gives the next deploy a new number', async () => {
    const { call, path } = await newSite(3)
    await call(`POST ${path}/rollback`, { version: 1 })
    const kept = { files: filesFromTexts({ 'new.html': 'new' }), keep_others: true }
    const { body } = await call(`PUT ${path}`, kept)
    assert.deepEqual([body.version, body.files_count], [4, 2])
    const page = await call(`GET ${path}/files/index.html`)
    assert.equal(page.body.content, 'page 1', 'it builds on what is live')
  })

  test('refuses an unknown version: 422 validation_failed', async () => {
    const { call, path } = await newSite(2)
    for (const version of [3, 0, -1, 1.5, '1']) {
      refused(await call(`POST ${path}/rollback`, { version }), 422, 'validation_failed')
    }
  })

  test('restores the collections of that version', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': '<form data-collection="old">' })
    assert.deepEqual(site.collections, ['old'])
    const files = filesFromTexts({ 'index.html': '<form data-collection="new">' })
    assert.deepEqual((await call(`PUT /sites/${site.id}`, { files })).body.collections, ['new'])
    const { body } = await call(`POST /sites/${site.id}/rollback`, {})
    assert.deepEqual(body.collections, ['old'])
  })

  test('requires a phone number or a card for a public site: 403', async () => {
    const { call, path, project_id } = await newSite(2)
    await projects.change(db, project_id, { phone_verified: false })
    refused(await call(`POST ${path}/rollback`, {}), 403, 'phone_verification_required')
  })

  test('does not count as a deploy', async () => {
    const { call, path } = await newSite(2)
    const most = limits.first_week_deploys_per_hour_max
    for (let n = 0; n <= most; n++) {
      const { status } = await call(`POST ${path}/rollback`, { version: 1 + (n % 2) })
      assert.equal(status, 200)
    }
    assert.equal((await call(`PUT ${path}`, { files: filesFromTexts({ a: 'a' }) })).status, 200)
  })
})

suite('GET /sites/{id}/files', () => {
  test('returns the files of the live version or of a given version, by path', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'b.txt': 'b', 'a/z.txt': 'z', _headers: '/*\n  X-A: b' })
    await call(`PUT /sites/${site.id}`, { files: filesFromTexts({ 'new.html': 'new' }) })
    const live = await call(`GET /sites/${site.id}/files`)
    assert.deepEqual(
      [live.body.version, live.body.data.map(({ path }: any) => path)],
      [2, ['new.html']],
    )
    const first = await call(`GET /sites/${site.id}/files?version=1`)
    assert.deepEqual(
      first.body.data.map(({ path, bytes, content_type, media_id }: any) => [
        path,
        bytes,
        content_type,
        media_id,
      ]),
      [
        ['_headers', 11, 'text/plain; charset=utf-8', null],
        ['a/z.txt', 1, 'text/plain; charset=utf-8', null],
        ['b.txt', 1, 'text/plain; charset=utf-8', null],
      ],
    )
  })

  test('answers 404 for an unknown version and 400 for an invalid one', async () => {
    const { call, path } = await newSite(1)
    refused(await call(`GET ${path}/files?version=2`), 404, 'not_found')
    refused(await call(`GET ${path}/files/index.html?version=2`), 404, 'not_found')
    for (const version of ['x', '0', '1.5', '99999999999']) {
      refused(await call(`GET ${path}/files?version=${version}`), 400, 'invalid_parameter')
    }
  })
})

suite('GET /sites/{id}/files/{path}', () => {
  test('returns text as text and everything else as base64', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const bytes = Buffer.from([0xff, 0xd8, 0, 1])
    const site = await publish({ 'index.html': 'Größe' })
    const files = [
      { path: 'a/p.jpg', content: bytes.toString('base64'), encoding: 'base64' },
      { path: 'latin.html', content: 'R3L232U=', encoding: 'base64' },
    ]
    await call(`PUT /sites/${site.id}`, { files, keep_others: true })
    const read = async (path: string) => (await call(`GET /sites/${site.id}/files/${path}`)).body
    const page = await read('index.html')
    assert.deepEqual([page.encoding, page.content, page.version], ['utf8', 'Größe', 2])
    assert.deepEqual([page.bytes, page.content_type], [7, 'text/html; charset=utf-8'])
    const picture = await read('a%2Fp.jpg')
    assert.deepEqual([picture.encoding, picture.content], ['base64', bytes.toString('base64')])
    const latin = await read('latin.html')
    assert.deepEqual([latin.encoding, latin.content], ['base64', 'R3L232U='])
  })

  test('answers 404 for a missing file', async () => {
    const { call, path } = await newSite(1)
    for (const file of ['gone.html', 'INDEX.html', 'index', `${'a%2F'.repeat(200)}x`]) {
      refused(await call(`GET ${path}/files/${file}`), 404, 'not_found')
    }
  })
})

suite('version retention', () => {
  test('keeps the newest 50 versions and the live one, and releases the files of the others', async () => {
    const owner = await newSiteOwner(runtime)
    const { project_id } = owner
    await projects.setVerification(db, { project_id, level: 'company', status: 'approved' })
    const { call, path, site } = await newSite(limits.site_versions_kept_max + 2, owner)
    const numbers = async () =>
      (await call(`GET ${path}/versions`)).body.data.map(({ version }: any) => version)
    assert.deepEqual([(await numbers()).length, (await numbers()).at(-1)], [50, 3])
    assert.equal(await findServed(db, labelOf(site.preview_url)), null)
    await call(`POST ${path}/rollback`, { version: 3 })
    for (const text of ['a', 'b']) {
      const files = filesFromTexts({ 'index.html': text })
      assert.equal((await call(`PUT ${path}`, { files, keep_others: true })).status, 200)
    }
    assert.deepEqual([(await numbers()).length, (await numbers()).at(-1)], [50, 5])
    await fileBooksOf(runtime, project_id)
  })
})
