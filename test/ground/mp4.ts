/** MP4 and QuickTime files written by hand, box by box, as phones make them: with the place. */

/** A box of ISO 14496-12: its length, its name, and what is in it. */
export function box(name: string, ...parts: (Buffer | string)[]): Buffer {
  const inside = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + inside.length)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, inside])
}

/** Numbers of 32 bits. */
export function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, 4 * index)
  return bytes
}

const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

/** A text of QuickTime: its length, its language. */
export function said(text: string): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(Buffer.byteLength(text))
  head.writeUInt16BE(0x15c7, 2)
  return Buffer.concat([head, Buffer.from(text)])
}

/** The metadata of iPhones: a list of keys, and the values under their numbers. */
export function keyed(values: Record<string, string>): Buffer {
  const keys = Object.keys(values).map((key) => box('mdta', key))
  const items = Object.values(values).map((value, index) => {
    const item = box('data', words(1, 0), value)
    return Buffer.concat([words(8 + item.length, index + 1), item])
  })
  return box(
    'meta',
    box('hdlr', words(0, 0), 'mdta', words(0, 0, 0)),
    box('keys', words(0, keys.length), ...keys),
    box('ilst', ...items),
  )
}

function track(media_offset: number, more: readonly Buffer[]): Buffer {
  const picture = Buffer.alloc(78)
  picture.writeUInt16BE(1, 6)
  picture.writeUInt16BE(320, 24)
  picture.writeUInt16BE(240, 26)
  picture.writeUInt16BE(1, 40)
  picture.writeUInt16BE(24, 74)
  const table = box(
    'stbl',
    box('stsd', words(0, 1), box('mp4v', picture)),
    box('stts', words(0, 1, 25, 40)),
    box('stsc', words(0, 1, 1, 25, 1)),
    box('stsz', words(0, 40, 25)),
    box('stco', words(0, 1, media_offset)),
  )
  const data = box('dinf', box('dref', words(0, 1), box('url ', words(1))))
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, 1000, 1000, 0x55c40000)),
    box('hdlr', words(0, 0), 'vide', words(0, 0, 0), '\0'),
    box('minf', box('vmhd', words(1, 0, 0)), data, table),
  )
  const head = words(7, 0, 0, 1, 0, 1000, 0, 0, 0, 0)
  const size = words(320 << 16, 240 << 16)
  return box('trak', box('tkhd', head, matrix, size), media, ...more)
}

interface Film {
  /** In the box of the tracks. */
  inside?: readonly Buffer[]
  /** In the track. */
  in_track?: readonly Buffer[]
  /** Behind everything. */
  behind?: readonly Buffer[]
  brand?: string
}

/** A second of film, with its index at the end, where cameras write it. */
export function newFilm({ inside = [], in_track = [], behind = [], brand = 'isom' }: Film = {}) {
  const kind = box('ftyp', brand, words(0), brand)
  const media = box('mdat', Buffer.alloc(1000, 7))
  const head = box(
    'mvhd',
    words(0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0),
    matrix,
    words(0, 0, 0, 0, 0, 0, 2),
  )
  return Buffer.concat([
    kind,
    media,
    box('moov', head, track(kind.length + 8, in_track), ...inside),
    ...behind,
  ])
}
