/** Tests of pictures over HTTP: kept and removed metadata, and hostile files. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  fromPhone,
  mediaFixture,
  newPicture,
  newRecording,
} from '../../../../test/fixtures/media/media.ts'
import { readFile, sweepFiles } from '../../files/service.ts'
import { inspectFile, type FileSourceInRanges } from '../reader/reader-client.ts'
import { findMedia } from '../service.ts'

const runtime = await openTestRuntime({ work: false })
const { add, announce, ready } = mediaFixture(runtime)
// Personal data in the metadata. At least four letters each, because shorter texts occur by chance
// in a noisy image.
const personal = ['Anna Visser', 'PhoneMaker', 'Exif', 'xmpmeta', 'secret words']

/** Returns the stored bytes of a media file. */
async function keptOf({ id }: { id: string }): Promise<Buffer> {
  const [found] = await findMedia(runtime.runtime.db, runtime.project_id, [id])
  assert(found)
  return readFile(runtime.runtime, runtime.project_id, { id: found.file_id })
}

function holds(bytes: Buffer): string[] {
  return personal.filter((words) => bytes.includes(words))
}

/** Creates a PNG chunk with its length, name and checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

const formats = {
  jpeg: () => fromPhone().jpeg().toBuffer(),
  png: () => fromPhone().png().toBuffer(),
  webp: () => fromPhone().webp({ lossless: true }).toBuffer(),
  avif: () => fromPhone().avif({ effort: 0 }).toBuffer(),
} as const

describe('camera metadata of a picture', () => {
  for (const [format, make] of Object.entries(formats)) {
    test(`is removed from a file of type ${format}`, async () => {
      const sent = await make()
      assert.ok((await sharp(sent).metadata()).exif)
      const body = await ready(sent)
      assert.equal(body.content_type, `image/${format}`)
      const kept = await keptOf(body)
      const { exif, xmp, iptc, width, height } = await sharp(kept).metadata()
      assert.deepEqual(
        [exif, xmp, iptc, width, height],
        [undefined, undefined, undefined, 400, 300],
      )
      assert.equal(body.sha256, hash('sha256', kept, 'hex'))
      assert.equal(body.sent_sha256, hash('sha256', sent, 'hex'))
      assert.equal(body.bytes, kept.length)
      assert.deepEqual(holds(kept), [])
    })
  }

  for (const format of ['jpeg', 'png', 'webp'] as const) {
    test(`is removed from ${format} without a change to the image data`, async () => {
      const sent = await formats[format]()
      const kept = await keptOf(await ready(sent))
      const [before, after] = await Promise.all(
        [sent, kept].map((bytes) => sharp(bytes).raw().toBuffer()),
      )
      assert.ok(after?.equals(before!))
      assert.ok(kept.length < sent.length)
    })
  }

  test('is in no file of the disk after the sweep of the original upload', async () => {
    const sent = await formats.jpeg()
    await ready(sent)
    runtime.passes('2 hours')
    await sweepFiles.run(runtime.runtime)
    for await (const { key } of runtime.runtime.blobs.list(`${runtime.project_id}/`)) {
      assert.deepEqual(holds(await runtime.runtime.blobs.read(key)), [], key)
    }
  })

  test('is removed, and its orientation is applied to the pixels', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'avif'] as const) {
      const sent = await fromPhone({ orientation: 6 })[format]().toBuffer()
      const body = await ready(sent)
      assert.deepEqual([body.width, body.height], [300, 400], format)
      const { orientation, exif } = await sharp(await keptOf(body)).metadata()
      assert.deepEqual([orientation, exif], [undefined, undefined])
    }
  })

  test('is removed, and a second upload is still recognized by the digest of the original', async () => {
    const sent = await formats.jpeg()
    const first = await ready(sent)
    runtime.passes('2 hours')
    await sweepFiles.run(runtime.runtime)
    const upload = await announce(sent)
    assert.equal(upload.status, 'already_there')
    const again = await ready(sent)
    assert.deepEqual([again.sha256, again.sent_sha256], [first.sha256, first.sent_sha256])
  })

  test('is removed, and the colour profile stays', async () => {
    const sent = await newPicture()
      .withIccProfile('p3')
      .withExif({ IFD0: { Make: 'A' } })
      .jpeg()
      .toBuffer()
    const { icc, exif } = await sharp(await keptOf(await ready(sent))).metadata()
    assert.deepEqual([icc?.length, exif], [(await sharp(sent).metadata()).icc?.length, undefined])
  })
})

describe('a file that is valid in two formats', () => {
  const page = Buffer.from('<html><script>alert(document.domain)</script>secret words')
  const html = { filename: 'photo.html', content_type: 'text/html' }

  test('loses an HTML page behind a JPEG or in its comments', async () => {
    const jpeg = await newPicture().jpeg().toBuffer()
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, page.length + 2]), page])
    const sent = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), page])
    const body = await ready(sent, html)
    assert.equal(body.content_type, 'image/jpeg')
    assert.ok((await keptOf(body)).equals(jpeg))
  })

  test('loses an HTML page in or behind a PNG, a WebP or a GIF', async () => {
    const png = await newPicture().png().toBuffer()
    const text = chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), page]))
    const ofText = Buffer.concat([png.subarray(0, 33), text, png.subarray(33), page])
    const webp = await newPicture().webp().toBuffer()
    const gif = await newPicture().gif().toBuffer()
    const note = Buffer.concat([Buffer.from([0x21, 0xfe, page.length]), page, Buffer.from([0])])
    const ofGif = Buffer.concat([gif.subarray(0, -1), note, gif.subarray(-1), page])
    for (const sent of [ofText, Buffer.concat([webp, page]), ofGif]) {
      const kept = await keptOf(await ready(sent, html))
      assert.ok(kept.length < sent.length)
      assert.deepEqual(holds(kept), [])
      assert.ok((await sharp(kept).metadata()).width === 400)
    }
  })

  test('counts as an HTML page if it begins like one, and is never shown as a picture', async () => {
    const jpeg = await newPicture().jpeg().toBuffer()
    const body = await ready(Buffer.concat([page, jpeg]), { filename: 'photo.jpg' })
    assert.deepEqual([body.kind, body.content_type], ['document', 'text/html'])
  })

  test('has copies without the end marker that phones leave out', async () => {
    const whole = await fromPhone().jpeg().toBuffer()
    const gif = await newPicture({ width: 40 }).gif().toBuffer()
    const trailer = Buffer.from('secret words'.repeat(9))
    const open = whole.subarray(0, -2)
    for (const sent of [open, Buffer.concat([open, Buffer.from([0xff])]), gif.subarray(0, -1)]) {
      const body = await ready(sent)
      assert.deepEqual([body.status_reason, holds(await keptOf(body))], [null, []])
      assert.equal((await runtime.call(`GET /media/${body.id}/link?width=160`)).status, 200)
    }
    const body = await ready(Buffer.concat([whole, trailer]))
    assert.deepEqual([body.status_reason, holds(await keptOf(body))], [null, []])
  })

  test('keeps the frames of an animated picture, in copies too', async () => {
    const frames = await Promise.all(
      [1, 2, 3].map(() => newPicture({ width: 200 }).png().toBuffer()),
    )
    for (const format of ['gif', 'webp'] as const) {
      const moving = sharp(frames, { join: { animated: true } })
      const sent = await moving
        .withExif({ IFD0: { Make: 'A' } })
        .toFormat(format, { loop: 0 })
        .toBuffer()
      const body = await ready(sent, { filename: `moving.${format}` })
      assert.deepEqual([body.width, body.height], [200, 300])
      const { pages, exif } = await sharp(await keptOf(body), { animated: true }).metadata()
      assert.deepEqual([pages, exif], [3, undefined])
      const copied = async (as: string) => {
        const link = await runtime.call(`GET /media/${body.id}/link?width=160&format=${as}`)
        if (link.status !== 200) return link.status
        const bytes = Buffer.from(await (await fetch(link.body.url)).arrayBuffer())
        const copy = await sharp(bytes, { animated: true }).metadata()
        return [copy.width, copy.pages ?? 1]
      }
      assert.deepEqual(await Promise.all(['webp', 'jpeg', 'avif'].map(copied)), [
        [160, 3],
        [160, 1],
        409,
      ])
    }
  })
})

/** Creates a PNG that declares its dimensions and contains almost no data. */
function hugePng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const parts = [chunk('IHDR', head), chunk('IDAT', Buffer.from('789c030000000001', 'hex'))]
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))])
}

