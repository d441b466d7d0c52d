/** The file formats by name and media type, with their readers and writers. */
import type { FlatRecord } from './record.ts'
import type { Layout } from './table/columns.ts'
import type { FileLine } from './file-line.ts'
import { readCsv, writeCsv } from './csv.ts'
import { readNdjson, writeNdjson } from './ndjson.ts'
import type { TableReading } from './table/read-table.ts'
import { readXlsx, writeXlsx } from './xlsx.ts'

export const formatNames = ['ndjson', 'csv', 'xlsx'] as const
export type FormatName = (typeof formatNames)[number]

export interface FileFormat {
  /** The first is used for exports. */
  media_types: readonly [string, ...string[]]
  charset?: 'utf-8'
  /** Whether the format has a header, which must be known before the first row. */
  columns: boolean
  write(
    pages: AsyncIterable<readonly FlatRecord[]>,
    layout: Layout,
  ): AsyncIterable<string | Uint8Array>
  /** `reading` configures numbers and dates of tables; NDJSON ignores it. */
  read(
    bytes: AsyncIterable<Uint8Array>,
    schema: unknown,
    reading?: TableReading,
  ): AsyncIterable<FileLine>
}

export const formats: Readonly<Record<FormatName, FileFormat>> = {
  ndjson: {
    media_types: ['application/x-ndjson', 'application/ndjson', 'application/jsonl'],
    columns: false,
    write: writeNdjson,
    read: readNdjson,
  },
  csv: {
    media_types: ['text/csv'],
    charset: 'utf-8',
    columns: true,
    write: writeCsv,
    read: readCsv,
  },
  xlsx: {
    media_types: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    columns: true,
    write: writeXlsx,
    read: readXlsx,
  },
}

/** Generic media type; the request must name the format. */
const UNNAMED = 'application/octet-stream'

export const importTypes: readonly string[] = [
  ...formatNames.flatMap((name) => formats[name].media_types),
  UNNAMED,
]

export const exportTypes: readonly string[] = formatNames.map(
  (name) => formats[name].media_types[0],
)

export function formatOf(media_type: string): FormatName | null {
  return formatNames.find((name) => formats[name].media_types.includes(media_type)) ?? null
}
