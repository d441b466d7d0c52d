/** Tests of upload links over HTTP: announced bytes are stored once; other bytes are discarded. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { callerOf as callerIn } from '../../../test/fixtures/callers.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Plan } from '../../contract/plans.ts'
import * as projects from '../projects/service.ts'
import * as files from './service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime, project_id } = fixture

const hexOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const callerOf = (id = project_id) => callerIn(runtime, id)

const announcing = (bytes: Buffer) => ({
  name: 'a.txt',
  sha256: hexOf(bytes),
  bytes: bytes.length,
  content_type: 'text/plain',
})

async function announce(bytes: Buffer, id?: string): Promise<files.Announced> {
  const [link] = await files.announceUploads(await callerOf(id), 'media', [announcing(bytes)])
  assert(link)
  return link
}

interface Answer {
  status: number
  body: any
  headers: Headers
}

async function put(
  link: { url: string },
  bytes: Buffer | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const address = link.url.replace(runtime.config.public_url, fixture.url)
  const body = bytes instanceof Buffer ? new Uint8Array(bytes) : bytes
  const answer = await fetch(address, { method: 'PUT', headers, body, duplex: 'half' })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

const slugOf = ({ body }: Answer) => /errors\/(\w+)/.exec(JSON.stringify(body))?.[1]

async function isStored(bytes: Buffer): Promise<boolean> {
  return (await files.findFiles(runtime, project_id, [hexOf(bytes)])).length === 1
}

/** Returns the temporary files of the blob store. */
function unfinished(): string[] {
  return readdirSync(join(runtime.config.data_dir, 'blobs', '.unfinished'))
}

suite('an upload link', () => {
  test('accepts the announced bytes and creates a file of the project', async () => {
    const bytes = randomBytes(200_000)
    const link = await announce(bytes)
    assert.deepEqual([link.status, link.method, link.name], ['needed', 'PUT', 'a.txt'])
    assert.equal(await isStored(bytes), false)
    const answer = await put(link, bytes)
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      upload_id: link.upload_id,
      name: 'a.txt',
      sha256: hexOf(bytes),
      bytes: 200_000,
      status: 'received',
    })
    const [file] = await files.findFiles(runtime, project_id, [hexOf(bytes)])
    assert(file)
    assert.deepEqual(await files.readFile(runtime, project_id, { id: file.id }), bytes)
  })

  test('accepts one upload: then 409 conflict', async () => {
    const bytes = randomBytes(100)
    const link = await announce(bytes)
    assert.equal((await put(link, bytes)).status, 200)
    const again = await put(link, bytes)
    assert.deepEqual([again.status, slugOf(again)], [409, 'conflict'])
  })

  test('expires after 15 minutes: then 422 upload_not_received', async () => {
    const bytes = randomBytes(100)
    const link = await announce(bytes)
    const left_ms = Date.parse(link.expires_at) - runtime.clock.now_ms()
    assert(Math.abs(left_ms - 900_000) < 10_000)
    fixture.passes('15 minutes')
    const late = await put(link, bytes)
    assert.deepEqual([late.status, slugOf(late)], [422, 'upload_not_received'])
    assert.equal(await isStored(bytes), false)
  })

  test('reports that the bytes exist already, however they were stored', async () => {
    const bytes = randomBytes(100)
    const { project } = await callerOf()
    await files.storeFile(runtime, project, bytes)
    const link = await announce(bytes)
    assert.equal(link.status, 'already_there')
    assert.equal((await put(link, bytes)).status, 409)
  })

  test('does not reveal which files exist in another project', async () => {
    const bytes = randomBytes(100)
    await put(await announce(bytes), bytes)
    const other = await fixture.newProject()
    assert.equal((await announce(bytes, other.project_id)).status, 'needed')
  })

  test('is refused with 404 not_found if it is unknown or malformed', async () => {
    const { url } = await announce(randomBytes(10))
    for (const wrong of [`${url}x`, url.slice(0, -1), `${fixture.url}/uploads/a`]) {
      const answer = await put({ url: wrong }, randomBytes(10))
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
  })

  test('is refused with 404 not_found if its project is deleted', async () => {
    const { project_id: gone } = await fixture.newProject()
    const bytes = randomBytes(10)
    const link = await announce(bytes, gone)
    await projects.remove(runtime, gone)
    assert.equal((await put(link, bytes)).status, 404)
  })

  test('accepts requests from pages of any origin', async () => {
    const { url } = await announce(randomBytes(10))
    const asked = await fetch(url.replace(runtime.config.public_url, fixture.url), {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
    })
    assert.equal(asked.status, 204)
    assert.equal(asked.headers.get('access-control-allow-origin'), '*')
    assert.equal(asked.headers.get('access-control-allow-methods'), 'PUT')
    assert.equal(asked.headers.get('access-control-allow-headers'), 'Content-Type')
  })
})

