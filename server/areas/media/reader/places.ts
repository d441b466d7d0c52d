/**
 * Finds in a recording where its camera wrote down the place: the boxes of MP4 and QuickTime files
 * (ISO 14496-12) that hold it. They are not cut out, because everything behind them would move;
 * what is in them is written over, and a box that held nothing else becomes free space.
 */
import { limits } from '../../../contract/limits.ts'
import type { Erasure } from './messages.ts'
import type { ReadPiece } from './recording.ts'
import { Unreadable } from './unreadable.ts'
import { sizeText } from '../../../kernel/values/size.ts'

const HEAD_BYTES = 16
/** More boxes than this before the one that tells of the tracks has no recording. */
const BOXES_MAX = 200
const ERASURES_MAX = 1_000
const familyNames = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])
/** Boxes whose whole use is a place: of QuickTime, of phones (3GPP), and of some cameras. */
const placeBoxes = new Set(['\u00a9xyz', 'loci', 'XMP_', 'GPS ', 'gps '])
/** Boxes that hold others, any of which may tell a place. */
const holders = new Set(['moov', 'trak', 'udta'])
const placeKey = /location|gps/i
const XMP = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')

interface Box {
  name: string
  start: number
  /** Where what is in it begins. */
  inside: number
  end: number
}

/** What is to be written over; none where the file is of another kind. */
export async function findPlaces(bytes: number, read: ReadPiece): Promise<Erasure[]> {
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
  if (found.length > ERASURES_MAX) throw new Unreadable('The recording tells too many places.')
  return found
}

async function findWithin(
  read: ReadPiece,
  { at, bytes }: { at: number; bytes: number },
): Promise<Erasure[]> {
  if (bytes > limits.media_recording_index_bytes_max) {
    const most = sizeText(limits.media_recording_index_bytes_max)
    throw new Unreadable(`The recording has more than ${most} beside its pictures and sound.`)
  }
  const part = Buffer.from(await read(bytes, at))
  return placesIn(part, { at: 0, end: part.length }).map((one) => moved(one, at))
}

interface Range {
  at: number
  end: number
}

/** Walks without recursion: how deep boxes are in each other is the sender's. */
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

/** Metadata: values by the names of their boxes, or under the numbers of a list of keys. */
function placesByKey(part: Buffer, meta: Box): Erasure[] {
  // Of ISO files it has a version first; of QuickTime it has not.
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

/** Which of the keys, counted from one, name a place. */
function placeNumbers(part: Buffer, { inside, end }: Box): Set<number> {
  const keys = boxesIn(part, { at: inside + 8, end })
  return new Set(
    keys.flatMap((key, index) =>
      placeKey.test(part.toString('latin1', key.inside, key.end)) ? [index + 1] : [],
    ),
  )
}

/** A value is known by its kind and its country, which say nothing of the place. */
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

/** Null: there is none, or it leads past the end. Zero as a length means: up to the end. */
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

/** Its name becomes that of free space, and what is in it zeros. */
function freed({ start, inside, end }: Box): Erasure[] {
  return [
    { start: start + 4, end: start + 8, text: 'free' },
    { start: inside, end, text: '' },
  ]
}

function moved({ start, end, text }: Erasure, by: number): Erasure {
  return { start: start + by, end: end + by, text }
}
