/** Tests of deploys over HTTP: files, versions, sizes, limits and concurrency. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
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
import { readFile } from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import { findServed, readManifest } from '../service.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

const page = '<!doctype html><title>Bread</title><h1>Fresh bread</h1>'
const MB = 1_048_576

function refused(answer: Answer, status: number, slug: string): void {
  assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text.slice(0, 500))
}

function faultsIn({ body }: Answer): Record<string, string> {
  const errors: { path: string; message: string }[] = body.errors
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]))
}

/** Returns the files that visitors get, as text by path. */
async function shownAt(label: string): Promise<Record<string, string>> {
  const site = await findServed(db, label)
  assert.ok(site)
  const { files } = await readManifest(db, site, site.version)
  const texts = files.map(async ({ path, file_id }) => {
    const bytes = await readFile(runtime.runtime, site.project_id, { id: file_id })
    return [path, bytes.toString()] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}

suite('files of a deploy', () => {
  test('serves files with the bytes that were sent, as text, as base64, empty, and under every name', async () => {
    const { call } = await newSiteOwner(runtime)
    const slug = newSlug()
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    const files = [
      { path: 'index.html', content: `${page} – ü 🍞` },
      { path: '/a/deep/folder/pixel.gif', content: bytes.toString('base64'), encoding: 'base64' },
      { path: 'lines.txt', content: 'aGVs\r\nbG8=\n', encoding: 'base64' },
      { path: 'empty.txt', content: '' },
      { path: '.well-known/security.txt', content: 'Contact: mailto:a@example.com' },
      { path: 'brød & café.html', content: 'x' },
    ]
    const answer = await call('POST /sites', { slug, files })
    assert.equal(answer.status, 201, answer.text)
    const shown = await shownAt(slug)
    assert.equal(shown['index.html'], `${page} – ü 🍞`)
    assert.equal(shown['lines.txt'], 'hello')
    assert.equal(shown['empty.txt'], '')
    assert.equal(shown['a/deep/folder/pixel.gif'], bytes.toString())
    assert.deepEqual(Object.keys(shown).toSorted(), [
      '.well-known/security.txt',
      'a/deep/folder/pixel.gif',
      'brød & café.html',
      'empty.txt',
      'index.html',
      'lines.txt',
    ])
  })

  test('derives the content type from the file name and adds charset=utf-8 to text', async () => {
    const { publish } = await newSiteOwner(runtime)
    const rare = 'ico vcf m4v flac m3u8 pkpass usdz xlsx docx odt mkv eot'.split(' ')
    const kept = '.well-known/apple-app-site-association'
    const names = [
      ...rare.map((ending) => `rare.${ending}`),
      kept,
      'html',
      'a.kml',
      'a.html',
      'a.css',
      'a.js',
      'a.mjs',
      'a.json',
      'a.svg',
      'a.png',
      'a.woff2',
      'a',
    ]
    const { slug } = await publish(Object.fromEntries(names.map((name) => [name, 'x'])))
    const site = await findServed(db, slug)
    const { files } = await readManifest(db, site!, 1)
    const all = files.map(({ path, content_type }) => [path, content_type] as const)
    const known = all.filter(([path]) => path.startsWith('rare'))
    assert.deepEqual(
      known.filter(([, type]) => type === 'application/octet-stream' || /html|script/.test(type)),
      [],
    )
    const types = Object.fromEntries(all.filter((one) => !known.includes(one)))
    assert.deepEqual(types, {
      [kept]: 'application/json; charset=utf-8',
      html: 'application/octet-stream',
      'a.kml': 'application/vnd.google-earth.kml+xml; charset=utf-8',
      a: 'application/octet-stream',
      'a.css': 'text/css; charset=utf-8',
      'a.html': 'text/html; charset=utf-8',
      'a.js': 'text/javascript; charset=utf-8',
      'a.json': 'application/json; charset=utf-8',
      'a.mjs': 'text/javascript; charset=utf-8',
      'a.png': 'image/png',
      'a.svg': 'image/svg+xml; charset=utf-8',
      'a.woff2': 'font/woff2',
    })
  })

  test('compresses text files if compression makes them smaller', async () => {
    const { publish } = await newSiteOwner(runtime)
    const long = 'Fresh bread every day. '.repeat(200)
    const { slug } = await publish({ 'index.html': long, 'short.html': 'x', 'a.png': `${long}.` })
    const { files } = await readManifest(db, (await findServed(db, slug))!, 1)
    const encoded = Object.fromEntries(files.map((file) => [file.path, file.encodings]))
    assert.deepEqual(Object.keys(encoded['index.html'] ?? {}).toSorted(), ['br', 'gzip', 'zstd'])
    assert.deepEqual([encoded['short.html'], encoded['a.png']], [{}, {}])
    for (const bytes of Object.values(encoded['index.html'] ?? {})) assert.ok(bytes < long.length)
  })

  test('refuses invalid files with 422 validation_failed and names the field of each fault', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = [
      { path: 'both.txt', content: 'x', sha256: 'a'.repeat(64), bytes: 1 },
      { path: 'neither.txt' },
      { path: 'length.txt', sha256: 'a'.repeat(64) },
      { path: 'base.txt', content: 'not base64!', encoding: 'base64' },
      { path: 'odd.txt', content: 'abcde', encoding: 'base64' },
      { path: '../up.txt', content: 'x' },
      { path: 'twice.txt', content: 'x' },
      { path: '/twice.txt', content: 'x' },
      { path: 'cut.txt', content: 'brød', bytes: 4 },
      { path: 'whole.txt', content: 'brød', bytes: 5 },
    ]
    const answer = await call('POST /sites', { slug: newSlug(), files })
    refused(answer, 422, 'validation_failed')
    assert.deepEqual(Object.keys(faultsIn(answer)).toSorted(), [
      '/files/0',
      '/files/1',
      '/files/2/bytes',
      '/files/3/content',
      '/files/4/content',
      '/files/5/path',
      '/files/7/path',
      '/files/8/bytes',
    ])
    assert.equal(faultsIn(answer)['/files/8/bytes'], 'must be 5, which is what content has')
  })

  test('refuses a deploy that leaves a site without files: 422 validation_failed', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    refused(await call('POST /sites', { slug: newSlug(), files: [] }), 422, 'validation_failed')
    const site = await publish({ 'index.html': page })
    for (const body of [{ files: [] }, { delete: ['index.html'] }, { title: 'x' }, {}]) {
      refused(await call(`PUT /sites/${site.id}`, body), 422, 'validation_failed')
    }
  })
})

