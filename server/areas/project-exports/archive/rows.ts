/** Reads the rows of a part of an export. */
import type { ExportedTable } from '../../../contract/manifest/exported-table.ts'
import { ExportFault } from './format.ts'

/** The rows as a JSON array. Sizes are counted anew, because a file could state smaller ones. */
export function readRows({ table, sizes = {} }: ExportedTable, lines: Buffer): string {
  const texts = lines.toString().trimEnd().split('\n')
  const counted = Object.entries(sizes)
  if (counted.length === 0) return `[${texts.join(',')}]`
  const rows = texts.map((text) => {
    const row = readRow(table, text)
    const found = counted.map(([column, of]) => [column, sizeOf(row[of])] as const)
    return JSON.stringify({ ...row, ...Object.fromEntries(found) })
  })
  return `[${rows.join(',')}]`
}

function readRow(table: string, text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) }
  } catch {
    throw new ExportFault(`The rows of the export do not fit in ${table}: one is no JSON.`)
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
