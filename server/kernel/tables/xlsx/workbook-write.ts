/**
 * Writes a workbook with one sheet, row by row: inline strings (never formulas), native numbers and
 * booleans, and dates as serial numbers.
 */
import { Zip, ZipDeflate } from 'fflate'
import { createPause } from '../../limits/slices.ts'
import { parts, SHEET_FOOT, SHEET_PATH, sheetHead, styles } from './parts.ts'
import { CELL_CHARACTERS_MAX } from './shared-texts.ts'

export type WrittenCell =
  | undefined
  | string
  | number
  | boolean
  | { serial: number; format: 'date' | 'date-time' }

export interface SheetColumn {
  heading: string
  /** In characters. */
  width: number
}

/** Yields the compressed bytes after the heading and after each page of rows. */
export async function* writeWorkbook(
  columns: readonly SheetColumn[],
  pages: AsyncIterable<Iterable<readonly WrittenCell[]>>,
): AsyncGenerator<Uint8Array> {
  const archive = packer()
  for (const [path, text] of Object.entries(parts)) archive.add(path)(text, true)
  const write = archive.add(SHEET_PATH)
  write(sheetHead(columns.map(({ width }) => width)))
  let row = 1
  write(
    rowXml(
      row,
      columns.map(({ heading }) => textCell(heading, styles.heading)),
    ),
  )
  yield* archive.packed()
  const pause = createPause()
  for await (const page of pages) {
    for (const cells of page) {
      row += 1
      write(rowXml(row, cells.map(cellXml)))
      await pause()
    }
    yield* archive.packed()
  }
  write(SHEET_FOOT, true)
  archive.end()
  yield* archive.packed()
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

function cellXml(cell: WrittenCell): Cell {
  switch (typeof cell) {
    case 'undefined':
      return undefined
    case 'number':
      return { attributes: '', content: `<v>${cell}</v>` }
    case 'boolean':
      return { attributes: ` s="${styles.boolean}" t="b"`, content: `<v>${Number(cell)}</v>` }
    case 'string':
      return textCell(cell, /^[=+\-@']/.test(cell) ? styles.text : styles.plain)
    case 'object': {
      const style = cell.format === 'date' ? styles.date : styles.time
      return { attributes: ` s="${style}"`, content: `<v>${cell.serial}</v>` }
    }
  }
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
