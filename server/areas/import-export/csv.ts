/** CSV files of documents. */
import { limits } from '../../contract/limits.ts'
import { createPause } from '../../kernel/limits/slices.ts'
import { CSV_START, csvLine, openCsv } from '../../kernel/tables/csv.ts'
import { MalformedFile } from '../../kernel/tables/malformed-file.ts'
import { readText, writeText } from './table/cell.ts'
import { requireHeadings, type Layout } from './table/columns.ts'
import type { FileLine } from './file-line.ts'
import type { ValueTypes } from '../json-schema/service.ts'
import type { FlatRecord } from './record.ts'
import { valuesOf } from './table/table.ts'
import { plainReading, readTable, type TableReading } from './table/read-table.ts'

export async function* writeCsv(
  pages: AsyncIterable<readonly FlatRecord[]>,
  layout: Layout,
): AsyncGenerator<string> {
  const { columns } = layout
  yield CSV_START + csvLine(columns.map(({ name }) => name))
  const pause = createPause()
  for await (const records of pages) {
    let lines = ''
    for (const record of records) {
      const values = valuesOf(record, layout)
      lines += csvLine(values.map((value, at) => cellOf(value, columns[at]!.types)))
      await pause()
    }
    yield lines
  }
}

function cellOf(value: unknown, types: ValueTypes): string | number | undefined {
  return value === undefined || typeof value === 'number' ? value : writeText(value, types)
}

export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  schema: unknown,
  reading: TableReading = plainReading,
): AsyncGenerator<FileLine> {
  const columns_max = limits.import_columns_max
  const { heading, rows, separator, encoding } = await openCsv(bytes, { columns_max })
  if (!heading) return
  const json_numbers = reading.notation.json_numbers && separator === ','
  yield* readTable({
    headings: headingsOf(heading.cells),
    rows: () => rows,
    schema,
    reading: { ...reading, notation: { ...reading.notation, json_numbers } },
    encoding,
    separator,
    warnings: [],
    readOther: (cell, { types }) => readText(cell, types),
  })
}

function headingsOf(cells: readonly (string | undefined)[]): string[] {
  const names = cells.map((name) => (name ?? '').trim())
  requireHeadings(names)
  if (names.every((name) => name === ''))
    throw new MalformedFile('The first line must name the columns.', { line: 1 })
  return names
}
