/**
 * Finds the recorded location in a recording: the boxes of MP4 and QuickTime files (ISO 14496-12)
 * that contain it. Removing a box would move all data behind it, so its content is overwritten; a
 * box that contains only a location becomes free space.
 */
import { limits } from '../../../contract/limits.ts'
import type { Erasure } from './messages.ts'
import type { ReadPiece } from './recording.ts'
import { Unreadable } from './unreadable.ts'
import { formatSize } from '../../../kernel/values/size.ts'

const HEAD_BYTES = 16
/** Maximum number of boxes scanned before `moov`. */
const BOXES_MAX = 200
const ERASURES_MAX = 1_000
const familyNames = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])
/** Boxes that contain only a location: of QuickTime, of phones (3GPP), and of some cameras. */
const placeBoxes = new Set(['\u00a9xyz', 'loci', 'XMP_', 'GPS ', 'gps '])
/** Boxes that contain other boxes, in which locations can be. */
const holders = new Set(['moov', 'trak', 'udta'])
const placeKey = /location|gps/i
const XMP = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')

interface Box {
  name: string
  start: number
  /** Offset at which the content starts. */
  inside: number
  end: number
}

/** The ranges to overwrite; empty for other file types. */
export async function findLocations(bytes: number, read: ReadPiece): Promise<Erasure[]> {
  const found: Erasure[] = []
  let at = 0
  for (let count = 0; count < BOXES_MAX && at + 8 <= bytes; count += 1) {
    const head = Buffer.from(await read(Math.min(HEAD_BYTES + XMP.length, bytes - at), at))
    const box = boxAt(head, { at: 0, end: bytes - at })
    if (!box || (count === 0 && !familyNames.has(box.name)) || box.name === 'moof') break
    const { name, inside, end } = box
    if (name === 'moov' || name === 'meta') {
      found.push(...(await findWithin(read, { at, bytes: end })))
    } else if (name === 'uuid' && head.subarray(inside, inside + XMP.length).equals(XMP)) {
      found.push(...freed(box).map((one) => moved(one, at)))
    }
    at += end
  }
  if (found.length > ERASURES_MAX)
    throw new Unreadable('The recording contains too many locations.')
  return found
}

async function findWithin(
  read: ReadPiece,
  { at, bytes }: { at: number; bytes: number },
): Promise<Erasure[]> {
  if (bytes > limits.media_recording_index_bytes_max) {
    const most = formatSize(limits.media_recording_index_bytes_max)
    throw new Unreadable(`The recording has more than ${most} of metadata.`)
  }
  const part = Buffer.from(await read(bytes, at))
  return placesIn(part, { at: 0, end: part.length }).map((one) => moved(one, at))
}

interface Range {
  at: number
  end: number
}

/** Iterative, because the uploader controls the nesting depth. */
function placesIn(part: Buffer, whole: Range): Erasure[] {
  const found: Erasure[] = []
  const waiting = [whole]
  for (let range = waiting.pop(); range; range = waiting.pop()) {
    for (const box of boxesIn(part, range)) {
      if (placeBoxes.has(box.name)) found.push(...freed(box))
      else if (holders.has(box.name)) waiting.push({ at: box.inside, end: box.end })
      else if (box.name === 'meta') found.push(...placesByKey(part, box))
    }
  }
  return found
}

/**
 * Returns locations in a metadata box: values identified by box name, or by index in a list of
 * keys.
 */
function placesByKey(part: Buffer, meta: Box): Erasure[] {
  // The box starts with a version in ISO files, but not in QuickTime files.
  const is_plain = part.toString('latin1', meta.inside + 4, meta.inside + 8) === 'hdlr'
  const boxes = boxesIn(part, { at: meta.inside + (is_plain ? 0 : 4), end: meta.end })
  const [keys, list] = ['keys', 'ilst'].map((name) => boxes.find((box) => box.name === name))
  const xml = boxes.filter(({ name }) => name === 'xml ' || name === 'uuid').flatMap(freed)
  const items = list ? boxesIn(part, { at: list.inside, end: list.end }) : []
  const numbers = keys ? placeNumbers(part, keys) : new Set<number>()
  const values = items.flatMap((item) => {
    if (placeBoxes.has(item.name)) return freed(item)
    return numbers.has(part.readUInt32BE(item.start + 4)) ? valuesOf(part, item) : []
  })
  return [...xml, ...values]
}

/** Returns the indexes, starting at 1, of the keys that name a location. */
function placeNumbers(part: Buffer, { inside, end }: Box): Set<number> {
  const keys = boxesIn(part, { at: inside + 8, end })
  return new Set(
    keys.flatMap((key, index) =>
      placeKey.test(part.toString('latin1', key.inside, key.end)) ? [index + 1] : [],
    ),
  )
}

/**
 * Returns the ranges of the values. The first 8 bytes, type and locale, stay, because they contain
 * no location.
 */
function valuesOf(part: Buffer, item: Box): Erasure[] {
  return boxesIn(part, { at: item.inside, end: item.end }).flatMap(({ name, inside, end }) =>
    name === 'data' && end > inside + 8 ? [{ start: inside + 8, end, text: '' as const }] : [],
  )
}

function boxesIn(part: Buffer, { at, end }: Range): Box[] {
  const found: Box[] = []
  for (let next = boxAt(part, { at, end }); next; next = boxAt(part, { at: next.end, end })) {
    found.push(next)
  }
  return found
}

/**
 * Reads a box. Returns null if there is none, or if it exceeds the range. Length zero means up to
 * the end.
 */
function boxAt(part: Buffer, { at, end }: Range): Box | null {
  if (at + 8 > Math.min(end, part.length)) return null
  const said = part.readUInt32BE(at)
  const is_long = said === 1
  if (is_long && at + HEAD_BYTES > part.length) return null
  const length = is_long ? Number(part.readBigUInt64BE(at + 8)) : said === 0 ? end - at : said
  const inside = at + (is_long ? HEAD_BYTES : 8)
  const name = part.toString('latin1', at + 4, at + 8)
  if (length < inside - at || at + length > end) return null
  return { name, start: at, inside, end: at + length }
}

/** Renames the box to `free` and fills its content with zeros. */
function freed({ start, inside, end }: Box): Erasure[] {
  return [
    { start: start + 4, end: start + 8, text: 'free' },
    { start: inside, end, text: '' },
  ]
}

function moved({ start, end, text }: Erasure, by: number): Erasure {
  return { start: start + by, end: end + by, text }
}
