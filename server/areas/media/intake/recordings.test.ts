/**
 * Tests of recordings over HTTP: the location is removed in every format, and all other data stays
 * unchanged.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { mediaFixture } from '../../../../test/fixtures/media/media.ts'
import { box, keyed, newFilm, said, words } from '../../../../test/fixtures/media/mp4.ts'
import { plans } from '../../../contract/plans.ts'
import { readFile } from '../../files/service.ts'
import { eraseRanges } from './reading.ts'
import { findMedia } from '../service.ts'

const runtime = await openTestRuntime({ work: false })
const { add, announce, ready } = mediaFixture(runtime)
const HERE = '+52.3702+004.8952/'
const film = { filename: 'film.mp4', content_type: 'video/mp4' }
const XMP = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')

async function keptOf({ id }: { id: string }, project_id = runtime.project_id): Promise<Buffer> {
  const [found] = await findMedia(runtime.runtime.db, project_id, [id])
  assert(found)
  return readFile(runtime.runtime, project_id, { id: found.file_id })
}

/** Returns the overwritten bytes as text. Asserts that all other bytes are unchanged. */
function changed(sent: Buffer, kept: Buffer): string {
  assert.equal(kept.length, sent.length)
  const places = [...sent.keys()].filter((at) => sent[at] !== kept[at])
  assert.ok(places.every((at) => kept[at] === 0 || 'free'.includes(String.fromCharCode(kept[at]!))))
  return Buffer.from(places.map((at) => sent[at]!)).toString('latin1')
}

const apple = 'com.apple.quicktime'
const place = box('loci', words(0, 0x15c70000), 'Amsterdam\0', HERE)

describe('a recording with a location', () => {
  const films: [how: string, parts: Parameters<typeof newFilm>[0]][] = [
    ['by Android', { inside: [box('udta', box('\u00a9xyz', said(HERE)))] }],
    ['by iPhones', { brand: 'qt  ', inside: [keyed({ [`${apple}.location.ISO6709`]: HERE })] }],
    ['as 3GPP box', { inside: [box('udta', place)] }],
    ['in a track', { in_track: [box('udta', place)] }],
    ['in a list of values', { inside: [box('udta', keyed({ [`${apple}.location.name`]: HERE }))] }],
    ['in XMP', { behind: [box('uuid', XMP, `<x:xmpmeta>${HERE}</x:xmpmeta>`)] }],
    ['twice', { inside: [box('udta', box('\u00a9xyz', said(HERE)), place)] }],
  ]
  for (const [how, parts] of films) {
    test(`is stored without the location if it is written ${how}`, async () => {
      const sent = newFilm(parts)
      assert.ok(sent.includes(HERE))
      const body = await ready(sent, film)
      assert.deepEqual([body.kind, body.width, body.height], ['video', 320, 240])
      const kept = await keptOf(body)
      assert.ok(!kept.includes(HERE))
      assert.ok(changed(sent, kept).includes(HERE))
      assert.notEqual(body.sha256, body.sent_sha256)
      const again = await announce(sent, film)
      assert.equal(again.status, 'already_there')
    })
  }

  test('keeps all other metadata', async () => {
    const values = { [`${apple}.make`]: 'PhoneMaker', [`${apple}.location.ISO6709`]: HERE }
    const title = box('udta', box('\u00a9nam', said('The terrace')))
    const sent = newFilm({ brand: 'qt  ', inside: [keyed(values), title] })
    const kept = await keptOf(await ready(sent, film))
    assert.equal(changed(sent, kept), HERE)
    assert.ok(kept.includes('PhoneMaker') && kept.includes('The terrace'))
  })

  longTest(
    'is stored without the location also if the file fills most of the storage of the plan',
    async () => {
      const { project_id } = await runtime.newProject({ plan: 'free' })
      const key = await runtime.newKey({ project_id })
      const most = plans.free.files_bytes_max
      const place_box = box('udta', box('\u00a9xyz', said(HERE)))
      const padding = box('free', Buffer.alloc(Math.floor(most * 0.7)))
      const sent = newFilm({ inside: [place_box], behind: [padding] })
      const body = await ready(sent, { ...film, key })
      assert.ok(!(await keptOf(body, project_id)).includes(HERE))
    },
  )
})

describe('a recording without a location', () => {
  test('is stored unchanged', async () => {
    const sent = newFilm({ inside: [box('udta', box('\u00a9nam', said('The terrace')))] })
    const body = await ready(sent, film)
    assert.equal(body.sha256, body.sent_sha256)
    assert.ok((await keptOf(body)).equals(sent))
  })

  test('is processed in bounded time if it is broken or hostile', async () => {
    const endless = Buffer.concat([words(0), Buffer.from('udta')])
    const films = [
      newFilm({ inside: [box('udta', endless, Buffer.alloc(100))] }),
      newFilm({
        inside: [box('meta', words(0), box('keys', words(0, 9)), box('ilst', words(8, 1)))],
      }),
      newFilm({ inside: [box('udta', ...Array.from({ length: 3000 }, () => box('loci')))] }),
      newFilm({ inside: Array.from({ length: 300 }, () => box('udta')) }).subarray(0, 1800),
      newFilm({ behind: Array.from({ length: 3000 }, () => box('free')) }),
    ]
    for (const sent of films) {
      const { status, body } = await add(sent, film)
      assert.equal(status, 201)
      assert.match(body.status, /^(?:ready|failed)$/)
    }
  })
})

test('a recording is stored without the location wherever the chunks of a file begin and end', async () => {
  const bytes = Buffer.from('0123456789abcdefghij')
  const erasures = [
    { start: 3, end: 7, text: 'free' as const },
    { start: 9, end: 15, text: '' as const },
  ]
  for (let size = 1; size <= bytes.length; size += 1) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    )
    const kept: Uint8Array[] = []
    for await (const piece of eraseRanges(ReadableStream.from(pieces), erasures)) kept.push(piece)
    assert.equal(Buffer.concat(kept).toString(), '012free78\0\0\0\0\0\0fghij')
  }
})
