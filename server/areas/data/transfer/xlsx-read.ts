/**
 * The first sheet of a workbook, read row by row. The archive is held as it came, because its
 * directory stands at its end; its parts are unpacked piece by piece, each within the limit.
 */
import { posix } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { inSlices } from '../../../kernel/limits/slices.ts'
import { readText } from './cell.ts'
import { columnsRead, repeatedName, type Column } from './columns.ts'
import { MalformedFile, textOf, type Line } from './format.ts'
import { readSerial } from './serial-time.ts'
import { matchHeadings } from './headings.ts'
import { isEmpty } from './table.ts'
import { plainReading, readTable, type TableCell } from './understand.ts'
import type { TableReading, TableRow } from './understand.ts'
import { readRows, type RawCell, type RawRow } from './xlsx-rows.ts'
import { textTypes } from './xlsx-write.ts'
import { readXml, XmlFault, type XmlEvent } from './xml.ts'
import { broken, openArchive, type Archive } from './zip.ts'

type NumberFormat = 'number' | 'date' | 'boolean'

interface Workbook {
  sheet: string
  strings: readonly string[]
  /** By the number of the cell style: what its format shows a number as. */
  formats: readonly NumberFormat[]
  since_1904: boolean
}

export async function* readXlsx(
  bytes: AsyncIterable<Uint8Array>,
  schema: unknown,
  reading: TableReading = plainReading,
): AsyncGenerator<Line> {
  try {
    const archive = openArchive(Buffer.concat(await Array.fromAsync(bytes)))
    const book = await openWorkbook(archive)
    const rows = filledRows(readRows(events(archive, book.sheet)))
    const first = await rows.next()
    if (first.done) throw broken('Its first sheet is empty.')
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
    throw error instanceof XmlFault ? broken(error.message) : error
  }
}

async function* filledRows(rows: AsyncIterable<RawRow>): AsyncGenerator<RawRow> {
  for await (const row of rows) if (!isEmpty(row.cells)) yield row
}

interface Sheet {
  columns: readonly Column[]
  book: Workbook
}

async function* tableRows(rows: AsyncIterable<RawRow>, sheet: Sheet): AsyncGenerator<TableRow> {
  for await (const row of rows) yield rowOf(row, sheet)
}

const SMALL_BYTES_MAX = 4_194_304
const STRINGS_MAX = 1_000_000

// oxlint-disable-next-line max-params -- where it is, which part, and how much of it
function events(
  archive: Archive,
  path: string,
  bytes_max: number = limits.import_unpacked_bytes_max,
): AsyncIterable<XmlEvent[]> {
  return readXml(textOf(archive.read(path, bytes_max)))
}

async function allEvents(archive: Archive, path: string): Promise<XmlEvent[]> {
  if (!archive.has(path)) return []
  const all: XmlEvent[] = []
  for await (const some of events(archive, path, SMALL_BYTES_MAX))
    for (const event of some) all.push(event)
  return all
}

async function openWorkbook(archive: Archive): Promise<Workbook> {
  const root = await relations(archive, '_rels/.rels', '')
  const book_path = root.find(({ type }) => type.endsWith('/officeDocument'))?.path
  if (book_path === undefined) throw broken('It has no workbook in it.')
  const folder = posix.dirname(book_path)
  const rels_path = `${folder}/_rels/${posix.basename(book_path)}.rels`
  const related = await relations(archive, rels_path, folder)
  const book = await allEvents(archive, book_path)
  const first = opened(book, 'sheet')[0]
  const id = first && valueEndingIn(first, ':id')
  const sheet = related.find((one) => one.id === id)?.path
  if (sheet === undefined) throw broken('It has no sheet in it.')
  const pathOf = (type: string) => related.find((one) => one.type.endsWith(type))?.path ?? ''
  const since_1904 = opened(book, 'workbookPr')[0]?.['date1904']
  return {
    sheet,
    strings: await sharedStrings(archive, pathOf('/sharedStrings')),
    formats: formatsOf(await allEvents(archive, pathOf('/styles'))),
    since_1904: since_1904 === '1' || since_1904 === 'true',
  }
}

interface Relation {
  id: string
  type: string
  path: string
}

// oxlint-disable-next-line max-params -- where it is, which part, and what it is relative to
async function relations(archive: Archive, path: string, folder: string): Promise<Relation[]> {
  return opened(await allEvents(archive, path), 'Relationship').map((one) => {
    const target = one['Target'] ?? ''
    const whole = target.startsWith('/') ? target.slice(1) : posix.join(folder, target)
    return { id: one['Id'] ?? '', type: one['Type'] ?? '', path: whole }
  })
}

