/** The ground of the tests of the media library: pictures and recordings to send, and the way in. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import sharp from 'sharp'
import type { Answer, TestHouse } from './house.ts'

export interface Sending {
  filename?: string
  content_type?: string
  key?: string
}

export interface MediaGround {
  announce(bytes: Uint8Array, sending?: Sending): Promise<any>
  /** Announces, sends and completes. */
  add(bytes: Uint8Array, sending?: Sending): Promise<Answer>
  /** The same, and it must be a file that can be used. */
  ready(bytes: Uint8Array, sending?: Sending): Promise<any>
}

export function mediaGround({ call, key: usual }: TestHouse): MediaGround {
  const ground: MediaGround = {
    async announce(
      bytes,
      { filename = 'picture.jpg', content_type = 'image/jpeg', key = usual } = {},
    ) {
      const sha256 = hash('sha256', bytes, 'hex')
      const file = { filename, content_type, sha256, bytes: bytes.length }
      const made = await call('POST /media/uploads', { key, body: { files: [file] } })
      assert.equal(made.status, 201, made.text)
      return made.body.uploads[0]
    },
    async add(bytes, sending = {}) {
      const upload = await ground.announce(bytes, sending)
      if (upload.status === 'needed') await put(upload, bytes)
      const { key = usual } = sending
      return call(`POST /media/uploads/${upload.upload_id}/complete`, { key })
    },
    async ready(bytes, sending) {
      const { status, body, text } = await ground.add(bytes, sending)
      assert.equal(status, 201, text)
      assert.equal(body.status, 'ready', text)
      return body
    },
  }
  return ground
}

export async function put(
  upload: { url: string; method: string; headers: Record<string, string> },
  bytes: Uint8Array,
): Promise<void> {
  const { url, method, headers } = upload
  const sent = await fetch(url, { method, headers, body: Buffer.from(bytes) })
  assert.ok(sent.status < 300, `${sent.status} ${await sent.text()}`)
}

let pictures = 0

/** A picture unlike every other. */
export function newPicture({ width = 400, height = 300, alpha = false } = {}) {
  pictures += 1
  const background = { r: pictures % 256, g: (pictures >> 8) % 256, b: 90, alpha: 1 }
  return sharp({
    create: {
      width,
      height,
      channels: alpha ? 4 : 3,
      background,
      noise: { type: 'gaussian', mean: 120, sigma: 20 },
    },
  })
}

/** As a phone makes it: lying on its side if need be, with who, when and where. */
export function fromPhone({ width = 400, height = 300, orientation = 1 } = {}) {
  return newPicture({ width, height })
    .withMetadata({ orientation })
    .withExifMerge({
      IFD0: { Copyright: 'Anna Visser', Make: 'PhoneMaker' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 22/1 12/1' },
    })
}

/** A second of silence, or more, as a WAV file. */
export function newRecording(seconds = 1): Buffer {
  const rate = 8_000
  const data = Buffer.alloc(rate * seconds, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}
