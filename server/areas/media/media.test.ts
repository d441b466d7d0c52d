/** Tests of the media library over HTTP: upload, list, change and delete. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { limits } from '../../contract/limits.ts'
import { callerOf, slugOf } from '../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture, newRecording, put } from '../../../test/fixtures/media/media.ts'
import { sweepFiles } from '../files/service.ts'
import { findMedia, replaceSiteUses } from './service.ts'

const runtime = await openTestRuntime({ work: false })
const { announce, add, ready } = mediaFixture(runtime)
const jpeg = () => newPicture().jpeg().toBuffer()
const SITE = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

/** Creates a separate project without a rate limit. */
async function newLibrary() {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  return { project_id, key, call: callerOf(runtime, project_id) }
}

describe('an upload to the library', () => {
  test('is in the library once completed, with all its fields', async () => {
    const bytes = await jpeg()
    const body = await ready(bytes, { filename: 'Terras één.jpg' })
    const { id, created_at, updated_at, placeholder, ...rest } = body
    const sha256 = hash('sha256', bytes, 'hex')
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(placeholder, /^data:image\/webp;base64,[\w+/=]{20,400}$/)
    assert.ok(created_at <= updated_at)
    assert.deepEqual(rest, {
      filename: 'Terras één.jpg',
      kind: 'image',
      content_type: 'image/jpeg',
      bytes: bytes.length,
      sha256,
      sent_sha256: sha256,
      width: 400,
      height: 300,
      duration_sec: null,
      alt: null,
      title: null,
      tags: [],
      folder: '',
      focal_point: null,
      status: 'ready',
      status_reason: null,
      source: 'upload',
      variants: [],
      used_on: [],
      test: true,
    })
    assert.deepEqual((await runtime.call(`GET /media/${id}`)).body, body)
  })

  test('is refused before its bytes arrive: 422 upload_not_received', async () => {
    const bytes = await jpeg()
    const upload = await announce(bytes)
    const route = `POST /media/uploads/${upload.upload_id}/complete`
    const early = await runtime.call(route)
    assert.deepEqual([early.status, slugOf(early)], [422, 'upload_not_received'])
    await put(upload, bytes)
    assert.equal((await runtime.call(route)).status, 201)
  })

  test('creates one media file, however often it is completed', async () => {
    const bytes = await jpeg()
    const upload = await announce(bytes)
    await put(upload, bytes)
    const route = `POST /media/uploads/${upload.upload_id}/complete`
    const answers = await Promise.all([1, 2, 3].map(() => runtime.call(route)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.id, body.status]),
      answers.map(() => [201, upload.upload_id, 'ready']),
    )
  })

  test('needs no bytes if its digest is known, and may create a second media file', async () => {
    const bytes = await jpeg()
    const first = await ready(bytes)
    const upload = await announce(bytes, { filename: 'again.jpg' })
    assert.equal(upload.status, 'already_there')
    const second = await ready(bytes, { filename: 'again.jpg' })
    assert.notEqual(second.id, first.id)
    assert.equal(second.sha256, first.sha256)
    await runtime.call(`DELETE /media/${first.id}`)
    assert.equal((await runtime.call(`GET /media/${second.id}`)).body.status, 'ready')
  })

  test('answers 404 for an upload that belongs to a site', async () => {
    const bytes = Buffer.from('of a site')
    const sha256 = hash('sha256', bytes, 'hex')
    const made = await runtime.call('POST /sites/uploads', {
      body: {
        files: [{ path: 'a.txt', sha256, bytes: bytes.length, content_type: 'text/plain' }],
      },
    })
    const [upload] = made.body.uploads
    const answer = await runtime.call(`POST /media/uploads/${upload.upload_id}/complete`)
    assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
  })

  test('is not marked as test if a live key created it', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id, mode: 'live' })
    assert.equal((await ready(await jpeg(), { key })).test, false)
  })

  test('is refused at its announcement if its size or type is invalid', async () => {
    const file = {
      filename: 'a.jpg',
      content_type: 'image/jpeg',
      sha256: '0'.repeat(64),
      bytes: 1,
    }
    const wrong: [object, string][] = [
      [{ bytes: 0 }, '/files/0/bytes'],
      [{ sha256: 'A'.repeat(64) }, '/files/0/sha256'],
      [{ filename: '../a.jpg' }, '/files/0/filename'],
      [{ filename: 'a\u202egpj.exe' }, '/files/0/filename'],
      [{ filename: '' }, '/files/0/filename'],
      [{ content_type: 'picture' }, '/files/0/content_type'],
      [{ more: 1 }, '/files/0/more'],
    ]
    for (const [change, path] of wrong) {
      const answer = await runtime.call('POST /media/uploads', {
        body: { files: [{ ...file, ...change }] },
      })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
      assert.equal(answer.body.errors[0].path, path)
    }
    const many = Array.from({ length: limits.media_uploads_max + 1 }, () => file)
    assert.equal((await runtime.call('POST /media/uploads', { body: { files: many } })).status, 422)
  })

  test('is refused at its announcement over 100 MB, with the file name: 413', async () => {
    const small = { content_type: 'video/mp4', sha256: '0'.repeat(64), bytes: 1 }
    for (const bytes of [limits.media_file_bytes_max + 1, Number.MAX_SAFE_INTEGER]) {
      const long = { ...small, filename: 'wedding.mp4', sha256: '1'.repeat(64), bytes }
      const files = [{ ...small, filename: 'a.mp4' }, long]
      const answer = await runtime.call('POST /media/uploads', { body: { files } })
      assert.deepEqual([answer.status, slugOf(answer)], [413, 'file_too_large'])
      assert.equal(answer.body.limit_bytes, limits.media_file_bytes_max)
      assert.match(answer.body.detail, /^wedding\.mp4 is larger than the maximum of 100 MB/)
    }
  })

  test('is refused if it exceeds the storage of the plan: 409 plan_limit_reached', async () => {
    const { project_id } = await runtime.newProject({ plan: 'free' })
    const key = await runtime.newKey({ project_id })
    const files = ['a', 'b'].map((letter) => ({
      filename: `${letter}.mp4`,
      content_type: 'video/mp4',
      sha256: letter.repeat(64),
      bytes: limits.media_file_bytes_max,
    }))
    const answer = await runtime.call('POST /media/uploads', { key, body: { files } })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'plan_limit_reached'])
  })
})

