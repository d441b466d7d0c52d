/**
 * The texts of a workbook. Cells can share a string, so a small file can expand to any size: a
 * text, a row and the file have limits.
 */
import { XmlFault, type XmlEvent } from './xml.ts'

/** Excel's limit for a cell, in characters. Excel refuses a workbook with more as damaged. */
export const CELL_CHARACTERS_MAX = 32_767
/** As for a line of CSV or NDJSON, which is far more than a document. */
export const ROW_CHARACTERS_MAX = 1_048_576
/** Limit for all rows and for all shared strings. */
export const FILE_CHARACTERS_MAX = 41_943_040
/** A character may be encoded as `_x000B_`. */
const WRITTEN_MAX = 7 * CELL_CHARACTERS_MAX
const STRINGS_MAX = 1_000_000

/** Tracks open elements to find the text of cells. */
export interface TextPath {
  take(event: XmlEvent): void
  /** Returns whether the innermost element has this name and is not in a phonetic run (`rPh`). */
  isText(name: string): boolean
}

export function newTextPath(): TextPath {
  const inside: string[] = []
  let aids = 0
  return {
    take(event) {
      if (event.kind === 'open') {
        inside.push(event.name)
        if (event.name === 'rPh') aids += 1
      }
      if (event.kind === 'close' && inside.pop() === 'rPh') aids -= 1
    },
    isText: (name) => aids === 0 && inside.at(-1) === name,
  }
}

/** Decodes `_xHHHH_`, which encodes characters that XML does not allow. */
export function decodeText(written: string): string {
  if (written.length > WRITTEN_MAX) throw tooLong()
  const text = written.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code) =>
    String.fromCharCode(parseInt(code, 16)),
  )
  if (text.length > CELL_CHARACTERS_MAX) throw tooLong()
  return text
}

function tooLong(): XmlFault {
  return new XmlFault(`A text is longer than the ${CELL_CHARACTERS_MAX} characters of a cell.`)
}

/** Reads the shared strings; each may consist of runs with different formats. */
export async function readSharedStrings(lists: AsyncIterable<XmlEvent[]>): Promise<string[]> {
  const strings: string[] = []
  const path = newTextPath()
  let written = ''
  let characters = 0
  const take = (event: XmlEvent) => {
    path.take(event)
    if (event.kind === 'text') {
      if (!path.isText('t')) return
      written += event.text
      characters += event.text.length
      if (written.length > WRITTEN_MAX) throw tooLong()
      if (characters > FILE_CHARACTERS_MAX) throw new XmlFault('It has too much text.')
    } else if (event.name !== 'si') return
    else if (event.kind === 'open') written = ''
    else strings.push(decodeText(written))
  }
  for await (const events of lists) {
    for (const event of events) take(event)
    if (strings.length > STRINGS_MAX) throw new XmlFault('It has too many texts.')
  }
  return strings
}
