/** Tests of sites over HTTP: create, read, list, change, delete; limits and limited keys. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { slugOf } from '../../../test/fixtures/data/data.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import {
  fileBooksOf,
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../test/fixtures/sites/site-owner.ts'
import { limits } from '../../contract/limits.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import * as projects from '../projects/service.ts'
import { findServed, readManifest, SITES_TOPIC, takeOffline } from './service.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime
const domain = runtime.runtime.config.sites_domain

const page = '<!doctype html><title>Bread &amp; more</title><h1>Fresh</h1>'
const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

function refused(answer: Answer, status: number, slug: string): void {
  assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
}

function pathsIn({ body }: Answer): string[] {
  return body.errors.map(({ path }: { path: string }) => path)
}

/** Returns the paths of the files served at a subdomain (a DNS label); null if no site is there. */
async function shownAt(label: string): Promise<string[] | null> {
  const served = await findServed(db, label)
  if (!served) return null
  return (await readManifest(db, served, served.version)).files.map(({ path }) => path)
}

function labelOf(url: string): string {
  assert.ok(url.startsWith('http://') && url.endsWith(`.${domain}`), url)
  return url.slice('http://'.length, -domain.length - 1)
}

suite('POST /sites', () => {
  test('publishes files and returns the site with every field', async () => {
    const { call } = await newSiteOwner(runtime)
    const slug = newSlug()
    const answer = await call('POST /sites', {
      slug,
      files: filesFromTexts({ 'index.html': page }),
    })
    assert.equal(answer.status, 201, answer.text)
    const { id, preview_url, created_at, updated_at, deployed_at, ...others } = answer.body
    assert.ok(isUuid(id))
    assert.match(labelOf(preview_url), new RegExp(`^${slug}--[a-z2-7]{10}$`))
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual([updated_at, deployed_at], [created_at, created_at])
    assert.deepEqual(others, {
      slug,
      url: `http://${slug}.${domain}`,
      title: 'Bread & more',
      status: 'live',
      status_reason: null,
      visibility: 'public',
      spa: false,
      version: 1,
      revision: 1,
      files_count: 1,
      bytes: Buffer.byteLength(page),
      collections: [],
      domains: [],
      test: true,
      warnings: [],
    })
  })

  test('serves the published files at the site address and at the version address', async () => {
    const { publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'a/b.txt': 'b' })
    const served = await findServed(db, site.slug)
    assert.deepEqual([served?.id, served?.preview, served?.version], [site.id, false, 1])
    const preview = await findServed(db, labelOf(site.preview_url))
    assert.deepEqual([preview?.id, preview?.preview, preview?.version], [site.id, true, 1])
    assert.deepEqual(await shownAt(site.slug), ['a/b.txt', 'index.html'])
    assert.equal(await findServed(db, `${site.slug}x`), null)
    assert.equal(await findServed(db, `${site.slug}--aaaaaaaaaa`), null)
  })

  test('reports the mode of the key that created the site, and publishes in both modes', async () => {
    const { project_id } = await newSiteOwner(runtime)
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const body = { slug: newSlug(), files: filesFromTexts({ 'index.html': page }) }
    const { status, body: site } = await runtime.call('POST /sites', { key, body })
    assert.deepEqual([status, site.test], [201, false])
  })

  test('uses the given title, else the title of the page, else the slug as words', async () => {
    const { publish } = await newSiteOwner(runtime)
    const given = await publish({ 'index.html': page }, { title: 'Mine' })
    const words = await publish({ 'index.html': '<title> </title>' }, { slug: 'a-good-bakery' })
    assert.deepEqual([given.title, words.title], ['Mine', 'A good bakery'])
  })

  test('serves an unlisted site at a secret address, and not at its slug', async () => {
    const { publish } = await newSiteOwner(runtime, { verified: false })
    const site = await publish({ 'index.html': page }, { visibility: 'unlisted' })
    const label = labelOf(site.url)
    assert.match(label, new RegExp(`^${site.slug}-[a-z2-7]{12}$`))
    assert.equal((await findServed(db, label))?.visibility, 'unlisted')
    assert.equal(await findServed(db, site.slug), null)
  })

  test('stores a password as a hash, and requires one for a password-protected site', async () => {
    const { publish, call } = await newSiteOwner(runtime, { verified: false })
    const locked = { visibility: 'password', password: 'white flour' }
    const site = await publish({ 'index.html': page }, locked)
    assert.doesNotMatch(JSON.stringify(site), /white flour|argon/)
    const served = await findServed(db, site.slug)
    assert.match(served?.password_hash ?? '', /^\$argon2id\$/)
    const files = filesFromTexts({ 'index.html': page })
    for (const settings of [
      { visibility: 'password' },
      { password: 'white flour' },
      { visibility: 'unlisted', password: 'white flour' },
      { visibility: 'password', password: 'short' },
    ]) {
      const answer = await call('POST /sites', { slug: newSlug(), files, ...settings })
      refused(answer, 422, 'validation_failed')
      assert.deepEqual(pathsIn(answer), ['/password'])
    }
  })

  test('refuses slugs that are not a DNS label: 422 validation_failed', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = filesFromTexts({ 'index.html': page })
    const faulty = ['', 'a', 'A1', '-ab', 'ab-', 'a--b', 'a b', 'a.b', 'a_b', 'ü1', 'x'.repeat(49)]
    for (const slug of faulty) {
      const answer = await call('POST /sites', { slug, files })
      refused(answer, 422, 'validation_failed')
    }
  })

  test('refuses reserved slugs: 422 slug_reserved', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = filesFromTexts({ 'index.html': page })
    const named = ['www', 'api', 'app', 'docs', 'test', 'demo']
    for (const slug of [...named, 'homeport', 'homeport-shop', 'homeports', 'admin', 'mail']) {
      refused(await call('POST /sites', { slug, files }), 422, 'slug_reserved')
    }
  })

  test('names the site of the same project that has the slug, and the way to publish it again', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const { id, slug } = await publish({ 'index.html': 'Hello' })
    const files = filesFromTexts({ 'index.html': 'Hello again' })
    const answer = await call('POST /sites', { slug, files })
    refused(answer, 409, 'slug_taken')
    const { body } = answer
    assert.equal(body.site_id, id)
    assert.match(body.detail, new RegExp(id))
    assert.match(body.next_step, new RegExp(`PUT /sites/${id}`))
    const other = await newSiteOwner(runtime)
    const { body: theirs } = await other.call('POST /sites', { slug, files })
    assert.equal(theirs.site_id, undefined)
    assert.ok(!JSON.stringify(theirs).includes(id))
  })

  test('refuses a slug of another project: 409 slug_taken', async () => {
    const [one, other] = [await newSiteOwner(runtime), await newSiteOwner(runtime)]
    const { slug } = await one.publish({ 'index.html': page })
    for (const { call } of [one, other]) {
      const answer = await call('POST /sites', {
        slug,
        files: filesFromTexts({ 'index.html': page }),
      })
      refused(answer, 409, 'slug_taken')
    }
  })

  test('gives a slug to one of many concurrent requests', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, () => newSiteOwner(runtime)))
    const body = { slug: newSlug(), files: filesFromTexts({ 'index.html': page }) }
    const answers = await Promise.all(owners.map(({ call }) => call('POST /sites', body)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers) if (answer.status !== 201) refused(answer, 409, 'slug_taken')
  })

  test('limits the sites of a project, also with concurrent requests', async () => {
    const { call, project_id } = await newSiteOwner(runtime)
    const files = filesFromTexts({ 'index.html': page })
    const asked = Array.from({ length: 8 }, () => call('POST /sites', { slug: newSlug(), files }))
    const answers = await Promise.all(asked)
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, limits.sites_max)
    for (const answer of answers) {
      if (answer.status !== 201) {
        refused(answer, 422, 'site_limit_reached')
        assert.match(answer.body.user_message, /most on the plan Reachable, as on every plan\.$/)
      }
    }
    await fileBooksOf(runtime, project_id)
  })

  test('reports the site limit, a taken slug and a missing phone number in one answer', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    const files = filesFromTexts({ 'index.html': page })
    const slug = newSlug()
    assert.equal((await call('POST /sites', { slug, files })).status, 201)
    while ((await call('GET /sites')).body.data.length < limits.sites_max)
      await publish({ 'index.html': page })
    const both = await call('POST /sites', { slug, files })
    refused(both, 422, 'site_limit_reached')
    assert.match(both.body.user_message, /on the plan Reachable.*already has this address/)
    assert.match(both.body.next_step, /can be deleted to make room.*choose another slug/)
    await projects.change(db, project_id, { phone_verified: false })
    const all = await call('POST /sites', { slug, files })
    refused(all, 403, 'phone_verification_required')
    assert.match(all.body.detail, /phone number.*sites already.*has the slug/)
  })

  test('requires a verified phone number or a card for a public site: 403', async () => {
    const { call, project_id } = await newSiteOwner(runtime, { verified: false })
    const body = { slug: newSlug(), files: filesFromTexts({ 'index.html': page }) }
    refused(await call('POST /sites', body), 403, 'phone_verification_required')
    assert.equal(await findServed(db, body.slug), null)
    await projects.change(db, project_id, { card: true })
    assert.equal((await call('POST /sites', body)).status, 201)
  })
})