describe('a processed media file', () => {
  const sorts: [name: string, bytes: Buffer, kind: string, type: string][] = [
    ['a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image', 'image/svg+xml'],
    ['photo.jpg', Buffer.from('<!doctype html><p>Hello'), 'document', 'text/html; charset=utf-8'],
    ['a.html', Buffer.from('<p>caf\xe9 noir', 'latin1'), 'document', 'text/html'],
    ['photo.jpg', Buffer.from('%PDF-1.7\n1 0 obj'), 'document', 'application/pdf'],
    ['list.csv', Buffer.from('a,b\n1,2\n'), 'document', 'text/csv; charset=utf-8'],
    ['list.html', Buffer.from('only words'), 'document', 'text/plain; charset=utf-8'],
    [
      'open.ics',
      Buffer.from('BEGIN:VCALENDAR\nEND:VCALENDAR\n'),
      'document',
      'text/calendar; charset=utf-8',
    ],
    ['song.wav', newRecording(), 'audio', 'audio/wav'],
    ['thing.bin', Buffer.from([0, 1, 2, 3]), 'other', 'application/octet-stream'],
    ['photo.jpg', Buffer.from('PK\x05\x06'.padEnd(22, '\0'), 'latin1'), 'other', 'application/zip'],
  ]
  for (const [filename, bytes, kind, content_type] of sorts) {
    test(`has the type ${content_type} of its bytes, with the name ${filename}`, async () => {
      const body = await ready(bytes, { filename, content_type: 'image/jpeg' })
      assert.deepEqual([body.kind, body.content_type], [kind, content_type])
      assert.equal(body.filename, filename)
    })
  }

  test('has the duration of a recording', async () => {
    const body = await ready(newRecording(3), { filename: 'greeting.wav' })
    assert.equal(body.duration_sec, 3)
    assert.equal(body.placeholder, null)
  })

  test('is blocked if it is an executable, under any file name', async () => {
    for (const start of [
      'MZ'.padEnd(200, '\0'),
      '#!/bin/sh\nrm -rf /',
      '\x7fELF'.padEnd(99, '\0'),
    ]) {
      const { status, body } = await add(Buffer.from(start, 'latin1'), { filename: 'photo.jpg' })
      assert.deepEqual([status, body.status], [201, 'blocked'])
      assert.match(body.status_reason, /does not accept programs/)
      const link = await runtime.call(`GET /media/${body.id}/link`)
      assert.deepEqual([link.status, slugOf(link)], [409, 'conflict'])
    }
  })
})

