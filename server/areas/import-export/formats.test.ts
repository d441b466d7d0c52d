/**
 * Round trips of the file formats without a server, for random text, numbers and nested values, and
 * the positions of errors.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { unzipSync, zipSync } from 'fflate'
import fc from 'fast-check'
import readExcelFile from 'read-excel-file/node'
import { depth, longTest } from '../../../test/fixtures/depth.ts'
import { layoutOf } from './table/columns.ts'
import { writeCsv, readCsv } from './csv.ts'
import { isExactNumber } from '../../kernel/values/exact-number.ts'
import { MalformedFile } from '../../kernel/tables/malformed-file.ts'
import type { FileLine } from './file-line.ts'
import { readNdjson, writeNdjson } from './ndjson.ts'
import { flatten, unflatten, type FlatRecord } from './record.ts'
import { parts, SHEET_HEAD, SHEET_FOOT } from '../../kernel/tables/xlsx/parts.ts'
import { plainReading, type DetectedFormat } from './table/read-table.ts'
import { readXlsx, writeXlsx } from './xlsx.ts'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    note: { type: ['string', 'null'] },
    count: { type: 'integer' },
    price: { type: 'number' },
    open: { type: 'boolean' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    address: { $ref: '#/$defs/address' },
    any: {},
  },
  $defs: { address: { type: 'object' } },
}

const at = '2026-02-03T04:05:06.789Z'
const id = '0190aafe-8f10-7c55-a1b2-4c5d6e7f8091'

function document(data: Record<string, unknown>) {
  return { id, data, version: 3, source: 'api', created_at: at, updated_at: at }
}

async function* pagesOf(records: FlatRecord[]): AsyncGenerator<FlatRecord[]> {
  for (let from = 0; from < records.length; from += 7) yield records.slice(from, from + 7)
}

/** Splits bytes into chunks that can end within a character. */
async function* pieces(bytes: Uint8Array, size = 13): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function bytesOf(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const all = await Array.fromAsync(chunks)
  return Buffer.concat(all.map((chunk) => Buffer.from(chunk)))
}

type Format = 'ndjson' | 'csv' | 'xlsx'

function write(format: Format, data: Record<string, unknown>[], shape: unknown = schema) {
  const found = new Set(data.flatMap((one) => Object.keys(one)))
  const pages = pagesOf(data.map((one) => flatten(document(one))))
  const layout = layoutOf(shape, found)
  if (format === 'ndjson') return bytesOf(writeNdjson(pages))
  return bytesOf(format === 'csv' ? writeCsv(pages, layout) : writeXlsx(pages, layout))
}

function linesOf(format: Format, bytes: Uint8Array, shape: unknown = schema): Promise<FileLine[]> {
  const size = format === 'xlsx' ? 4096 : 13
  if (format === 'ndjson') return Array.fromAsync(readNdjson(pieces(bytes, size)))
  const read = format === 'csv' ? readCsv : readXlsx
  return Array.fromAsync(read(pieces(bytes, size), shape))
}

async function dataOf(format: Format, bytes: Uint8Array, shape: unknown = schema) {
  const lines = await linesOf(format, bytes, shape)
  return lines.map((line) => {
    assert.ok('record' in line, JSON.stringify(line))
    return unflatten(line.record)
  })
}

async function roundTrip(format: Format, data: Record<string, unknown>[], shape: unknown = schema) {
  const read = await dataOf(format, await write(format, data, shape), shape)
  return read.map((one) => one.data)
}

/** JSON round trip: removes prototypes and -0. */
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value))