describe('a hostile picture', () => {
  const noise = () => newPicture({ width: 900, height: 700 })
  const harmful: [string, () => Promise<Buffer> | Buffer, RegExp][] = [
    ['a decompression bomb of 144 million pixels', () => bomb(), /million pixels/],
    ['an AVIF of 21 million pixels', () => largeAvif(), /20 million pixels, the most for AVIF/],
    ['a PNG that declares 4 billion pixels', () => hugePng(65_535, 65_535), /million pixels/],
    ['a PNG without image data', () => hugePng(100, 100), /damaged/],
    ['half a PNG', async () => half(await noise().png().toBuffer()), /damaged/],
    ['half a WebP', async () => half(await noise().webp({ quality: 95 }).toBuffer()), /damaged/],
    ['half a GIF', async () => half(await noise().gif().toBuffer()), /damaged/],
    ['half an AVIF', async () => half(await noise().avif({ effort: 0 }).toBuffer()), /damaged/],
    ['the first bytes of a JPEG', () => Buffer.from('ffd8ffe000104a46494600', 'hex'), /damaged/],
    ['the signature of a JPEG alone', () => Buffer.from('ffd8ff', 'hex'), /damaged/],
    ['a TIFF', () => noise().tiff().toBuffer(), /JPEG, PNG, WebP/],
    ['a HEIC file', () => Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), /JPEG, PNG/],
  ]
  for (const [what, make, reason] of harmful) {
    test(`is kept without copies, with a reason: ${what}`, async () => {
      const body = await ready(await make())
      assert.equal(body.placeholder, null)
      assert.match(body.status_reason, reason)
      const copy = await runtime.call(`GET /media/${body.id}/link?width=160`)
      assert.equal(copy.status, 409)
      assert.equal((await runtime.call(`GET /media/${body.id}/link`)).status, 200)
      assert.equal((await runtime.call(`DELETE /media/${body.id}`)).status, 204)
    })
  }

  test('becomes failed if it is half a recording', async () => {
    const { body } = await add(Buffer.from('RIFF\xff\xff\0\0WAVEjunk', 'latin1'))
    assert.equal(body.status, 'failed')
    assert.match(body.status_reason, /damaged/)
    assert.equal((await runtime.call(`GET /media/${body.id}/link`)).status, 409)
  })

  test('loses its camera metadata even if it cannot be decoded', async () => {
    const sent = await fromPhone({ width: 900, height: 700 }).jpeg().toBuffer()
    assert.deepEqual(holds(await keptOf(await ready(half(sent)))), [])
    const spoilt = Buffer.from(sent)
    // The size of the frame, which follows its marker, its length and its precision.
    spoilt.writeUInt16BE(0, spoilt.indexOf(Buffer.from('ffc0', 'hex')) + 5)
    const body = await ready(spoilt)
    assert.match(body.status_reason, /damaged or not whole\. It is kept as it was sent\.$/)
    assert.deepEqual(holds(await keptOf(body)), [])
  })

  test('never renders an SVG: its scripts, links and entities stay text', async () => {
    const entities = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    const sent = `<?xml version="1.0"?>${entities}<svg xmlns="http://www.w3.org/2000/svg" width="9"
      height="9"><script>alert(1)</script><image href="file:///etc/passwd"/>&b;</svg>`
    const body = await ready(Buffer.from(sent), { filename: 'a.png', content_type: 'image/png' })
    assert.deepEqual(
      [body.content_type, body.width, body.placeholder],
      ['image/svg+xml', null, null],
    )
    const link = await runtime.call(`GET /media/${body.id}/link?width=160`)
    assert.equal(link.status, 400)
  })

  test('is scanned for beginnings of HTML pages in bounded time', async () => {
    const comments = `${'<!---->'.repeat(30_000)}<!--`
    assert.equal((await ready(Buffer.from(comments))).content_type, 'text/plain; charset=utf-8')
  })

  async function bomb(): Promise<Buffer> {
    const size = { width: 12_000, height: 12_000, channels: 3, background: 'red' } as const
    return sharp({ create: size }).png().toBuffer()
  }

  /** Says that it is larger than it is, so that it is not decoded. */
  async function largeAvif(): Promise<Buffer> {
    const small = await newPicture({ width: 64, height: 64 }).avif({ effort: 0 }).toBuffer()
    const size = small.indexOf('ispe') + 8
    small.writeUInt32BE(4_600, size)
    small.writeUInt32BE(4_600, size + 4)
    return small
  }

  function half(bytes: Buffer): Buffer {
    return bytes.subarray(0, bytes.length / 2)
  }
})

describe('the process that reads pictures', () => {
  const of = (bytes: Buffer): FileSourceInRanges => ({
    project_id: 'a project',
    bytes: bytes.length,
    read: async ({ start, end }) => bytes.subarray(start, end + 1),
  })

  test('reads one file at a time, also with many concurrent requests', async () => {
    const pictures = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        newPicture({ width: 10 + at })
          .png()
          .toBuffer(),
      ),
    )
    const seen = await Promise.all(pictures.map((bytes) => inspectFile(of(bytes), 'a.png')))
    assert.deepEqual(
      seen.map((one) => 'width' in one && one.width),
      pictures.map((_, at) => 10 + at),
    )
  })

  test('reports a failed memory allocation, and reads the next file', async () => {
    const away = { ...of(Buffer.alloc(10)), read: () => Promise.reject(new Error('away')) }
    const [first, second] = await Promise.allSettled([
      inspectFile(away, 'a.wav'),
      inspectFile(of(newRecording(2)), 'a.wav'),
    ])
    assert.equal(first.status, 'rejected')
    assert(second.status === 'fulfilled' && 'duration_sec' in second.value)
    assert.equal(second.value.duration_sec, 2)
  })
})
