/**
 * Removes all data that is not part of the image: camera metadata (time, place, owner), application
 * data, and bytes after the end. The image data is copied bit for bit, so no quality is lost.
 * Returns null if the structure is incomplete; a JPEG or GIF may lack its end.
 */

type Strip = (bytes: Buffer) => Buffer | null

const strips: Readonly<Record<string, Strip>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
}

export const strippedTypes: readonly string[] = Object.keys(strips)

export function stripMetadata(content_type: string, bytes: Buffer): Buffer | null {
  const stripOne = strips[content_type]
  if (!stripOne) return bytes
  try {
    return stripOne(bytes)
  } catch (error) {
    // A length field exceeds the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const COMMENT = 0xfe

/** Format: ITU T.81, annex B: segments with a length, and coded image data after each SOS. */
function stripJpeg(bytes: Buffer): Buffer | null {
  if (bytes.readUInt16BE(0) !== 0xff00 + SOI) return null
  const kept = [bytes.subarray(0, 2)]
  let at = 2
  let has_scan = false
  // Phones write other data behind the image data, some without the end marker before it.
  const withEnd = () => (has_scan ? Buffer.concat([...kept, Buffer.from([0xff, EOI])]) : null)
  for (;;) {
    if (at + 4 > bytes.length || bytes.readUInt8(at) !== 0xff) return withEnd()
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === EOI) return withEnd()
    let end = at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === SOS) end = endOfScan(bytes, end)
    if (end > bytes.length) return withEnd()
    has_scan ||= marker === SOS
    const segment = bytes.subarray(at, end)
    if (isOfPicture(marker, segment)) kept.push(segment)
    at = end
  }
}

/**
 * Returns the offset at which coded data ends. Within it, 0xFF is followed by 00 or by RST0 to
 * RST7; any other marker ends the scan. Without one, it ends with the file.
 */
function endOfScan(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0 || at + 1 >= bytes.length) return at < 0 ? bytes.length : at
    const marker = bytes.readUInt8(at + 1)
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return at
    at += 2
  }
}

/** Whether a segment belongs to the image, such as colour profiles and colour encoding. */
function isOfPicture(marker: number, segment: Buffer): boolean {
  const begins = (name: string) => segment.toString('latin1', 4, 4 + name.length) === name
  if (marker === 0xe0) return begins('JFIF\0')
  if (marker === 0xe2) return begins('ICC_PROFILE\0')
  if (marker === 0xee) return begins('Adobe')
  return marker !== COMMENT && (marker < 0xe0 || marker > 0xef)
}

const pngChunks = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(
    ' ',
  ),
)
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

function stripPng(bytes: Buffer): Buffer | null {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return null
  const kept: Buffer[] = [PNG_SIGNATURE]
  for (let at = 8; ;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return null
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (pngChunks.has(name)) kept.push(bytes.subarray(at, end))
    if (name === 'IEND') return Buffer.concat(kept)
    at = end
  }
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP'])
const EXIF_AND_XMP = 0x0c

function stripWebp(bytes: Buffer): Buffer | null {
  const is_webp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12)
  const whole = 8 + bytes.readUInt32LE(4)
  if (is_webp !== 'WEBP' || whole > bytes.length) return null
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= whole;) {
    const size = bytes.readUInt32LE(at + 4)
    const end = at + 8 + size + (size % 2)
    if (at + 8 + size > bytes.length) return null
    const name = bytes.toString('latin1', at, at + 4)
    const chunk = Buffer.from(bytes.subarray(at, end))
    // The flags of VP8X list the chunks that follow, so the flags of removed chunks are cleared.
    if (name === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~EXIF_AND_XMP, 8)
    if (webpChunks.has(name)) kept.push(chunk)
    at = end
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + body.length, 4)
  return Buffer.concat([head, body])
}

const GIF_HEAD_BYTES = 13
const GIF_END = Buffer.from([0x3b])
const loops = ['NETSCAPE2.0', 'ANIMEXTS1.0']

function stripGif(bytes: Buffer): Buffer | null {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null
  let at = GIF_HEAD_BYTES + tableBytes(bytes.readUInt8(10))
  const kept = [bytes.subarray(0, at)]
  for (;;) {
    if (at === bytes.length && kept.length > 1) return Buffer.concat([...kept, GIF_END])
    const sort = bytes.readUInt8(at)
    if (sort === 0x3b) return Buffer.concat([...kept, bytes.subarray(at, at + 1)])
    if (sort !== 0x21 && sort !== 0x2c) return null
    const is_picture = sort === 0x2c
    const head = is_picture ? 11 + tableBytes(bytes.readUInt8(at + 9)) : 2
    const end = endOfBlocks(bytes, at + head)
    if (is_picture || isOfAnimation(bytes, at)) kept.push(bytes.subarray(at, end))
    at = end
  }
}

/** Returns the size of the colour table, according to the flags. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += 1 + size
  return at + 1
}

function isOfAnimation(bytes: Buffer, at: number): boolean {
  const label = bytes.readUInt8(at + 1)
  return (
    label === 0xf9 || (label === 0xff && loops.includes(bytes.toString('latin1', at + 3, at + 14)))
  )
}