suite('GET /sites', () => {
  test('lists sites newest first, page by page, and returns each by its id', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const made = []
    for (const n of [1, 2, 3]) made.push(await publish({ 'index.html': `${page}${n}` }))
    const first = await call('GET /sites?limit=2')
    const rest = await call(`GET /sites?limit=2&cursor=${first.body.next_cursor}`)
    const found = [...first.body.data, ...rest.body.data]
    assert.deepEqual(
      found.map(({ id }) => id),
      made.map(({ id }) => id).toReversed(),
    )
    assert.equal(rest.body.next_cursor, null)
    const one = await call(`GET /sites/${made[0].id}`)
    const { warnings: _warnings, ...shown } = made[0]
    assert.deepEqual(one.body, shown)
    assert.equal(one.headers.get('etag'), '"1"')
  })

  test('hides sites from other projects', async () => {
    const [one, other] = [await newSiteOwner(runtime), await newSiteOwner(runtime)]
    const site = await one.publish({ 'index.html': page })
    assert.deepEqual((await other.call('GET /sites')).body.data, [])
    for (const route of ['', '/versions', '/files', '/files/index.html']) {
      refused(await other.call(`GET /sites/${site.id}${route}`), 404, 'not_found')
    }
    refused(await other.call(`DELETE /sites/${site.id}`), 404, 'not_found')
    assert.equal((await one.call(`GET /sites/${site.id}`)).status, 200)
  })
})

