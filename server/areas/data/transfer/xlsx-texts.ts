/**
 * The texts of a workbook. A shared text is stored once and may be used by every cell, so a small
 * file can ask for any amount of text: there are limits for a text, a row and a whole file.
 */
import { limits } from '../../../contract/limits.ts'
import { XmlFault, type XmlEvent } from './xml.ts'

/** Excel's limit for the text of a cell, in characters. A workbook with more is refused as damaged. */
export const CELL_CHARACTERS_MAX = 32_767
/** As for a line of CSV and NDJSON; a document is far smaller. */
export const ROW_CHARACTERS_MAX = 1_048_576
/** Of all rows, and of all shared texts: more than a CSV file can have. */
export const FILE_CHARACTERS_MAX = 2 * limits.import_bytes_max
/** A character may be written as `_x000B_`. */
const WRITTEN_MAX = 7 * CELL_CHARACTERS_MAX
const STRINGS_MAX = 1_000_000

/** Follows the elements to know whether a text belongs to a cell. */
export interface TextPath {
  take(event: XmlEvent): void
  /** Whether the innermost element has this name and is in no reading aid for Japanese (`rPh`). */
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

/** The text that is written as `written`, with `_xHHHH_` for characters that XML cannot hold. */
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

/** Texts that several cells may share; each may be in parts with formats of their own. */
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
