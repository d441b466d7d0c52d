/**
 * Reads the first visible sheet of a workbook row by row. The archive is buffered because its directory is
 * at the end; parts are decompressed in chunks, each within the limit.
 */
import { posix } from 'node:path'
import { textOf } from '../decode-text.ts'
import { MalformedFile } from '../malformed-file.ts'
import { builtInFormat, formatOf, type NumberFormat } from './number-format.ts'
import { readRows, rowTooLong, type RawCell, type RawRow } from './sheet-rows.ts'
import { FILE_CHARACTERS_MAX, readSharedStrings, ROW_CHARACTERS_MAX } from './shared-texts.ts'
import { readXml, XmlFault, type XmlEvent } from './xml.ts'
import { workbookError, openArchive, type Archive } from './zip.ts'

export type SheetCell = { text: string } & (
  | { kind: 'text' }
  | { kind: 'boolean'; value: boolean }
  /** A date is the serial number of a day; times and durations are fractions of a day. */
  | { kind: 'number'; number: number; shows: NumberFormat }
  | { kind: 'fault'; message: string }
)

export interface SheetRow {
  /** From 1, as in spreadsheets. */
  line: number
  /** Indexed by column, with gaps. Never empty. */
  cells: (SheetCell | undefined)[]
}

export interface Sheet {
  heading: SheetRow
  rows: AsyncIterable<SheetRow>
  /** Whether serial numbers count from 1904. */
  since_1904: boolean
  /** The name of the sheet if it follows hidden ones; otherwise null. */
  after_hidden: string | null
}

export interface WorkbookBounds {
  columns_max: number
  /** Uncompressed size of one part. */
  unpacked_bytes_max: number
}

interface Workbook {
  sheet: string
  strings: readonly string[]
  /** By index of the cell style. */
  formats: readonly NumberFormat[]
  since_1904: boolean
  after_hidden: string | null
}

/** Throws MalformedFile if the bytes are no workbook, or its first visible sheet has no row. */
export async function openSheet(
  bytes: AsyncIterable<Uint8Array>,
  { columns_max, unpacked_bytes_max }: WorkbookBounds,
): Promise<Sheet> {
  try {
    const archive = openArchive(Buffer.concat(await Array.fromAsync(bytes)))
    const book = await openWorkbook(archive, unpacked_bytes_max)
    const rows = sheetRows(
      readRows(events(archive, book.sheet, unpacked_bytes_max), columns_max),
      book,
    )
    const first = await rows.next()
    if (first.done) throw workbookError('Its first sheet is empty.')
    const { since_1904, after_hidden } = book
    return { heading: first.value, rows, since_1904, after_hidden }
  } catch (error) {
    throw readableFault(error)
  }
}

function readableFault(error: unknown): unknown {
  return error instanceof XmlFault ? workbookError(error.message) : error
}

/**
 * Converts cells, and skips empty rows. Counts the text of all cells, shared strings at each use,
 * before a row is converted. Throws beyond the limits.
 */
async function* sheetRows(rows: AsyncIterable<RawRow>, book: Workbook): AsyncGenerator<SheetRow> {
  let characters = 0
  try {
    for await (const { row, cells } of rows) {
      const own = cells.reduce((sum, cell) => sum + (cell ? rawText(cell, book).length : 0), 0)
      if (own > ROW_CHARACTERS_MAX) throw rowTooLong(row)
      characters += own
      if (characters > FILE_CHARACTERS_MAX)
        throw new MalformedFile('The workbook has too much text. Split it.', { line: row })
      if (cells.every((cell) => cell === undefined)) continue
      yield { line: row, cells: Array.from(cells, (cell) => cell && cellOf(cell, book)) }
    }
  } catch (error) {
    throw readableFault(error)
  }
}

const SMALL_BYTES_MAX = 4_194_304

function events(archive: Archive, path: string, bytes_max: number): AsyncIterable<XmlEvent[]> {
  return readXml(textOf(archive.read(path, bytes_max)))
}

/** Calls `take` for each event of a part. `take` must bound its memory. */
async function readPart(
  archive: Archive,
  path: string,
  take: (event: XmlEvent) => void,
): Promise<void> {
  if (!archive.has(path)) return
  for await (const some of events(archive, path, SMALL_BYTES_MAX))
    for (const event of some) take(event)
}