const odd = fc.constantFrom(
  '',
  ' ',
  ' x ',
  '=1+1',
  "'=1+1",
  "''=1",
  "'",
  '+49 123',
  '-5',
  '@x',
  '\tx',
  '\rx',
  '\nx',
  '123',
  '1.50',
  '1e5',
  '-0',
  'true',
  'null',
  '"null"',
  '"123"',
  '"',
  '""',
  'a,b;c\td',
  '[1, 2]',
  '{"a":1}',
  '{"a": 1}',
  '_x000D_',
  '_x005F_',
  'x_x0041_y',
  '😀',
  '\ufeff',
  '\ufffe',
  '\u0001\u001f',
  '\u2028',
  '＝1',
  '__proto__',
  'a\r\nb',
  '</t>',
  '&amp;',
  ']]>',
)
const texts = fc.oneof(
  odd,
  fc
    .string({ unit: 'binary', maxLength: 20 })
    .map((text) => text.replaceAll('\0', '').toWellFormed()),
)
const numbers = fc.oneof(
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => value + 0)
    .filter((value) => isExactNumber(String(value))),
)
const anything = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(texts, numbers), { maxLength: 3 }),
  fc.dictionary(texts, fc.oneof(texts, numbers, fc.constant(null)), { maxKeys: 3 }),
)
const days = fc
  .date({ min: new Date('1901-01-01'), max: new Date('9998-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const fitting = fc.record(
  {
    name: texts,
    note: fc.oneof(texts, fc.constant(null)),
    count: fc.integer(),
    price: numbers,
    open: fc.boolean(),
    day: days.map((day) => day.slice(0, 10)),
    at: days.map((day) => day.replace('.000Z', 'Z')),
    tags: fc.array(texts, { maxLength: 3 }),
    address: fc.dictionary(texts, anything, { maxKeys: 2 }),
    any: anything,
    unnamed: anything,
    _id: anything,
    __version: anything,
    _more: anything,
  },
  { requiredKeys: [] },
)

describe('an export that is imported again', () => {
  for (const format of ['ndjson', 'csv', 'xlsx'] as const) {
    test(`is imported unchanged as ${format} if the documents fit the schema`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fitting, { minLength: 1, maxLength: 9 }), async (data) => {
          assert.deepEqual(plain(await roundTrip(format, plain(data))), plain(data))
        }),
        { numRuns: depth(30, 150) },
      )
    })

    test(`is imported unchanged as ${format} with any field names, without a schema`, async () => {
      const free = fc.dictionary(texts, anything, { maxKeys: 4 })
      await fc.assert(
        fc.asyncProperty(fc.array(free, { minLength: 1, maxLength: 5 }), async (data) => {
          const given = plain(data)
          assert.deepEqual(plain(await roundTrip(format, given, {})), given)
        }),
        { numRuns: depth(30, 150) },
      )
    })
  }

  test('restores the id and drops the other system fields', async () => {
    for (const format of ['ndjson', 'csv', 'xlsx'] as const) {
      const [read] = await dataOf(format, await write(format, [{ name: 'a' }]))
      assert.deepEqual(read, { id, data: { name: 'a' } })
    }
  })

  test('puts fields that were added after the header was written into _more', async () => {
    const layout = layoutOf(schema, [])
    const records = [flatten(document({ late: '=1', _id: 7, name: 'x' }))]
    const csv = await bytesOf(writeCsv(pagesOf(records), layout))
    assert.deepEqual(await dataOf('csv', csv), [{ id, data: { late: '=1', _id: 7, name: 'x' } }])
  })

  test('has no _more column for a closed schema', () => {
    const { columns } = layoutOf({ ...schema, additionalProperties: false }, ['name'])
    assert.deepEqual(
      columns.map(({ name }) => name),
      [
        '_id',
        ...Object.keys(schema.properties),
        '_version',
        '_source',
        '_created_at',
        '_updated_at',
      ],
    )
  })
})