describe('GET /media', async () => {
  const { key, call } = await newLibrary()
  const ids: Record<string, string> = {}
  const say = async (name: string, body: object, bytes: Buffer) => {
    const { id } = await ready(bytes, { key, filename: name })
    ids[name] = id
    assert.equal((await call(`PATCH /media/${id}`, body)).status, 200)
  }
  await say('terrace.jpg', { alt: 'Lights in 100% of the trees', folder: 'menu' }, await jpeg())
  await say(
    'soup.jpg',
    { title: 'Soup', tags: ['summer', 'menu'], folder: 'menu/day' },
    await jpeg(),
  )
  await say('greeting.wav', { title: 'Welcome', folder: 'menus' }, newRecording(2))

  const found = async (query: string) => {
    const { status, body, text } = await call(`GET /media?${query}`)
    assert.equal(status, 200, text)
    return body.data.map(({ filename }: { filename: string }) => filename)
  }
  const wanted: [string, string[]][] = [
    ['', ['greeting.wav', 'soup.jpg', 'terrace.jpg']],
    ['kind=audio', ['greeting.wav']],
    ['kind=image', ['soup.jpg', 'terrace.jpg']],
    ['folder=menu', ['soup.jpg', 'terrace.jpg']],
    ['folder=menu/day', ['soup.jpg']],
    ['folder=', ['greeting.wav', 'soup.jpg', 'terrace.jpg']],
    ['tag=summer', ['soup.jpg']],
    ['tag=Summer', []],
    ['q=SOUP', ['soup.jpg']],
    ['q=trees+lights', ['terrace.jpg']],
    ['q=100%25', ['terrace.jpg']],
    ['q=_oup', []],
    ['q=menu', ['soup.jpg']],
    ['q=jpg&kind=audio', []],
  ]
  for (const [query, names] of wanted) {
    test(`finds ${names.join(', ') || 'nothing'} with ?${query}`, async () => {
      assert.deepEqual(await found(query), names)
    })
  }

  test('returns pages newest first, with cursors bound to the project', async () => {
    const first = await call('GET /media?limit=2')
    const { next_cursor } = first.body
    assert.deepEqual(await found(`limit=2&cursor=${next_cursor}`), ['terrace.jpg'])
    const other = await (await newLibrary()).call(`GET /media?cursor=${next_cursor}`)
    assert.deepEqual([other.status, slugOf(other)], [400, 'invalid_parameter'])
  })

  test('refuses an unknown kind and an invalid folder', async () => {
    for (const query of ['kind=picture', 'folder=/menu', 'folder=a//b', 'tag=', 'limit=101']) {
      const answer = await call(`GET /media?${query}`)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], query)
    }
  })

  test('hides the files of other projects', async () => {
    const other = await newLibrary()
    assert.deepEqual((await other.call('GET /media')).body.data, [])
    assert.deepEqual(await findMedia(runtime.runtime.db, other.project_id, Object.values(ids)), [])
  })
})

