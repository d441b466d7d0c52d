/**
 * Writes a workbook with one sheet, row by row: inline strings (never formulas), native numbers and
 * booleans, and dates where the schema declares them.
 */
import { Zip, ZipDeflate } from 'fflate'
import { createPause } from '../../../../kernel/limits/slices.ts'
import type { ValueTypes } from '../../json-schema/value-types.ts'
import { writeText } from '../table/cell.ts'
import type { Column, Layout } from '../table/columns.ts'
import type { FlatRecord } from '../record.ts'
import { serialFromText } from './serial-time.ts'
import { valuesOf } from '../table/table.ts'
import { parts, SHEET_FOOT, SHEET_PATH, sheetHead, styles } from './xlsx-parts.ts'
import { CELL_CHARACTERS_MAX } from './xlsx-texts.ts'

export async function* writeXlsx(
  pages: AsyncIterable<readonly FlatRecord[]>,
  layout: Layout,
): AsyncGenerator<Uint8Array> {
  const archive = packer()
  for (const [path, text] of Object.entries(parts)) archive.add(path)(text, true)
  const write = archive.add(SHEET_PATH)
  write(sheetHead(layout.columns.map(widthOf)))
  let row = 1
  write(
    rowXml(
      row,
      layout.columns.map(({ name }) => textCell(name, styles.heading)),
    ),
  )
  yield* archive.packed()
  const pause = createPause()
  for await (const records of pages) {
    for (const record of records) {
      row += 1
      const values = valuesOf(record, layout)
      write(
        rowXml(
          row,
          values.map((value, at) => cell(value, layout.columns[at]!)),
        ),
      )
      await pause()
    }
    yield* archive.packed()
  }
  write(SHEET_FOOT, true)
  archive.end()
  yield* archive.packed()
}

const ID_WIDTH = 38
const TIME_WIDTH = 24
const DATE_WIDTH = 12
const TEXT_WIDTH = 20
const NUMBER_WIDTH = 14
const WIDTH_MAX = 40

/** Returns a width for the heading and for dates, which show as ### in narrow columns. */
function widthOf({ name, types, format }: Column): number {
  if (name === '_id') return ID_WIDTH
  const text = types.has('string') ? TEXT_WIDTH : NUMBER_WIDTH
  const values = format === 'date' ? DATE_WIDTH : format === 'date-time' ? TIME_WIDTH : text
  return Math.min(WIDTH_MAX, Math.max(values, name.length + 2))
}

interface Packer {
  /** Starts a part. The returned function writes to it; `last` ends it. */
  add(path: string): (text: string, last?: boolean) => void
  end(): void
  /** Returns the compressed data since the previous call. */
  packed(): Uint8Array[]
}

function packer(): Packer {
  let ready: Uint8Array[] = []
  let fault: Error | null = null
  const zip = new Zip((error, bytes) => {
    fault ??= error
    ready.push(bytes)
  })
  return {
    add(path) {
      const file = new ZipDeflate(path, { level: 6 })
      zip.add(file)
      return (text, last = false) => file.push(Buffer.from(text, 'utf8'), last)
    },
    end: () => zip.end(),
    packed() {
      if (fault) throw fault
      const bytes = ready
      ready = []
      return bytes
    },
  }
}

/** A cell without its reference: attributes and content. Undefined is an empty cell. */
type Cell = { attributes: string; content: string } | undefined

function rowXml(row: number, cells: readonly Cell[]): string {
  const written = cells.map((cell, at) =>
    cell ? `<c r="${columnName(at)}${row}"${cell.attributes}>${cell.content}</c>` : '',
  )
  return `<row r="${row}">${written.join('')}</row>`
}

function cell(value: unknown, { types, format }: Column): Cell {
  if (value === undefined) return undefined
  if (typeof value === 'number') return { attributes: '', content: `<v>${value}</v>` }
  if (typeof value === 'boolean')
    return { attributes: ` s="${styles.boolean}" t="b"`, content: `<v>${Number(value)}</v>` }
  const serial = typeof value === 'string' && format ? serialFromText(value, format) : null
  if (serial !== null) {
    const style = format === 'date' ? styles.date : styles.time
    return { attributes: ` s="${style}"`, content: `<v>${serial}</v>` }
  }
  const text = writeText(value, textTypes(types))
  return textCell(text, /^[=+\-@']/.test(text) ? styles.text : styles.plain)
}

/**
 * Returns the types without numbers and booleans, which have native cells, so text never conflicts
 * with them.
 */
export function textTypes(types: ValueTypes): ValueTypes {
  return types.has('string') ? types.difference(new Set(['number', 'boolean'])) : types
}

function textCell(text: string, style: number): Cell {
  const cut = text.length > CELL_CHARACTERS_MAX ? shortened(text) : text
  const attributes = ` t="inlineStr"${style === styles.plain ? '' : ` s="${style}"`}`
  return { attributes, content: `<is><t xml:space="preserve">${escapeText(cut)}</t></is>` }
}

function shortened(text: string): string {
  const note = `… (cut: ${text.length} characters)`
  return text.slice(0, CELL_CHARACTERS_MAX - note.length).toWellFormed() + note
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes XML, after `_xHHHH_` encoding of characters that XML does not allow. */
function escapeText(text: string): string {
  return (
    text
      .replaceAll(/_(?=x[\da-fA-F]{4}_)/g, '_x005F_')
      // oxlint-disable-next-line no-control-regex -- these are the ones that XML has no place for
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, hexSign)
      .replaceAll(/[&<>]/g, (sign) => entities[sign]!)
  )
}

function hexSign(sign: string): string {
  return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** A, B, … Z, AA, AB … */
function columnName(at: number): string {
  const rest = Math.floor(at / 26)
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (at % 26))
}
