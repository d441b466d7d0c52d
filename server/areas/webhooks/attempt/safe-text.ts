/**
 * Turns the beginning of a response into text that is safe to store and show: control,
 * bidirectional and invisible characters become visible symbols.
 */
import { limits } from '../../../contract/limits.ts'

const BYTES_MAX = limits.webhook_answer_bytes_max
const PICTURES_START = 0x24_00
const DELETE = 0x7f
const PICTURE_OF_DELETE = '\u2421'
const UNKNOWN = '\uFFFD'

// Control characters except tab and line feed, and characters of the categories format, private
// use, unassigned and surrogate.
const unsafe = /[^\P{C}\t\n]|[\u2028\u2029]/gu

/** Decodes the first bytes of the response as UTF-8; omits a character that is cut off. */
export function toSafeText(answer: Uint8Array): string {
  const kept = answer.subarray(0, BYTES_MAX)
  const cut = answer.length >= BYTES_MAX
  const text = new TextDecoder().decode(kept, { stream: cut })
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, picture)
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(PICTURES_START + code)
  return code === DELETE ? PICTURE_OF_DELETE : UNKNOWN
}