describe('PATCH /media/{id}', async () => {
  const { key, call } = await newLibrary()
  const { id } = await ready(await jpeg(), { key })
  const route = `PATCH /media/${id}`

  test('changes single fields, and treats an empty value as absent', async () => {
    const first = await call(route, { alt: 'A', title: 'B', tags: ['c', 'd'], folder: 'e/f' })
    const { alt, title, tags, folder, filename } = first.body
    assert.deepEqual([alt, title, tags, folder], ['A', 'B', ['c', 'd'], 'e/f'])
    const second = await call(route, { alt: '', title: null, filename: 'new name.jpg' })
    assert.deepEqual(
      [second.body.alt, second.body.title, second.body.tags],
      [null, null, ['c', 'd']],
    )
    assert.deepEqual([filename, second.body.filename], ['picture.jpg', 'new name.jpg'])
    assert.ok(second.body.updated_at >= first.body.updated_at)
  })

  test('refuses invalid values, each with the name of its field', async () => {
    const wrong: [object, string][] = [
      [{}, ''],
      [{ alt: 'a'.repeat(1001) }, '/alt'],
      [{ tags: ['a', 'a'] }, '/tags'],
      [{ tags: [' a'] }, '/tags/0'],
      [{ tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, '/tags'],
      [{ folder: '/a' }, '/folder'],
      [{ folder: 'a/' }, '/folder'],
      [{ folder: 'a/ b' }, '/folder'],
      [{ filename: 'a/b' }, '/filename'],
      [{ status: 'ready' }, '/status'],
      [{ content_type: 'text/html' }, '/content_type'],
    ]
    for (const [body, path] of wrong) {
      const answer = await call(route, body)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, path)
    }
  })
})

describe('a deleted media file', () => {
  test('is gone with its links at once, and with its bytes an hour later', async () => {
    const { project_id, key, call } = await newLibrary()
    const { id } = await ready(await jpeg(), { key })
    const [found] = await findMedia(runtime.runtime.db, project_id, [id])
    assert.equal((await call(`DELETE /media/${id}`)).status, 204)
    for (const route of [`GET /media/${id}`, `GET /media/${id}/link`, `DELETE /media/${id}`]) {
      const answer = await call(route)
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
    runtime.passes('2 hours')
    await sweepFiles.run(runtime.runtime)
    const blob = await runtime.runtime.blobs.size(`${project_id}/${found?.file_id}`)
    assert.equal(blob, null)
  })

  test('does not reappear when its upload is completed again: 404', async () => {
    const { key, call } = await newLibrary()
    const { id } = await ready(await jpeg(), { key })
    const route = `POST /media/uploads/${id}/complete`
    assert.equal((await call(route)).status, 201)
    assert.equal((await call(`DELETE /media/${id}`)).status, 204)
    for (const answer of [...(await Promise.all([call(route), call(route)])), await call(route)]) {
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
    assert.deepEqual((await call('GET /media')).body.data, [])
  })

  test('may be uploaded again as another media file', async () => {
    const { key, call } = await newLibrary()
    const bytes = await jpeg()
    const { id } = await ready(bytes, { key })
    assert.equal((await call(`DELETE /media/${id}`)).status, 204)
    const again = await ready(bytes, { key })
    assert.notEqual(again.id, id)
  })

  test('is refused while a live site shows it: 409 conflict, with the names of the sites', async () => {
    const { project_id, key, call } = await newLibrary()
    const { id } = await ready(await jpeg(), { key })
    const site = { project_id, site_id: SITE }
    const { db } = runtime.runtime
    const uses = [{ media_id: id, path: 'img/terrace.jpg' }]
    await db.transact((tx) => replaceSiteUses(tx, site, uses))
    const used_on = [{ site_id: SITE, path: 'img/terrace.jpg' }]
    assert.deepEqual((await call(`GET /media/${id}`)).body.used_on, used_on)
    const answer = await call(`DELETE /media/${id}`)
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    assert.deepEqual(answer.body.used_on, used_on)
    assert.match(answer.body.detail, /img\/terrace\.jpg/)
    await db.transact((tx) => replaceSiteUses(tx, site, []))
    assert.equal((await call(`DELETE /media/${id}`)).status, 204)
    const late = db.transact((tx) => replaceSiteUses(tx, site, uses))
    await assert.rejects(late, { slug: 'conflict' })
  })
})

test('the library is not visible to a key that is limited to some sites', async () => {
  const access = { sites: [SITE], apps: [], collections: [], limited_by: 'api_key' as const }
  const key = await runtime.newKey({ access })
  const answer = await runtime.call('GET /media', { key })
  assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
})