suite('site_too_large', () => {
  const ask = async (files: object[]) => {
    const { call } = await newSiteOwner(runtime)
    return call('POST /sites', { slug: newSlug(), files })
  }

  test('refuses more than 50 files', async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ path: `${n}.txt`, content: String(n) }))
    const answer = await ask(files(limits.site_files_max + 1))
    refused(answer, 422, 'site_too_large')
    assert.match(answer.body.detail, /51 files, and 50 are the most/)
    assert.equal((await ask(files(limits.site_files_max))).status, 201)
  })

  test('refuses a file over 1 MB, counted after base64 decoding', async () => {
    const file = (bytes: number) => {
      const content = Buffer.alloc(bytes, 7).toString('base64')
      return [{ path: 'big.bin', content, encoding: 'base64' }]
    }
    const answer = await ask(file(MB + 1))
    refused(answer, 422, 'site_too_large')
    assert.match(answer.body.detail, /^big\.bin is larger than 1 MB\.$/)
    assert.equal((await ask(file(MB))).status, 201)
  })

  test('refuses more than 5 MB in total', async () => {
    const files = Array.from({ length: 5 }, (_, n) => ({
      path: `${n}.bin`,
      content: Buffer.alloc(MB, n).toString('base64'),
      encoding: 'base64',
    }))
    assert.equal((await ask(files)).status, 201)
    const answer = await ask([...files, { path: 'more.txt', content: 'x' }])
    refused(answer, 422, 'site_too_large')
    assert.match(answer.body.detail, /together are larger than 5 MB/)
  })

  test('counts the files that remain from the live version', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const texts = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}.txt`, `${n}`]))
    const site = await publish(texts)
    const more = { files: filesFromTexts({ 'more.txt': 'x' }), keep_others: true }
    refused(await call(`PUT /sites/${site.id}`, more), 422, 'site_too_large')
    const instead = await call(`PUT /sites/${site.id}`, { ...more, delete: ['0.txt'] })
    assert.deepEqual([instead.status, instead.body.files_count], [200, 50])
  })

  test('refuses an oversized body before it reads it', async () => {
    const content = 'x'.repeat(limits.site_body_bytes_max)
    refused(await ask([{ path: 'a.txt', content }]), 400, 'bad_request')
  })
})

suite('PUT /sites/{id}', () => {
  test('replaces all files with a new version', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'old.html': 'old' })
    const answer = await call(`PUT /sites/${site.id}`, {
      files: filesFromTexts({ 'index.html': 'new' }),
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.version, answer.headers.get('etag')], [2, '"2"'])
    assert.deepEqual([answer.body.url, answer.body.title], [site.url, site.title])
    assert.notEqual(answer.body.preview_url, site.preview_url)
    assert.deepEqual(await shownAt(site.slug), { 'index.html': 'new' })
    await fileBooksOf(runtime, project_id)
  })

  test('adds and replaces files with keep_others, and keeps the rest', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'a.txt': 'a', 'b.txt': 'b' })
    const files = filesFromTexts({ 'b.txt': 'B', 'c.txt': 'c' })
    const body = { files, delete: ['a.txt'], keep_others: true }
    assert.equal((await call(`PUT /sites/${site.id}`, body)).status, 200)
    assert.deepEqual(await shownAt(site.slug), { 'index.html': page, 'b.txt': 'B', 'c.txt': 'c' })
    await fileBooksOf(runtime, project_id)
  })

  test('keeps the other files if the request contains only delete', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'a.txt': 'a' })
    const { status } = await call(`PUT /sites/${site.id}`, { delete: ['/a.txt'] })
    assert.equal(status, 200)
    assert.deepEqual(await shownAt(site.slug), { 'index.html': page })
  })

  test('refuses to delete a file that does not exist, and names it', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const answer = await call(`PUT /sites/${site.id}`, { delete: ['index.html', 'gone.html'] })
    refused(answer, 422, 'validation_failed')
    assert.deepEqual(Object.keys(faultsIn(answer)), ['/delete/1'])
    const both = { files: filesFromTexts({ 'index.html': 'x' }), delete: ['index.html'] }
    refused(await call(`PUT /sites/${site.id}`, both), 422, 'validation_failed')
    const never = {
      files: filesFromTexts({ 'a.txt': 'x' }),
      delete: ['index.html'],
      keep_others: false,
    }
    refused(await call(`PUT /sites/${site.id}`, never), 422, 'validation_failed')
  })

  test('refuses a path that conflicts with a remaining file, and names that file', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'a/b.txt': 'b' })
    for (const path of ['INDEX.html', 'a', 'index.html/c', 'A/B.TXT']) {
      const files = filesFromTexts({ 'fine.txt': 'x', [path]: 'x' })
      const answer = await call(`PUT /sites/${site.id}`, { files, keep_others: true })
      refused(answer, 422, 'validation_failed')
      assert.deepEqual(Object.keys(faultsIn(answer)), ['/files/1/path'], path)
    }
  })

  test('changes title, slug and visibility together with the files', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const slug = newSlug()
    const files = filesFromTexts({ 'index.html': 'new' })
    const settings = { slug, title: 'New', visibility: 'password', password: 'white flour' }
    const { status, body } = await call(`PUT /sites/${site.id}`, { files, ...settings })
    assert.deepEqual(
      [status, body.slug, body.title, body.visibility],
      [200, slug, 'New', 'password'],
    )
    assert.equal(await findServed(db, site.slug), null)
    assert.deepEqual(await shownAt(slug), { 'index.html': 'new' })
  })

  test('refuses an If-Match with an outdated revision with 412, and publishes nothing', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    const put = (match: string) =>
      call(
        `PUT /sites/${site.id}`,
        { files: filesFromTexts({ 'index.html': match }) },
        { headers: { 'if-match': match } },
      )
    assert.equal((await put('"1"')).status, 200)
    const answer = await put('"1"')
    refused(answer, 412, 'version_conflict')
    assert.equal(answer.body.current_version, 2)
    assert.equal((await put('*')).status, 200)
    refused(await put('"x"'), 400, 'invalid_parameter')
    assert.deepEqual(await shownAt(site.slug), { 'index.html': '*' })
    await call(`PATCH /sites/${site.id}`, { title: 'Renamed since' })
    refused(await put('"3"'), 412, 'version_conflict')
    assert.equal((await put('"4"')).status, 200)
  })

  test('requires a phone number or a card for a public site: 403', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    await projects.change(db, project_id, { phone_verified: false })
    const body = { files: filesFromTexts({ 'index.html': 'new' }) }
    refused(await call(`PUT /sites/${site.id}`, body), 403, 'phone_verification_required')
    const unlisted = await call(`PUT /sites/${site.id}`, { ...body, visibility: 'unlisted' })
    assert.equal(unlisted.status, 200)
  })

  test('makes a new version of identical files and stores their bytes once', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page, 'copy.html': page })
    const files = filesFromTexts({ 'index.html': page, 'copy.html': page })
    const { body } = await call(`PUT /sites/${site.id}`, { files })
    assert.equal(body.version, 2)
    const stored = await sql<{ bytes: bigint }>`
      select bytes from file_usage where project_id = ${project_id}`.execute(db)
    assert.equal(Number(stored.rows[0]?.bytes), Buffer.byteLength(page))
    await fileBooksOf(runtime, project_id)
  })
})

suite('many concurrent deploys of one site', () => {
  test('make one version each, and the site serves one of them as a whole', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    await projects.setVerification(db, { project_id, level: 'company', status: 'approved' })
    const site = await publish({ 'index.html': page })
    const asked = Array.from({ length: 50 }, (_, n) => {
      const files = filesFromTexts({
        'index.html': `page ${n}`,
        'style.css': `style ${n}`,
        [`${n}`]: '',
      })
      return call(`PUT /sites/${site.id}`, { files })
    })
    const answers = await Promise.all(asked)
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    const shown = await shownAt(site.slug)
    const [, n] = /^page (\d+)$/.exec(shown['index.html'] ?? '') ?? []
    assert.deepEqual(shown, { 'index.html': `page ${n}`, 'style.css': `style ${n}`, [`${n}`]: '' })
    assert.equal((await call(`GET /sites/${site.id}`)).body.version, 51)
    await fileBooksOf(runtime, project_id)
  })

  test('with keep_others lose none of 50', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime)
    await projects.setVerification(db, { project_id, level: 'full', status: 'approved' })
    const site = await publish({ 'index.html': page })
    const names = Array.from({ length: 49 }, (_, n) => `${n}.txt`)
    const asked = names.map((name) =>
      call(`PUT /sites/${site.id}`, { files: filesFromTexts({ [name]: name }), keep_others: true }),
    )
    for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200, answer.text)
    const shown = await shownAt(site.slug)
    assert.deepEqual(Object.keys(shown).toSorted(), ['index.html', ...names].toSorted())
    await fileBooksOf(runtime, project_id)
  })

  test('serve one whole version to a request during a deploy', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const texts = (n: number) => ({ 'index.html': `page ${n}`, 'style.css': `page ${n}` })
    const site = await publish(texts(0))
    let writing = true
    const readers = Array.from({ length: 4 }, async () => {
      while (writing) {
        const shown = await shownAt(site.slug)
        assert.equal(shown['index.html'], shown['style.css'])
      }
    })
    for (let n = 1; n < 20; n++)
      await call(`PUT /sites/${site.id}`, { files: filesFromTexts(texts(n)) })
    writing = false
    await Promise.all(readers)
  })
})

test('the digest of a file is computed from the served bytes', async () => {
  const { publish, call } = await newSiteOwner(runtime)
  const site = await publish({ 'index.html': page })
  const { body } = await call(`GET /sites/${site.id}/files`)
  assert.equal(body.data[0].sha256, sha256(page).toString('hex'))
})