suite('PATCH /sites/{id}', () => {
  test('changes the given fields at once, without a new version', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    let announced = 0
    const silence = runtime.runtime.wakeups.listen(SITES_TOPIC, () => (announced += 1))
    const { status, body } = await call(`PATCH /sites/${site.id}`, { title: 'New', spa: true })
    silence()
    assert.deepEqual([status, body.title, body.spa, body.version], [200, 'New', true, 1])
    assert.equal(announced, 1)
    assert.equal((await findServed(db, site.slug))?.spa, true)
    assert.equal(body.url, site.url)
  })

  test('refuses an If-Match with an outdated revision with 412 and changes nothing', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const patch = (title: string, match: string) =>
      call(`PATCH /sites/${site.id}`, { title }, { headers: { 'if-match': match } })
    const first = await patch('First', '"1"')
    assert.deepEqual(
      [first.status, first.headers.get('etag'), first.body.revision, first.body.version],
      [200, '"2"', 2, 1],
    )
    const second = await patch('Second', '"1"')
    refused(second, 412, 'version_conflict')
    assert.equal(second.body.current_version, 2)
    await call(`PUT /sites/${site.id}`, { files: filesFromTexts({ 'index.html': page }) })
    refused(await patch('Third', '"2"'), 412, 'version_conflict')
    const shown = await call(`GET /sites/${site.id}`)
    assert.deepEqual([shown.body.title, shown.headers.get('etag')], ['First', '"3"'])
    await call(`POST /sites/${site.id}/rollback`, {})
    refused(await patch('Fourth', '"3"'), 412, 'version_conflict')
    assert.equal((await patch('Fifth', '*')).status, 200)
    refused(await patch('Sixth', '"x"'), 400, 'invalid_parameter')
  })

  test('accepts one of many changes sent at once with the same If-Match', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D'].map((title) =>
        call(`PATCH /sites/${site.id}`, { title }, { headers: { 'if-match': '"1"' } }),
      ),
    )
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, 412, 412, 412])
  })

  test('moves the site to the new slug and frees the old one', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const other = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const slug = newSlug()
    const { body } = await call(`PATCH /sites/${site.id}`, { slug })
    assert.equal(body.url, `http://${slug}.${domain}`)
    assert.equal(await findServed(db, site.slug), null)
    await other.publish({ 'index.html': page }, { slug: site.slug })
    refused(await call(`PATCH /sites/${site.id}`, { slug: site.slug }), 409, 'slug_taken')
    refused(await call(`PATCH /sites/${site.id}`, { slug: 'www' }), 422, 'slug_reserved')
  })

  test('gives a slug to one of many concurrent changes', async () => {
    const owners = await Promise.all(Array.from({ length: 6 }, () => newSiteOwner(runtime)))
    const sites = await Promise.all(owners.map(({ publish }) => publish({ 'index.html': page })))
    const slug = newSlug()
    const answers = await Promise.all(
      owners.map(({ call }, index) => call(`PATCH /sites/${sites[index].id}`, { slug })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers) if (answer.status !== 200) refused(answer, 409, 'slug_taken')
  })

  test('gives a site that becomes unlisted a new secret address each time', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const hide = () => call(`PATCH /sites/${site.id}`, { visibility: 'unlisted' })
    const hidden = await hide()
    assert.notEqual(hidden.body.url, site.url)
    assert.equal((await hide()).body.url, hidden.body.url, 'it stays where it is unlisted already')
    assert.equal(await findServed(db, site.slug), null)
    const shown = await call(`PATCH /sites/${site.id}`, { visibility: 'public' })
    assert.equal(shown.body.url, site.url)
    assert.notEqual((await hide()).body.url, hidden.body.url)
  })

  test('ends password sessions when the password changes', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    refused(
      await call(`PATCH /sites/${site.id}`, { visibility: 'password' }),
      422,
      'validation_failed',
    )
    await call(`PATCH /sites/${site.id}`, { visibility: 'password', password: 'first one' })
    const first = await findServed(db, site.slug)
    await call(`PATCH /sites/${site.id}`, { title: 'The same password' })
    const same = await findServed(db, site.slug)
    assert.equal(same?.password_version, first?.password_version)
    await call(`PATCH /sites/${site.id}`, { password: 'second one' })
    const second = await findServed(db, site.slug)
    assert.notEqual(second?.password_version, first?.password_version)
    assert.notEqual(second?.password_hash, first?.password_hash)
    await call(`PATCH /sites/${site.id}`, { visibility: 'public' })
    assert.equal((await findServed(db, site.slug))?.password_hash, null)
  })

  test('requires a verified phone number or a card to become public: 403', async () => {
    const { publish, call, project_id } = await newSiteOwner(runtime, { verified: false })
    const site = await publish({ 'index.html': page }, { visibility: 'unlisted' })
    const ask = () => call(`PATCH /sites/${site.id}`, { visibility: 'public' })
    refused(await ask(), 403, 'phone_verification_required')
    await projects.change(db, project_id, { phone_verified: true })
    assert.equal((await ask()).status, 200)
  })

  test('refuses an empty change or an unknown member: 422 validation_failed', async () => {
    const { publish, call } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    for (const body of [{}, { status: 'live' }, { version: 1 }, { title: '' }]) {
      refused(await call(`PATCH /sites/${site.id}`, body), 422, 'validation_failed')
    }
  })
})

