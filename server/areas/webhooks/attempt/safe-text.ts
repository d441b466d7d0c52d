/**
 * The beginning of a stranger's answer as text that can be stored and shown anywhere: whatever
 * would move a cursor, ring a bell, hide letters or turn them round becomes a visible sign.
 */
import { limits } from '../../../contract/limits.ts'

const BYTES_MAX = limits.webhook_answer_bytes_max
const PICTURES_START = 0x24_00
const DELETE = 0x7f
const PICTURE_OF_DELETE = '\u2421'
const UNKNOWN = '\uFFFD'

// Control characters but for the tab and the new line, and those that Unicode calls formats
// (of direction, of no width), private, unassigned or half of a pair.
const unsafe = /[^\P{C}\t\n]|[\u2028\u2029]/gu

/** Decodes as UTF-8 what of the answer is kept; a character that is cut in two is left out. */
export function safeText(answer: Uint8Array): string {
  const kept = answer.subarray(0, BYTES_MAX)
  const cut = answer.length > BYTES_MAX
  const text = new TextDecoder().decode(kept, { stream: cut })
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, picture)
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(PICTURES_START + code)
  return code === DELETE ? PICTURE_OF_DELETE : UNKNOWN
}