async function openWorkbook(archive: Archive, bytes_max: number): Promise<Workbook> {
  const root = await relations(archive, '_rels/.rels', '')
  const book_path = root.find(({ type }) => type.endsWith('/officeDocument'))?.path
  if (book_path === undefined) throw workbookError('It has no workbook in it.')
  const folder = posix.dirname(book_path)
  const rels_path = `${folder}/_rels/${posix.basename(book_path)}.rels`
  const related = await relations(archive, rels_path, folder)
  const { sheet: shown, after_hidden, since_1904 } = await readBook(archive, book_path)
  const id = shown && valueEndingIn(shown, ':id')
  const sheet = related.find((one) => one.id === id)?.path
  if (sheet === undefined) throw workbookError('It has no sheet in it.')
  const pathOf = (type: string) => related.find((one) => one.type.endsWith(type))?.path ?? ''
  const strings_path = pathOf('/sharedStrings')
  return {
    sheet,
    strings: archive.has(strings_path)
      ? await readSharedStrings(events(archive, strings_path, bytes_max))
      : [],
    formats: await readFormats(archive, pathOf('/styles')),
    since_1904,
    after_hidden,
  }
}

type Attributes = Readonly<Record<string, string>>

interface Book {
  /** The first visible sheet; the first one if all are hidden. */
  sheet: Attributes | undefined
  after_hidden: string | null
  since_1904: boolean
}

async function readBook(archive: Archive, path: string): Promise<Book> {
  let first: Attributes | undefined
  let visible: Attributes | undefined
  let properties: Attributes | undefined
  await readPart(archive, path, (event) => {
    if (event.kind !== 'open') return
    if (event.name === 'sheet') {
      first ??= event.attributes
      if (!/hidden$/i.test(event.attributes['state'] ?? '')) visible ??= event.attributes
    }
    if (event.name === 'workbookPr') properties ??= event.attributes
  })
  return {
    sheet: visible ?? first,
    after_hidden: visible && visible !== first ? (visible['name'] ?? '') : null,
    since_1904: /^(?:1|true)$/.test(properties?.['date1904'] ?? ''),
  }
}

interface Relation {
  id: string
  type: string
  path: string
}

const RELATIONS_MAX = 10_000

async function relations(archive: Archive, path: string, folder: string): Promise<Relation[]> {
  const found: Relation[] = []
  await readPart(archive, path, (event) => {
    if (event.kind !== 'open' || event.name !== 'Relationship') return
    if (found.length === RELATIONS_MAX) throw workbookError('It has too many parts.')
    const { Target = '', Id: id = '', Type: type = '' } = event.attributes
    const target = Target.replaceAll('\\', '/')
    const whole = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    found.push({ id, type, path: whole })
  })
  return found
}

function valueEndingIn(attributes: Attributes, end: string) {
  return Object.entries(attributes).find(([name]) => name.endsWith(end))?.[1]
}

/** Excel's limit of cell formats. */
const FORMATS_MAX = 65_536

async function readFormats(archive: Archive, path: string): Promise<NumberFormat[]> {
  const codes = new Map<string, NumberFormat>()
  const ids: string[] = []
  let within = false
  await readPart(archive, path, (event) => {
    if (event.kind === 'text') return
    if (event.name === 'cellXfs') within = event.kind === 'open'
    if (event.kind !== 'open') return
    const { numFmtId: id = '0', formatCode: code = '' } = event.attributes
    if (event.name === 'numFmt') codes.set(id, formatOf(code))
    if (within && event.name === 'xf') ids.push(id)
    if (Math.max(codes.size, ids.length) > FORMATS_MAX)
      throw workbookError('It has too many formats.')
  })
  return ids.map((id) => codes.get(id) ?? builtInFormat(id))
}

function cellOf(cell: RawCell, book: Workbook): SheetCell | undefined {
  const { type, value, style } = cell
  const text = rawText(cell, book)
  const shown = value.slice(0, 100)
  if (type === 'e') return { kind: 'fault', text, message: `is the error ${shown}` }
  if (type === 's' && book.strings[Number(value)] === undefined) {
    const message = `is the shared text ${shown}, which the workbook does not have`
    return { kind: 'fault', text, message }
  }
  if (type === 'b') return { kind: 'boolean', text, value: value === '1' }
  if (type !== 'n') return { kind: 'text', text }
  if (value === '') return undefined
  return { kind: 'number', text, number: Number(value), shows: book.formats[style] ?? 'number' }
}

function rawText({ type, value }: RawCell, { strings }: Workbook): string {
  return type === 's' ? (strings[Number(value)] ?? '') : value
}