suite('DELETE /sites/{id}', () => {
  test('deletes the site, its versions and its address', async () => {
    const { publish, call, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    await call(`PUT /sites/${site.id}`, { files: filesFromTexts({ 'index.html': `${page}2` }) })
    const { status, text } = await call(`DELETE /sites/${site.id}`)
    assert.deepEqual([status, text], [204, ''])
    for (const url of [site.url, site.preview_url]) {
      assert.equal(await findServed(db, labelOf(url)), null)
    }
    refused(await call(`GET /sites/${site.id}`), 404, 'not_found')
    refused(await call(`DELETE /sites/${site.id}`), 404, 'not_found')
    await fileBooksOf(runtime, project_id)
    const again = await publish({ 'index.html': page }, { slug: site.slug })
    assert.notEqual(again.id, site.id)
  })

  test('serves no site of a deleted project', async () => {
    const { publish, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    await projects.remove(runtime.runtime, project_id)
    assert.equal(await findServed(db, site.slug), null)
    assert.equal(await findServed(db, labelOf(site.preview_url)), null)
  })

  test('keeps the slugs of a deleted project reserved, for a deploy and for a change', async () => {
    const [gone, other] = [await newSiteOwner(runtime), await newSiteOwner(runtime)]
    const { slug } = await gone.publish({ 'index.html': page })
    await projects.remove(runtime.runtime, gone.project_id)
    const files = filesFromTexts({ 'index.html': page })
    refused(await other.call('POST /sites', { slug, files }), 409, 'slug_taken')
    const own = await other.publish({ 'index.html': page })
    refused(await other.call(`PATCH /sites/${own.id}`, { slug }), 409, 'slug_taken')
  })

  test('keeps the slug of an offline site reserved, even after its project is deleted', async () => {
    const [gone, other] = [await newSiteOwner(runtime), await newSiteOwner(runtime)]
    const { slug, id } = await gone.publish({ 'index.html': page })
    await takeOffline(runtime.runtime, { id, reason: 'It imitates a bank.' })
    await projects.remove(runtime.runtime, gone.project_id)
    const files = filesFromTexts({ 'index.html': page })
    refused(await other.call('POST /sites', { slug, files }), 409, 'slug_taken')
  })
})

suite('a limited key', () => {
  async function newLimited() {
    const owner = await newSiteOwner(runtime)
    const mine = await owner.publish({ 'index.html': page })
    const other = await owner.publish({ 'index.html': page })
    const access = { sites: [mine.id], apps: [], collections: [], limited_by: 'api_key' as const }
    const key = await runtime.newKey({ project_id: owner.project_id, access })
    return { ...owner, mine, other, key }
  }

  test('reads and publishes its own site', async () => {
    const { mine, key } = await newLimited()
    const list = await runtime.call('GET /sites', { key })
    assert.deepEqual(
      list.body.data.map(({ id }: { id: string }) => id),
      [mine.id],
    )
    const files = filesFromTexts({ 'index.html': `${page}!` })
    const put = await runtime.call(`PUT /sites/${mine.id}`, { key, body: { files } })
    assert.deepEqual([put.status, put.body.version], [200, 2])
    const sha256 = 'a'.repeat(64)
    const announced = { files: [{ path: 'a.txt', sha256, bytes: 3 }] }
    const uploads = await runtime.call('POST /sites/uploads', { key, body: announced })
    assert.equal(uploads.status, 201)
  })

  test('accepts the id of its site in upper case', async () => {
    const { mine, key } = await newLimited()
    const shown = await runtime.call(`GET /sites/${mine.id.toUpperCase()}`, { key })
    assert.deepEqual([shown.status, shown.body?.id], [200, mine.id], shown.text)
  })

  test('gets 403 for every other site, with the ids that it may use', async () => {
    const { mine, other, key } = await newLimited()
    const asked: [string, unknown?][] = [
      [`GET /sites/${other.id}`],
      [`PUT /sites/${other.id}`, { files: filesFromTexts({ 'index.html': page }) }],
      [`PATCH /sites/${other.id}`, { title: 'x' }],
      [`DELETE /sites/${other.id}`],
      [`GET /sites/${other.id}/versions`],
      [`POST /sites/${other.id}/rollback`, {}],
      [`GET /sites/${other.id}/files`],
      [`GET /sites/${other.id}/files/index.html`],
      [`GET /sites/${UNKNOWN_ID}`],
    ]
    for (const [route, body] of asked) {
      const answer = await runtime.call(route, { key, ...(body ? { body } : {}) })
      refused(answer, 403, 'forbidden')
      assert.match(answer.body.user_message, new RegExp(`: ${mine.slug}\\.$`), route)
    }
  })

  test('may use the collections that forms of its site post to, and no others', async () => {
    const { mine, call, key } = await newLimited()
    const form = (name: string) =>
      filesFromTexts({ 'index.html': `<form data-collection="${name}"></form>` })
    for (const name of ['bookings', 'wages']) {
      const made = await call('POST /collections', { name, title: name, public_write: true })
      assert.equal(made.status, 201, made.text)
    }
    const read = (name: string) => runtime.call(`GET /collections/${name}/documents`, { key })
    refused(await read('bookings'), 403, 'forbidden')
    await call(`PUT /sites/${mine.id}`, { files: form('bookings') })
    assert.equal((await read('bookings')).status, 200)
    const list = await runtime.call('GET /collections', { key })
    assert.deepEqual(
      list.body.data.map(({ name }: { name: string }) => name),
      ['bookings'],
    )
    const body = { keep_others: true, files: form('wages') }
    const put = await runtime.call(`PUT /sites/${mine.id}`, { key, body })
    assert.deepEqual([put.status, put.body.collections], [200, []])
    refused(await read('wages'), 403, 'forbidden')
    // A later deploy by the owner or a rollback does not add the collection either.
    const more = { keep_others: true, files: filesFromTexts({ 'more.html': page }) }
    assert.equal((await call(`PUT /sites/${mine.id}`, more)).status, 200)
    refused(await read('wages'), 403, 'forbidden')
    await call(`PUT /sites/${mine.id}`, { files: form('wages') })
    assert.equal((await read('wages')).status, 200)
    await call(`PUT /sites/${mine.id}`, { files: filesFromTexts({ 'index.html': page }) })
    await runtime.call(`POST /sites/${mine.id}/rollback`, { key, body: {} })
    refused(await read('wages'), 403, 'forbidden')
  })

  test('refuses with 403 a deploy with media that its site does not use yet', async () => {
    const { mine, key } = await newLimited()
    const body = { keep_others: true, media: [{ media_id: UNKNOWN_ID, path: 'a.jpg' }] }
    refused(await runtime.call(`PUT /sites/${mine.id}`, { key, body }), 403, 'forbidden')
  })

  test('creates no new site', async () => {
    const { key } = await newLimited()
    const body = { slug: newSlug(), files: filesFromTexts({ 'index.html': page }) }
    refused(await runtime.call('POST /sites', { key, body }), 403, 'forbidden')
  })
})
