/**
 * Reads the first sheet of a workbook row by row. The archive is buffered because its directory is
 * at the end; parts are decompressed in chunks, each within the limit.
 */
import { posix } from 'node:path'
import { limits } from '../../../../contract/limits.ts'
import { inSlices } from '../../../../kernel/limits/slices.ts'
import { readText } from '../table/cell.ts'
import { columnsRead, requireHeadings, type Column } from '../table/columns.ts'
import { MalformedFile, textOf, type FileLine } from '../format.ts'
import { textFromSerial } from './serial-time.ts'
import { matchHeadings } from '../table/headings.ts'
import { isEmpty } from '../table/table.ts'
import { plainReading, readTable, type TableCell } from '../table/read-table.ts'
import type { TableReading, TableRow } from '../table/read-table.ts'
import { readRows, rowTooLong, type RawCell, type RawRow } from './xlsx-rows.ts'
import { FILE_CHARACTERS_MAX, readSharedStrings, ROW_CHARACTERS_MAX } from './xlsx-texts.ts'
import { textTypes } from './xlsx-write.ts'
import { readXml, XmlFault, type XmlEvent } from './xml.ts'
import { workbookError, openArchive, type Archive } from './zip.ts'

type NumberFormat = 'number' | 'date' | 'boolean'

interface Workbook {
  sheet: string
  strings: readonly string[]
  /** What the number format of each cell style displays, by style index. */
  formats: readonly NumberFormat[]
  since_1904: boolean
}

export async function* readXlsx(
  bytes: AsyncIterable<Uint8Array>,
  schema: unknown,
  reading: TableReading = plainReading,
): AsyncGenerator<FileLine> {
  try {
    const archive = openArchive(Buffer.concat(await Array.fromAsync(bytes)))
    const book = await openWorkbook(archive)
    const rows = filledRows(boundedRows(readRows(events(archive, book.sheet)), book))
    const first = await rows.next()
    if (first.done) throw workbookError('Its first sheet is empty.')
    const headings = headingsOf(first.value.cells, book)
    const matched = await inSlices(matchHeadings(headings, schema))
    const columns = columnsRead(
      schema,
      matched.map(({ name }) => name),
    )
    yield* readTable({
      headings,
      rows: tableRows(rows, { columns, book }),
      schema,
      reading,
      encoding: () => null,
      separator: null,
      readOther: (text, { types }) => readText(text, textTypes(types)),
    })
  } catch (error) {
    throw error instanceof XmlFault ? workbookError(error.message) : error
  }
}

async function* filledRows(rows: AsyncIterable<RawRow>): AsyncGenerator<RawRow> {
  for await (const row of rows) if (!isEmpty(row.cells)) yield row
}

/**
 * Counts the text of all cells, shared strings at each use, before rows are converted. Throws
 * beyond the limits.
 */
async function* boundedRows(rows: AsyncIterable<RawRow>, book: Workbook): AsyncGenerator<RawRow> {
  let characters = 0
  for await (const row of rows) {
    const own = row.cells.reduce((sum, cell) => sum + (cell ? rawText(cell, book).length : 0), 0)
    if (own > ROW_CHARACTERS_MAX) throw rowTooLong(row.row)
    characters += own
    if (characters > FILE_CHARACTERS_MAX)
      throw new MalformedFile('The workbook has too much text. Split it.', { line: row.row })
    yield row
  }
}

interface Sheet {
  columns: readonly Column[]
  book: Workbook
}

async function* tableRows(rows: AsyncIterable<RawRow>, sheet: Sheet): AsyncGenerator<TableRow> {
  for await (const row of rows) yield rowOf(row, sheet)
}

const SMALL_BYTES_MAX = 4_194_304

function events(
  archive: Archive,
  path: string,
  bytes_max: number = limits.import_unpacked_bytes_max,
): AsyncIterable<XmlEvent[]> {
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

async function openWorkbook(archive: Archive): Promise<Workbook> {
  const root = await relations(archive, '_rels/.rels', '')
  const book_path = root.find(({ type }) => type.endsWith('/officeDocument'))?.path
  if (book_path === undefined) throw workbookError('It has no workbook in it.')
  const folder = posix.dirname(book_path)
  const rels_path = `${folder}/_rels/${posix.basename(book_path)}.rels`
  const related = await relations(archive, rels_path, folder)
  const { first_sheet, since_1904 } = await readBook(archive, book_path)
  const id = first_sheet && valueEndingIn(first_sheet, ':id')
  const sheet = related.find((one) => one.id === id)?.path
  if (sheet === undefined) throw workbookError('It has no sheet in it.')
  const pathOf = (type: string) => related.find((one) => one.type.endsWith(type))?.path ?? ''
  const strings_path = pathOf('/sharedStrings')
  return {
    sheet,
    strings: archive.has(strings_path)
      ? await readSharedStrings(events(archive, strings_path))
      : [],
    formats: await readFormats(archive, pathOf('/styles')),
    since_1904,
  }
}

type Attributes = Readonly<Record<string, string>>

async function readBook(
  archive: Archive,
  path: string,
): Promise<{ first_sheet: Attributes | undefined; since_1904: boolean }> {
  let first_sheet: Attributes | undefined
  let properties: Attributes | undefined
  await readPart(archive, path, (event) => {
    if (event.kind !== 'open') return
    if (event.name === 'sheet') first_sheet ??= event.attributes
    if (event.name === 'workbookPr') properties ??= event.attributes
  })
  return { first_sheet, since_1904: /^(?:1|true)$/.test(properties?.['date1904'] ?? '') }
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
    const { Target: target = '', Id: id = '', Type: type = '' } = event.attributes
    const whole = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    found.push({ id, type, path: whole })
  })
  return found
}