describe('CSV', () => {
  const text = async (...data: Record<string, unknown>[]) =>
    (await write('csv', data)).toString('utf8')

  test('starts with a byte order mark and uses commas and CRLF', async () => {
    const csv = await text({ name: 'Ümit, "the" one', count: -3, open: false })
    const [head, line, end] = csv.split('\r\n')
    assert.equal(head?.slice(0, 27), '\ufeff_id,name,note,count,price,')
    assert.equal(line, `${id},"Ümit, ""the"" one",,-3,,false,,,,,,,3,api,${at},${at}`)
    assert.equal(end, '')
  })

  test('guards cells that start like a formula, except numbers', async () => {
    for (const begin of ['=', '+', '-', '@', '\t', '\r']) {
      const csv = await text({ name: `${begin}1+1`, unnamed: `${begin}cmd|' /C calc'!A0` })
      const cells = csv
        .split('\r\n')[1]!
        .split(',')
        .map((cell) => cell.replace(/^"/, ''))
      assert.ok(!cells.some((cell) => cell.startsWith(begin)), csv)
    }
    assert.match(await text({ price: -1.5 }), /,-1\.5,/)
  })

  test('guards a header that starts like a formula', async () => {
    const csv = await write('csv', [{ '=1+1': 1 }])
    assert.match(csv.toString(), /,'=1\+1,/)
    assert.deepEqual(await roundTrip('csv', [{ '=1+1': 1 }]), [{ '=1+1': 1 }])
  })

  test('uses the most frequent separator of the first line', async () => {
    for (const separator of [',', ';', '\t']) {
      const csv = Buffer.from(['name', 'count\na', '2\n'].join(separator))
      assert.deepEqual(await dataOf('csv', csv), [{ id: undefined, data: { name: 'a', count: 2 } }])
    }
  })

  test('converts cells to the type in the schema; unconvertible text is kept for validation to refuse', async () => {
    const csv = 'count,open,price,tags,note,any\n 7 ,TRUE,1e3,"[""a""]",null,1.50\nx,2,y,z,,3\n'
    assert.deepEqual(
      (await dataOf('csv', Buffer.from(csv))).map(({ data }) => data),
      [
        { count: 7, open: true, price: 1000, tags: ['a'], note: null, any: '1.50' },
        { count: 'x', open: '2', price: 'y', tags: 'z', any: 3 },
      ],
    )
  })

  test('numbers records by their first line, also after cells with line breaks', async () => {
    const lines = await linesOf('csv', Buffer.from('name\n"a\nb"\nc\n\nd,5\n'))
    assert.deepEqual(
      lines.map(({ line }) => line),
      [2, 4, 6],
    )
    assert.ok('faults' in lines[2]!, 'a cell without a heading is refused')
  })

  test('reports the position of a quote that is never closed', async () => {
    await assert.rejects(linesOf('csv', Buffer.from('name\nok\n"never closed\n')), (error) => {
      assert.ok(error instanceof MalformedFile)
      assert.match(error.message, /quote/)
      assert.ok(error.line >= 3)
      return true
    })
  })

  test('refuses a file that is not UTF-8 or has a duplicate header', async () => {
    await assert.rejects(linesOf('csv', Buffer.from('name\n\x81\n', 'latin1')), /UTF-8/)
    await assert.rejects(linesOf('csv', Buffer.from('name,name\n1,2\n')), /called "name"/)
    await assert.rejects(linesOf('csv', Buffer.from(',\n1,2\n')), /must name the columns/)
  })
})

describe('NDJSON', () => {
  test('reports an invalid line with its column and continues', async () => {
    const text = '{"a":1}\n{"a":}\n\n[1]\n{"a":1,"a":2}\n{"b":2}'
    const lines = await linesOf('ndjson', Buffer.from(text))
    assert.deepEqual(
      lines.map((line) => [line.line, 'record' in line]),
      [
        [1, true],
        [2, false],
        [4, false],
        [5, false],
        [6, true],
      ],
    )
    const [, fault] = lines
    assert.ok(fault && 'faults' in fault)
    assert.match(fault.faults[0]!.message, /a \} where none can be|column 6/)
  })

  test('bounds the memory for an endless line', async () => {
    async function* endless() {
      for (let count = 0; count < 64; count += 1) yield Buffer.alloc(65_536, 'x')
      yield Buffer.from('\n{"a":1}')
    }
    const lines = await Array.fromAsync(readNdjson(endless()))
    assert.deepEqual(
      lines.map((line) => 'record' in line),
      [false, true],
    )
  })
})

describe('XLSX', () => {
  test('is readable by read-excel-file: text, numbers, booleans and dates', async () => {
    const at = '2026-02-03T04:05:06Z'
    const data = { name: '=SUM(A1)', count: 4, open: true, day: '2026-02-03', at, any: 'Ümit' }
    const [head, row] = (await readExcelFile(await write('xlsx', [data])))[0]!.data
    const found = Object.fromEntries(head!.map((name, index) => [name, row![index]]))
    assert.equal(found['name'], '=SUM(A1)')
    assert.equal(found['count'], 4)
    assert.equal(found['open'], true)
    assert.deepEqual(found['day'], new Date('2026-02-03T00:00:00Z'))
    assert.deepEqual(found['at'], new Date(at))
    assert.ok(found['_created_at'] instanceof Date)
    assert.equal(found['any'], 'Ümit')
    assert.equal(found['price'], null)
  })

  test('displays booleans as TRUE and FALSE in LibreOffice, and imports them after LibreOffice saved', async () => {
    const file = unzipSync(await write('xlsx', [{ open: true, any: false, count: 1 }]))
    const path = 'xl/worksheets/sheet1.xml'
    const sheet = Buffer.from(file[path]!).toString()
    // As saved by LibreOffice 7.4: a formula with a numeric result and the same cell format.
    const saved = sheet.replaceAll(
      / s="5" t="b"><v>([01])</g,
      ' s="5" t="n"><f aca="false">TRUE()</f><v>$1<',
    )
    assert.notEqual(saved, sheet)
    const [line] = await linesOf('xlsx', zipSync({ ...file, [path]: Buffer.from(saved) }))
    assert(line && 'record' in line)
    const { open, any, count } = line.record
    assert.deepEqual([open, any, count], [true, false, 1])
  })

  test('reads 1 and 0 as booleans if the schema allows only booleans', async () => {
    const rows =
      '<row r="1"><c t="inlineStr"><is><t>open</t></is></c></row><row r="2"><c><v>1</v></c></row>'
    const file = unzipSync(await write('xlsx', []))
    const sheet = Buffer.from(`${SHEET_HEAD}${rows}${SHEET_FOOT}`)
    const [line] = await linesOf('xlsx', zipSync({ ...file, 'xl/worksheets/sheet1.xml': sheet }))
    assert(line && 'record' in line)
    assert.equal(line.record['open'], true)
  })

  test('writes text that starts with = as text, not as a formula', async () => {
    const bytes = await write('xlsx', [{ name: '=1+1', any: '+1', note: '@x' }])
    const { unzipSync, strFromU8 } = await import('fflate')
    const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml']!)
    assert.ok(!sheet.includes('<f'), sheet)
    assert.match(sheet, /t="inlineStr" s="4"><is><t xml:space="preserve">=1\+1/)
  })

  test('truncates text beyond the limit of an Excel cell and marks it', async () => {
    const [read] = await roundTrip('xlsx', [{ name: 'x'.repeat(40_000) }])
    const name = String(read?.['name'])
    assert.equal(name.length, 32_767)
    assert.match(name, /… \(cut: 40000 characters\)$/)
  })

  const sheetOf = (rows: string, others: Record<string, string> = {}) =>
    workbook({ 'xl/worksheets/sheet1.xml': `${SHEET_HEAD}${rows}${SHEET_FOOT}`, ...others })

  function workbook(changed: Record<string, string>): Uint8Array {
    const files = { ...parts, ...changed }
    return zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    )
  }

  const heading = '<row><c t="str"><v>name</v></c><c t="str"><v>day</v></c></row>'

  test('reads shared strings, rich text, cached formula values and cells without a reference', async () => {
    const shared = {
      'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
        '</Relationships>',
        '<Relationship Id="rId3" Type="x/sharedStrings" Target="/xl/shared.xml"/></Relationships>',
      ),
      'xl/shared.xml':
        '<sst><si><t>one</t></si><si><r><t>t</t></r><r><t>wo</t></r><rPh><t>no</t></rPh></si></sst>',
    }
    const rows =
      `${heading}<row r="5"><c r="A5" t="s"><v>1</v></c><c r="B5" s="2"><f>A1</f><v>46056</v></c></row>` +
      '<row r="9"><c r="A9"><v>5</v></c></row>'
    const lines = await linesOf('xlsx', sheetOf(rows, shared))
    assert.deepEqual(lines, [
      { line: 5, record: { name: 'two', day: '2026-02-03' } },
      { line: 9, record: { name: '5' } },
    ])
  })

  test('keeps a number that would be rounded as text, or refuses it in a column of numbers', async () => {
    const cells = (row: number, number: string) =>
      `<row r="${row}">${['A', 'B', 'C'].map((at) => `<c r="${at}${row}"><v>${number}</v></c>`).join('')}</row>`
    const headings = ['name', 'any', 'price'].map((name) => `<c t="str"><v>${name}</v></c>`)
    const rows = `<row>${headings.join('')}</row>${cells(2, '0.28999999999999998')}${cells(3, '2033735037361704962')}`
    const read = (shape: object) => linesOf('xlsx', sheetOf(rows), shape)
    const message = 'is a number that would be rounded; send it as a string'
    const value = '2033735037361704962'
    assert.deepEqual(await read({ properties: { name: { type: 'string' } } }), [
      { line: 2, record: { name: '0.29', any: 0.29, price: 0.29 } },
      { line: 3, record: { name: value, any: value, price: value } },
    ])
    const [, refused] = await read({ properties: { price: { type: 'number' } } })
    assert.deepEqual(refused, {
      line: 3,
      faults: [{ path: '/price', message, column: 'price', value }],
    })
  })

  const withFormats = (codes: readonly string[], ids: readonly number[] = []) => {
    const own = codes.map(
      (code, at) =>
        `<numFmt numFmtId="${200 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    )
    const all = [...codes.map((_, at) => 200 + at), ...ids]
    const xfs = all.map((id) => `<xf numFmtId="${id}"/>`).join('')
    return {
      'xl/styles.xml': `<styleSheet><numFmts>${own.join('')}</numFmts><cellXfs>${xfs}</cellXfs></styleSheet>`,
    }
  }

  test('reads times and durations as they are shown', async () => {
    const codes = ['h:mm', '[h]:mm', '[$-F400]h:mm:ss\\ AM/PM', '[h]:mm:ss;@', 'yyyy-mm-dd h:mm']
    const values = ['0.375', '1.5', '0.39586805555555554', '0.375', '46056.375']
    const shown = ['09:00', '36:00', '09:30:03', '09:00', '2026-02-03T09:00:00Z']
    const cells = [...values, '0.75'].map((value, at) => `<c s="${at}"><v>${value}</v></c>`)
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const row = names.map((name) => `<c t="str"><v>${name}</v></c>`).join('')
    const book = sheetOf(`<row>${row}</row><row>${cells.join('')}</row>`, withFormats(codes, [20]))
    const expected = Object.fromEntries([...shown, '18:00'].map((text, at) => [names[at], text]))
    assert.deepEqual(await linesOf('xlsx', book, {}), [{ line: 2, record: expected }])
    const [typed] = await linesOf('xlsx', book, { properties: { a: { type: 'number' } } })
    assert.ok(typed && 'record' in typed && typed.record['a'] === 0.375)
  })

  test('shows numbers whose formats have spaces and fillers of letters', async () => {
    const codes = ['0_d;[Red]-0_d', '* 0', '*m0', '_-* #,##0.00\\ _s_-', '0" days"', 'General']
    const cells = codes.map((_, at) => `<c s="${at}"><v>45000</v></c>`).join('')
    const row = codes.map((_, at) => `<c t="str"><v>f${at}</v></c>`).join('')
    const book = sheetOf(`<row>${row}</row><row>${cells}</row>`, withFormats(codes))
    const [line] = await linesOf('xlsx', book, {})
    assert.ok(line && 'record' in line)
    assert.deepEqual(Object.values(line.record), Array(6).fill(45000))
  })

  test('finds parts with backslashes and other capitals, and the first visible sheet', async () => {
    const rows = `${heading}<row r="2"><c r="A2" t="str"><v>x</v></c></row>`
    const files = unzipSync(sheetOf(rows))
    const renamed = Object.entries(files).map(([name, bytes]): [string, Uint8Array] => [
      name.replaceAll('/', '\\').replace('sheet1', 'Sheet1'),
      bytes,
    ])
    const sheets =
      '<sheet name="Lists" sheetId="2" state="veryHidden" r:id="rId9"/><sheet name="Data" sheetId="1" r:id="rId1"/>'
    const changed = new Map(renamed)
    changed.set('xl\\workbook.xml', Buffer.from(`<workbook><sheets>${sheets}</sheets></workbook>`))
    const warnings: string[] = []
    const reading = {
      ...plainReading,
      onFormat: (format: DetectedFormat) => void warnings.push(...format.warnings),
    }
    const bytes = zipSync(Object.fromEntries(changed))
    const lines = await Array.fromAsync(readXlsx(pieces(bytes, 4096), schema, reading))
    assert.deepEqual(lines, [{ line: 2, record: { name: 'x' } }])
    assert.deepEqual(warnings, [
      'The first sheet is hidden. The first visible one, "Data", was read.',
    ])
  })

  test('refuses a row with an error cell and imports the others', async () => {
    const rows = `${heading}<row r="2"><c r="A2" t="e"><v>#REF!</v></c></row><row r="3"><c r="A3" t="str"><v>x</v></c></row>`
    const [first, second] = await linesOf('xlsx', sheetOf(rows))
    assert.deepEqual(first, { line: 2, faults: [{ path: '/name', message: 'is the error #REF!' }] })
    assert.ok(second && 'record' in second)
  })

  test('refuses a missing shared string; no document gets an empty text for it', async () => {
    const cell = (row: number, value: string) =>
      `<row r="${row}"><c r="A${row}" t="s">${value}</c><c r="B${row}" t="str"><v>x</v></c></row>`
    const rows = `${heading}${cell(2, '<v>7</v>')}${cell(3, '')}`
    const message = 'is the shared text 7, which the workbook does not have'
    assert.deepEqual(await linesOf('xlsx', sheetOf(rows)), [
      { line: 2, faults: [{ path: '/name', message }] },
      { line: 3, record: { day: 'x' } },
    ])
  })

  test('refuses entity declarations and files that are not workbooks', async () => {
    const doctype = '<!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet/>'
    await assert.rejects(
      linesOf('xlsx', workbook({ 'xl/worksheets/sheet1.xml': doctype })),
      /document type/,
    )
    await assert.rejects(linesOf('xlsx', sheetOf(`${heading}&boom;<row/>`)), /entity/)
    await assert.rejects(linesOf('xlsx', Buffer.from('name\nx\n')), /no ZIP/)
    await assert.rejects(linesOf('xlsx', zipSync({ a: Buffer.from('x') })), /no workbook/)
    const whole = sheetOf(heading)
    await assert.rejects(linesOf('xlsx', whole.subarray(0, whole.length / 2)), /no ZIP/)
  })

  test('refuses a part whose content does not have its checksum', async () => {
    const whole = Buffer.from(sheetOf(heading))
    const name = whole.lastIndexOf('xl/worksheets/sheet1.xml')
    // The checksum stands 30 bytes before the name, in the directory.
    whole[name - 30] = whole[name - 30]! ^ 1
    await assert.rejects(linesOf('xlsx', whole), /sheet1.xml is damaged/)
  })

  longTest('refuses a file of a megabyte that is a hundred when it is unpacked', async () => {
    const bomb = sheetOf(`${heading}${'<row></row>    '.repeat(7_500_000)}`)
    assert.ok(bomb.length < 1_048_576)
    await assert.rejects(linesOf('xlsx', bomb), /when it is unpacked/)
  })

  test('reports or ignores any single damaged byte, without another exception', async () => {
    const whole = await write('xlsx', [{ name: 'a', count: 1 }])
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (place, byte) => {
        const damaged = Buffer.from(whole)
        damaged[place] = byte
        await linesOf('xlsx', damaged).catch((error: unknown) => {
          assert.ok(error instanceof MalformedFile, String(error))
        })
      }),
      { numRuns: depth(100, 500) },
    )
  })
})

