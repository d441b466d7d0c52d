/** Tests of links to media files, and of the resized copies that they request. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { limits } from '../../contract/limits.ts'
import { slugOf } from '../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  fromPhone,
  mediaFixture,
  newPicture,
  newRecording,
} from '../../../test/fixtures/media/media.ts'
import { readFile } from '../files/service.ts'
import * as projects from '../projects/service.ts'
import { addFormFiles, findMedia, storeFormFile, openLink } from './service.ts'

const runtime = await openTestRuntime({ work: false })
const { ready } = mediaFixture(runtime)
const picture = await ready(await fromPhone({ width: 1000, height: 500 }).jpeg().toBuffer(), {
  filename: 'terrace.jpeg',
})

async function linkTo(id: string, query = ''): Promise<{ url: string; expires_at: string }> {
  const { status, body, text } = await runtime.call(`GET /media/${id}/link${query}`)
  assert.equal(status, 200, text)
  return body
}

function tokenOf({ url }: { url: string }): string {
  return url.split('/').at(-1) ?? ''
}

const open = (token: string) => openLink(runtime.runtime, token)

describe('a media link', () => {
  test('serves the file for 15 minutes, and answers 404 afterwards', async () => {
    const link = await linkTo(picture.id)
    assert.equal(link.url, `${runtime.runtime.config.public_url}/files/${tokenOf(link)}`)
    const opened = await open(tokenOf(link))
    assert.equal(opened.expires_at.toISOString(), link.expires_at)
    assert.deepEqual(
      [opened.bytes, opened.content_type, opened.filename, opened.suffix, opened.inline],
      [picture.bytes, 'image/jpeg', 'terrace.jpeg', null, true],
    )
    runtime.passes('14 minutes')
    await open(tokenOf(link))
    runtime.passes('61 seconds')
    await assert.rejects(open(tokenOf(link)), { slug: 'not_found', detail: /has expired/ })
  })

  test('is refused if its token was altered in any position', async () => {
    const token = tokenOf(await linkTo(picture.id, '?width=160'))
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === '1' ? '2' : '1'
      const changed = token.slice(0, at) + other + token.slice(at + 1)
      await assert.rejects(open(changed), { slug: 'not_found' }, changed)
    }
    for (const junk of ['', '.', '....', 'a'.repeat(5000), `${token}.`, token.slice(1)]) {
      await assert.rejects(open(junk), { slug: 'not_found' })
    }
  })

  test('answers 409 while the file is being processed, and serves it afterwards', async () => {
    const project = await projects.find(runtime.runtime.db, runtime.project_id)
    assert(project)
    async function* bytes() {
      yield await newPicture().png().toBuffer()
    }
    const file = await storeFormFile(runtime.runtime, project, {
      filename: 'a.png',
      bytes: bytes(),
    })
    const files = [file]
    await addFormFiles(runtime.runtime, project, { files, collection: 'bookings', test: false })
    const [found] = await findMedia(runtime.runtime.db, project.id, [file.id])
    assert.equal(found?.status, 'processing')
    const early = await runtime.call(`GET /media/${file.id}/link`)
    assert.deepEqual([early.status, slugOf(early)], [409, 'conflict'])
    assert.match(early.body.detail, /still being processed/)
    assert.equal((await runtime.call(`POST /media/uploads/${file.id}/complete`)).status, 201)
    await linkTo(file.id)
  })

  test('ends when its file is deleted', async () => {
    const { id } = await ready(await newPicture().png().toBuffer())
    const token = tokenOf(await linkTo(id, '?width=160'))
    await open(token)
    await runtime.call(`DELETE /media/${id}`)
    await assert.rejects(open(token), { slug: 'not_found', detail: /no longer exists/ })
  })

  test('sends active content as a download, never for display', async () => {
    const files: [string, string | Buffer, boolean][] = [
      ['a.html', '<!doctype html><script>alert(1)</script>', false],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', false],
      ['a.js', 'alert(1)', false],
      ['a.txt', 'words', false],
      ['a.pdf', '%PDF-1.7\n', true],
      ['a.wav', newRecording(), true],
      ['a.bin', '\0\u0001', false],
    ]
    for (const [filename, content, inline] of files) {
      const { id } = await ready(Buffer.from(content), { filename })
      const opened = await open(tokenOf(await linkTo(id)))
      assert.equal(opened.inline, inline, filename)
    }
  })
})

describe('a resized copy', () => {
  const copyOf = async (query: string) => {
    const opened = await open(tokenOf(await linkTo(picture.id, query)))
    const { project_id, file_id, suffix } = opened
    assert(suffix)
    const bytes = await readFile(runtime.runtime, project_id, { id: file_id, suffix })
    assert.equal(bytes.length, opened.bytes)
    return { opened, bytes, about: await sharp(bytes).metadata() }
  }

  test('is made in each listed format and width, without metadata', async () => {
    for (const format of ['webp', 'avif', 'jpeg'] as const) {
      const { opened, about } = await copyOf(`?width=320&format=${format}`)
      assert.deepEqual([about.width, about.height], [320, 160])
      assert.equal(about.format, format === 'avif' ? 'heif' : format)
      assert.deepEqual([about.exif, about.icc, about.xmp], [undefined, undefined, undefined])
      assert.equal(opened.content_type, `image/${format}`)
      assert.equal(opened.filename, `terrace-320.${format === 'jpeg' ? 'jpg' : format}`)
    }
    for (const width of limits.media_widths) {
      const { about } = await copyOf(`?width=${width}`)
      assert.equal(about.width, Math.min(width, 1000))
      assert.equal(about.format, 'webp')
    }
  })

  test('is listed with the file and made once', async () => {
    const { id } = await ready(await newPicture({ width: 700 }).png().toBuffer())
    const route = `GET /media/${id}`
    await Promise.all([1, 2, 3].map(() => linkTo(id, '?width=160&format=jpeg')))
    await linkTo(id, '?width=1920')
    await linkTo(id, '?width=960')
    const { variants } = (await runtime.call(route)).body
    const listed = variants.map((one: { width: number; format: string }) => [one.width, one.format])
    assert.deepEqual(listed, [
      [160, 'jpeg'],
      [700, 'webp'],
    ])
    assert.ok(variants.every(({ bytes }: { bytes: number }) => bytes > 0))
  })

  test('has a white background as JPEG, and keeps transparency as WebP', async () => {
    const clear = { create: { width: 300, height: 300, channels: 4, background: '#0000' } } as const
    const { id } = await ready(await sharp(clear).png().toBuffer(), { filename: 'clear.png' })
    const pixel = async (format: string) => {
      const opened = await open(tokenOf(await linkTo(id, `?width=160&format=${format}`)))
      const { project_id, file_id, suffix } = opened
      const bytes = await readFile(runtime.runtime, project_id, {
        id: file_id,
        suffix: suffix ?? '',
      })
      return [...(await sharp(bytes).raw().toBuffer()).subarray(0, 4)]
    }
    assert.deepEqual((await pixel('jpeg')).slice(0, 3), [255, 255, 255])
    assert.equal((await pixel('webp'))[3], 0)
  })

  test('is refused in another width or format, or for a file that is not an image: 400', async () => {
    const sound = await ready(newRecording(), { filename: 'a.wav' })
    const wrong: [string, string][] = [
      [picture.id, '?width=161'],
      [picture.id, '?width=0'],
      [picture.id, '?width=1e3'],
      [picture.id, '?width=320&width=640'],
      [picture.id, '?width=320&format=png'],
      [picture.id, '?width=320&format=svg'],
      [picture.id, '?format=webp'],
      [picture.id, '?height=320'],
      [sound.id, '?width=320'],
    ]
    for (const [id, query] of wrong) {
      const answer = await runtime.call(`GET /media/${id}/link${query}`)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], query)
    }
  })
})