suite('an upload that differs from its announcement', () => {
  const bytes = randomBytes(150_000)
  const streamed = (content: Buffer) => new Blob([new Uint8Array(content)]).stream()
  const same = Buffer.alloc(150_000)
  const cases: [string, Buffer | (() => ReadableStream)][] = [
    ['fewer bytes', bytes.subarray(1)],
    ['more bytes', Buffer.concat([bytes, bytes])],
    ['an empty body', Buffer.alloc(0)],
    ['other bytes of the same length', same],
    ['fewer bytes without Content-Length', () => streamed(bytes.subarray(1))],
    ['more bytes without Content-Length', () => streamed(Buffer.concat([bytes, bytes]))],
    ['other bytes of the same length without Content-Length', () => streamed(same)],
    ['the same bytes compressed', gzipSync(bytes)],
  ]
  for (const [name, sent] of cases) {
    test(`is refused with 422 validation_failed: ${name}`, async () => {
      const link = await announce(bytes)
      const answer = await put(link, typeof sent === 'function' ? sent() : sent)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
      const { detail, errors } = answer.body
      assert.equal(errors.length, 1)
      assert.equal(errors[0].path, '/bytes')
      assert(detail.startsWith(`${errors[0].message} Nothing was stored`), detail)
      assert.equal(await isStored(bytes), false)
      assert.deepEqual(unfinished(), [])
    })
  }

  test('stores a body with Content-Encoding without decoding it', async () => {
    const unpacked = Buffer.alloc(20_000_000)
    const packed = gzipSync(unpacked)
    const headers = { 'content-encoding': 'gzip' }
    const bomb = await put(await announce(unpacked), packed, headers)
    assert.deepEqual([bomb.status, slugOf(bomb)], [422, 'validation_failed'])
    assert.equal((await put(await announce(packed), packed, headers)).status, 200)
    const [file] = await files.findFiles(runtime, project_id, [hexOf(packed)])
    assert.equal(file?.bytes, packed.length)
  })

  test('accepts an empty file', async () => {
    const nothing = Buffer.alloc(0)
    const link = await announce(nothing)
    const answer = await put(link, Buffer.from('a'))
    assert.equal(answer.status, 422)
    assert.equal((await put(link, nothing)).status, 200)
    assert.equal(await isStored(nothing), true)
  })

  test('refuses methods other than PUT', async () => {
    const { url } = await announce(bytes)
    const address = url.replace(runtime.config.public_url, fixture.url)
    for (const method of ['GET', 'POST', 'DELETE', 'PATCH']) {
      const { status } = await fetch(address, { method })
      assert(status === 404 || status === 405, method)
    }
  })

  test('does not reveal the announced length or digest', async () => {
    const { url } = await announce(bytes)
    const answer = await put({ url }, Buffer.alloc(150_000))
    const said = JSON.stringify(answer.body)
    assert(!said.includes(hexOf(bytes)) && !said.includes(project_id))
  })

  test('cuts off a body without Content-Length at the announced length', async () => {
    const link = await announce(randomBytes(1000))
    const address = link.url.replace(runtime.config.public_url, fixture.url)
    let sent = 0
    const flood = request(address, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } })
    const refused = new Promise(
      (resolve) => void flood.on('response', resolve).on('error', resolve),
    )
    const chunk = Buffer.alloc(65_536)
    const pour = (): void => {
      if (flood.destroyed || sent > 2000 * chunk.length) return
      sent += chunk.length
      flood.write(chunk, () => setImmediate(pour))
    }
    pour()
    await refused
    flood.destroy()
    assert(sent < 1000 * chunk.length)
    assert.deepEqual(unfinished(), [])
  })

  test('stores nothing if the connection breaks, and accepts the bytes again', async () => {
    const link = await announce(bytes)
    const address = link.url.replace(runtime.config.public_url, fixture.url)
    const broken = request(address, { method: 'PUT', headers: { 'content-length': '150000' } })
    broken.on('error', () => {})
    await new Promise((resolve) => void broken.write(bytes.subarray(0, 70_000), resolve))
    broken.destroy()
    await new Promise((resolve) => void broken.on('close', resolve))
    assert.equal((await put(link, bytes)).status, 200)
    assert.equal(await isStored(bytes), true)
  })

  test('creates one file if two clients upload the same bytes concurrently', async () => {
    const other = randomBytes(300_000)
    const link = await announce(other)
    const answers = await Promise.all([put(link, other), put(link, other)])
    const statuses = answers.map(({ status }) => status).toSorted()
    assert.equal(statuses[0], 200)
    assert(statuses[1] === 200 || statuses[1] === 409)
    assert.equal(await isStored(other), true)
  })
})

