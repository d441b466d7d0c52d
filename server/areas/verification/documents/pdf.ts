/**
 * Checks that a file is one whole PDF with pages and without scripts or programs. It scans bytes in
 * slices and opens compressed object streams up to a limit; it builds no document, so its time is
 * bounded. A scan finds what the usual tools write, not everything that could be hidden.
 */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { createPause } from '../../../kernel/limits/slices.ts'

const inflateBytes = promisify(inflate)

const SLICE_BYTES = 131_072
/** Slices overlap by more than any pattern is long, escapes included. */
const OVERLAP_BYTES = 512
const INFLATED_BYTES_MAX = 4 * 1_048_576
const OBJECT_STREAMS_MAX = 200
const TAIL_BYTES = 2048
const DICTIONARY_BYTES_MAX = 2000

const startPattern = /^%PDF-[12]\.\d/
const endPattern = /%%EOF\s*$/
const pagePattern = /\/Type\s{0,50}\/Page(?![A-Za-z])/
/** Names that show where object streams are. Programs do not write them with escapes. */
const structurePattern = /\/(?:ObjStm|First|Filter|DecodeParms)(?![A-Za-z])/g
/** Without /JS: an action with a script also has one of these, and three bytes occur in any picture. */
const activePattern =
  /\/(?:JavaScript|Launch|EmbeddedFiles?|RichMedia|Rendition|XFA|SubmitForm|ImportData|GoToE)(?![A-Za-z])/
const escape = /#([0-9A-Fa-f]{2})/g
const ESCAPES_MAX = 20_000
const encryptedPattern = /\/Encrypt\s{0,50}(?:\d{1,10}\s{1,50}\d{1,10}\s{1,50}R|<<)/
const objectStart = /\d\s{1,20}obj(?![A-Za-z])/g
const streamStart = />>\s{0,20}stream\r?\n/
/** The only encoding that is opened; another one would hide the content of the stream. */
const plainFilter =
  /\/Filter\s{0,50}(?:\/FlateDecode(?![A-Za-z])|\[\s{0,50}\/FlateDecode\s{0,50}\])/
const otherFilter = /\/(?:DecodeParms|DP|F|FFilter)(?![A-Za-z])/
/** An object stream needs both, and its type is often not looked at. */
const untypedPatterns = [/\/N\s{1,20}\d/, /\/First\s/]
const NAMES_MAX = 20_000

const damaged = 'This PDF is damaged, or not a PDF. Save it again and upload the new file.'
const noPages = 'This PDF has no pages.'
const active = 'This PDF contains a script or another file. Print it to a new PDF and upload that.'
const locked = 'This PDF has a password. Save it without one.'
const tooComplex = 'This PDF is too complex to be checked. Print it to a new PDF and upload that.'

/** Returns why the file cannot be used, as a sentence for the uploader; null if it can be. */
export async function findPdfFault(bytes: Buffer): Promise<string | null> {
  const end = bytes.subarray(-TAIL_BYTES).toString('latin1')
  if (!startPattern.test(bytes.toString('latin1', 0, 16)) || !endPattern.test(end)) return damaged
  const outside = await scan(bytes)
  if (outside.fault !== null) return outside.fault
  const streams = await readObjectStreams(bytes)
  if (streams === null) return tooComplex
  const inside: Scan[] = []
  for (const stream of streams) inside.push(await scan(stream))
  const fault = inside.find((one) => one.fault !== null)?.fault
  if (fault) return fault
  return [outside, ...inside].some(({ has_page }) => has_page) ? null : noPages
}

interface Scan {
  fault: string | null
  has_page: boolean
}

/** Looks for names in slices, because a file of 10 MB would hold the event loop for too long. */
async function scan(bytes: Buffer): Promise<Scan> {
  const pause = createPause()
  let has_page = false
  let escapes = 0
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    // One character per byte, so that names are found in binary data too.
    const written = bytes.toString('latin1', from, from + SLICE_BYTES + OVERLAP_BYTES)
    const text = written.replaceAll(escape, (_, hex: string) => {
      escapes += 1
      return String.fromCharCode(Number.parseInt(hex, 16))
    })
    const fault = faultOf(text, written)
    if (fault !== null || escapes > ESCAPES_MAX) return { fault: fault ?? tooComplex, has_page }
    has_page ||= pagePattern.test(text)
    await pause()
  }
  return { fault: null, has_page }
}

/** Names may be written with #xx for any character. */
function faultOf(text: string, written: string): string | null {
  if (encryptedPattern.test(text)) return locked
  if (activePattern.test(text)) return active
  if (text === written) return null
  const hidden = countOf(text, structurePattern) !== countOf(written, structurePattern)
  return hidden ? tooComplex : null
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Returns the contents of the object streams; null beyond the limits, or if one cannot be read. */
async function readObjectStreams(bytes: Buffer): Promise<Buffer[] | null> {
  const opened = new Map<number, Buffer>()
  let left = INFLATED_BYTES_MAX
  let names = 0
  for (const name of ['/ObjStm', '/First']) {
    for await (const at of positionsOf(bytes, name)) {
      const found = findStream(bytes, at)
      if ((names += 1) > NAMES_MAX || opened.size > OBJECT_STREAMS_MAX) return null
      if (found === null && name === '/ObjStm') return null
      if (found === null || opened.has(found.from)) continue
      const isOne = untypedPatterns.every((pattern) => pattern.test(found.dictionary))
      if (name === '/First' && !isOne) continue
      const content = await openStream(bytes, found, left)
      if (content === null) return null
      left -= content.length
      opened.set(found.from, content)
    }
  }
  return [...opened.values()]
}

async function* positionsOf(bytes: Buffer, name: string): AsyncGenerator<number> {
  const pause = createPause()
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    const slice = bytes.subarray(from, from + SLICE_BYTES + name.length - 1)
    for (let at = slice.indexOf(name); at >= 0; at = slice.indexOf(name, at + 1)) {
      yield from + at
      await pause()
    }
    await pause()
  }
}

interface FoundStream {
  dictionary: string
  /** Position of the encoded bytes. */
  from: number
}

/** The stream whose dictionary has the name at this position; null if there is none near. */
function findStream(bytes: Buffer, at: number): FoundStream | null {
  const after = bytes.toString('latin1', at, at + DICTIONARY_BYTES_MAX)
  const start = streamStart.exec(after)
  if (start === null || after.slice(0, start.index).includes('endobj')) return null
  const before = bytes.toString('latin1', Math.max(0, at - DICTIONARY_BYTES_MAX), at)
  const [begin] = [...before.matchAll(objectStart)].slice(-1)
  const dictionary = before.slice(begin?.index ?? 0) + after.slice(0, start.index)
  return { dictionary, from: at + start.index + start[0].length }
}

/** Returns null if the bytes are encoded otherwise, or are more than `max` when inflated. */
async function openStream(
  bytes: Buffer,
  { dictionary, from }: FoundStream,
  max: number,
): Promise<Buffer | null> {
  const end = bytes.indexOf('endstream', from)
  const isPlain = plainFilter.test(dictionary) && !otherFilter.test(dictionary)
  if (end < 0 || max <= 0 || !isPlain) return null
  return inflateBytes(bytes.subarray(from, end), { maxOutputLength: max }).catch(() => null)
}