function opened(all: readonly XmlEvent[], name: string): Readonly<Record<string, string>>[] {
  return all.flatMap((event) =>
    event.kind === 'open' && event.name === name ? [event.attributes] : [],
  )
}

function valueEndingIn(attributes: Readonly<Record<string, string>>, end: string) {
  return Object.entries(attributes).find(([name]) => name.endsWith(end))?.[1]
}

/** Texts that several cells may share. */
async function sharedStrings(archive: Archive, path: string): Promise<string[]> {
  if (!archive.has(path)) return []
  const strings: string[] = []
  const inside: string[] = []
  for await (const some of events(archive, path)) {
    for (const event of some) takeString(event, inside, strings)
    if (strings.length > STRINGS_MAX) throw broken('It has too many texts.')
  }
  return strings
}

/** A text may be in parts with formats of their own; reading aids for Japanese are none of it. */
function takeString(event: XmlEvent, inside: string[], strings: string[]): void {
  if (event.kind === 'open') {
    inside.push(event.name)
    if (event.name === 'si') strings.push('')
  } else if (event.kind === 'close') inside.pop()
  else if (inside.at(-1) === 't' && !inside.includes('rPh') && strings.length > 0)
    strings.push(strings.pop() + event.text)
}

const builtInDates = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/

function formatsOf(all: readonly XmlEvent[]): NumberFormat[] {
  const codes = new Map(
    opened(all, 'numFmt').map((one) => [one['numFmtId'], one['formatCode'] ?? '']),
  )
  const formats: NumberFormat[] = []
  let within = false
  for (const event of all) {
    if (event.kind !== 'text' && event.name === 'cellXfs') within = event.kind === 'open'
    if (!within || event.kind !== 'open' || event.name !== 'xf') continue
    const id = event.attributes['numFmtId'] ?? '0'
    const code = codes.get(id)
    const is_date = code === undefined ? builtInDates.test(id) : isDateFormat(code)
    const is_boolean = code !== undefined && booleanFormat.test(code)
    formats.push(is_boolean ? 'boolean' : is_date ? 'date' : 'number')
  }
  return formats
}

/** LibreOffice saves a boolean as the number 1 or 0 in this format. */
const booleanFormat = /^"TRUE";"TRUE";"FALSE"$/i

/** What stands in quotes or brackets, or after a backslash, is decoration. */
function isDateFormat(code: string): boolean {
  return /[ymdhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
}

function headingsOf(cells: readonly (RawCell | undefined)[], book: Workbook): string[] {
  const names = Array.from(cells, (cell) => (cell ? rawText(cell, book).trim() : ''))
  const twice = repeatedName(names)
  if (twice !== undefined)
    throw new MalformedFile(`Two columns are called "${twice}".`, { line: 1 })
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
  if (type === 'e') return `is the error ${value}`
  const is_lost = type === 's' && strings[Number(value)] === undefined
  return is_lost ? `is the shared text ${value}, which the workbook does not have` : null
}

// oxlint-disable-next-line max-params -- the cell, its column, and its workbook
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
 * A number as the schema or the cell format wants it: spreadsheets store dates, booleans and texts
 * of digits as numbers.
 */
function numberOf(cell: NumberCell): unknown {
  const { number, style, column, book } = cell
  const { format = null, types } = column ?? {}
  const wanted = types && !types.has('number')
  if (isBoolean(cell)) return number === 1
  if (book.formats[style] === 'date' && (wanted || types?.has('string'))) {
    const time = readSerial(number, { format, since_1904: book.since_1904 })
    if (time !== null) return time
  }
  return wanted && types.has('string') ? String(number) : number
}

/** Whether a 1 or 0 is shown as a boolean that the schema takes, or the schema takes nothing else. */
function isBoolean({ number, style, column, book }: NumberCell): boolean {
  if (number !== 0 && number !== 1) return false
  const types = column?.types
  if (!types) return book.formats[style] === 'boolean'
  if (book.formats[style] === 'boolean') return types.has('boolean')
  return types.has('boolean') && !types.has('number') && !types.has('string')
}

function rawText({ type, value }: RawCell, { strings }: Workbook): string {
  const text = type === 's' ? (strings[Number(value)] ?? '') : value
  return text.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code) =>
    String.fromCharCode(parseInt(code, 16)),
  )
}