test('XLSX columns are wide enough for dates and headings', async () => {
  const file = unzipSync(await write('xlsx', [{ day: '2026-02-03', at }]))
  const sheet = Buffer.from(file['xl/worksheets/sheet1.xml']!).toString()
  const widths = [...sheet.matchAll(/<col min="(\d+)" max="\1" width="(\d+)"/g)].map(([, , w]) => w)
  const { columns } = layoutOf(schema, ['day', 'at'])
  assert.equal(widths.length, columns.length)
  for (const [place, { name, format }] of columns.entries()) {
    const shown = format === 'date' ? 'yyyy-mm-dd' : format ? 'yyyy-mm-dd hh:mm:ss.000' : name
    assert.ok(Number(widths[place]) >= Math.min(shown.length, 40), `${name} ${widths[place]}`)
  }
})

describe('reading a file that arrived completely', () => {
  /** Counts the turns of the event loop while a file is read. */
  async function turnsWhile(format: 'ndjson' | 'csv', bytes: Uint8Array): Promise<number> {
    let turns = 0
    const count = () => {
      turns += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    const waiting = pieces(bytes, 65_536)
    await Array.fromAsync(format === 'csv' ? readCsv(waiting, {}) : readNdjson(waiting))
    clearImmediate(next)
    return turns
  }

  for (const format of ['ndjson', 'csv'] as const)
    longTest(`yields to other work while it parses ${format} full of line breaks`, async () => {
      const turns = await turnsWhile(format, Buffer.from(`"a"\n${'\n'.repeat(19_000_000)}`))
      assert.ok(turns >= 5, `${turns} turns`)
    })
})