function valueEndingIn(attributes: Attributes, end: string) {
  return Object.entries(attributes).find(([name]) => name.endsWith(end))?.[1]
}

const builtInDates = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/

/** Excel's limit of cell formats. */
const FORMATS_MAX = 65_536
/** Excel's limit; a longer format is ignored. */
const FORMAT_CHARACTERS_MAX = 255

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
  return ids.map((id) => codes.get(id) ?? (builtInDates.test(id) ? 'date' : 'number'))
}

function formatOf(code: string): NumberFormat {
  if (code.length > FORMAT_CHARACTERS_MAX) return 'number'
  return booleanFormat.test(code) ? 'boolean' : isDateFormat(code) ? 'date' : 'number'
}

/** LibreOffice saves a boolean as 1 or 0 with this format. */
const booleanFormat = /^"TRUE";"TRUE";"FALSE"$/i

/**
 * Removes quoted, bracketed and escaped text first. An unclosed quote extends to the end, which
 * keeps the pattern linear.
 */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replaceAll(/"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|\\./g, ''))
}

function headingsOf(cells: readonly (RawCell | undefined)[], book: Workbook): string[] {
  const names = Array.from(cells, (cell) => (cell ? rawText(cell, book).trim() : ''))
  requireHeadings(names)
  return names
}

function rowOf({ row, cells }: RawRow, { columns, book }: Sheet): TableRow {
  for (const [at, cell] of cells.entries()) {
    const message = cell && faultOf(cell, book)
    if (!message) continue
    return { line: row, faults: [{ path: `/${columns[at]?.name ?? at + 1}`, message }] }
  }
  const values = Array.from(cells, (cell, at) => cell && valueOf(cell, columns[at], book))
  return { line: row, cells: values }
}

function faultOf({ type, value }: RawCell, { strings }: Workbook): string | null {
  const shown = value.slice(0, 100)
  if (type === 'e') return `is the error ${shown}`
  const is_lost = type === 's' && strings[Number(value)] === undefined
  return is_lost ? `is the shared text ${shown}, which the workbook does not have` : null
}

function valueOf(cell: RawCell, column: Column | undefined, book: Workbook): TableCell {
  const { type, value, style } = cell
  if (type === 'b') return { value: value === '1' }
  if (type === 'n' && value === '') return undefined
  if (type === 'n') return { value: numberOf({ number: Number(value), style, column, book }) }
  return rawText(cell, book)
}

interface NumberCell {
  number: number
  style: number
  column: Column | undefined
  book: Workbook
}

/**
 * Converts a number by the schema or cell format, because spreadsheets store dates, booleans and
 * digits as numbers.
 */
function numberOf(cell: NumberCell): unknown {
  const { number, style, column, book } = cell
  const { format = null, types } = column ?? {}
  const wanted = types && !types.has('number')
  if (isBoolean(cell)) return number === 1
  if (book.formats[style] === 'date' && (wanted || types?.has('string'))) {
    const time = textFromSerial(number, { format, since_1904: book.since_1904 })
    if (time !== null) return time
  }
  return wanted && types.has('string') ? String(number) : number
}

/**
 * Returns whether a 1 or 0 is a boolean: by its cell format, or because the schema allows only
 * booleans.
 */
function isBoolean({ number, style, column, book }: NumberCell): boolean {
  if (number !== 0 && number !== 1) return false
  const types = column?.types
  if (!types) return book.formats[style] === 'boolean'
  if (book.formats[style] === 'boolean') return types.has('boolean')
  return types.has('boolean') && !types.has('number') && !types.has('string')
}

function rawText({ type, value }: RawCell, { strings }: Workbook): string {
  return type === 's' ? (strings[Number(value)] ?? '') : value
}