test('an upload gets 503 if the blob store fails, and can be used again', async () => {
  const bytes = randomBytes(1000)
  const link = await announce(bytes)
  const folder = join(runtime.config.data_dir, 'blobs')
  renameSync(folder, `${folder}-away`)
  writeFileSync(folder, 'a file where the folder should be')
  const answer = await put(link, bytes)
  assert.deepEqual([answer.status, slugOf(answer)], [503, 'service_unavailable'])
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  rmSync(folder)
  renameSync(`${folder}-away`, folder)
  assert.equal((await put(link, bytes)).status, 200)
})

suite('announceUploads', () => {
  const refusedWith = (slug: string, status: number) => (error: unknown) =>
    error instanceof Problem && error.slug === slug && error.status === status

  test('returns two usable links for the same bytes under two names', async () => {
    const bytes = randomBytes(5000)
    const caller = await callerOf()
    const two = [announcing(bytes), { ...announcing(bytes), name: 'b.txt' }]
    const links = await files.announceUploads(caller, 'media', two)
    assert.deepEqual(
      links.map(({ name }) => name),
      ['a.txt', 'b.txt'],
    )
    for (const link of links) assert.equal((await put(link, bytes)).status, 200)
  })

  test('refuses two lengths for one sha256: 422 validation_failed', async () => {
    const bytes = randomBytes(5000)
    const two = [announcing(bytes), { ...announcing(bytes), bytes: 4999 }]
    const refused = files.announceUploads(await callerOf(), 'media', two)
    await assert.rejects(refused, refusedWith('validation_failed', 422))
  })

  test('refuses a length that differs from the stored file: 422 validation_failed', async () => {
    const bytes = randomBytes(5000)
    const caller = await callerOf()
    await files.storeFile(runtime, caller.project, bytes)
    const refused = files.announceUploads(caller, 'media', [{ ...announcing(bytes), bytes: 4999 }])
    await assert.rejects(refused, refusedWith('validation_failed', 422))
  })

  test('lets a second announcement correct a wrong length', async () => {
    const bytes = randomBytes(5000)
    const caller = await callerOf()
    await files.announceUploads(caller, 'media', [{ ...announcing(bytes), bytes: 4_000_000 }])
    assert.equal((await put(await announce(bytes), bytes)).status, 200)
    assert.equal(await isStored(bytes), true)
  })

  test('refuses a file over the limit of its purpose', async () => {
    const large = (bytes: number) => [{ ...announcing(randomBytes(9)), bytes }]
    const caller = await callerOf()
    await assert.rejects(
      files.announceUploads(caller, 'site', large(limits.site_file_bytes_max + 1)),
      refusedWith('site_too_large', 422),
    )
    await assert.rejects(
      files.announceUploads(caller, 'media', large(limits.media_file_bytes_max + 1)),
      refusedWith('file_too_large', 413),
    )
  })
})

suite('the storage quota of a plan', () => {
  const MB = 1_048_576
  const fresh = async (plan: Plan) => (await fixture.newProject({ plan })).project_id
  const large = (bytes: number) => ({ ...announcing(randomBytes(9)), bytes })

  test('is not exceeded by concurrent announcements: 409 plan_limit_reached', async () => {
    const id = await fresh('free')
    const caller = await callerOf(id)
    const tries = Array.from({ length: 30 }, () =>
      files.announceUploads(caller, 'media', [large(8 * MB)]),
    )
    const results = await Promise.allSettled(tries)
    const taken = results.filter(({ status }) => status === 'fulfilled')
    assert.equal(taken.length, 12)
    for (const result of results) {
      if (result.status === 'fulfilled') continue
      assert(result.reason instanceof Problem)
      assert.deepEqual([result.reason.slug, result.reason.status], ['plan_limit_reached', 409])
    }
  })

  test('counts a repeated announcement once', async () => {
    const id = await fresh('free')
    const caller = await callerOf(id)
    const file = large(60 * MB)
    for (let time = 0; time < 3; time++) await files.announceUploads(caller, 'media', [file])
  })

  test('is enforced for bytes that were not announced', async () => {
    const id = await fresh('free')
    const caller = await callerOf(id)
    await files.announceUploads(caller, 'media', [large(99 * MB)])
    const bytes = randomBytes(1_200_000)
    const streamed = new Blob([new Uint8Array(bytes)]).stream()
    for (const source of [bytes, streamed]) {
      await assert.rejects(
        files.storeFile(runtime, caller.project, source),
        (error) => error instanceof Problem && error.slug === 'plan_limit_reached',
      )
    }
    assert.deepEqual(unfinished(), [])
  })
})
