/**
 * Pages of a list: an opaque, signed cursor and a limit. A cursor says where the last page ended
 * and which list it belongs to; one that the service did not issue, or issued for another list
 * or project, does not open.
 */
import { sameText, type Seal } from '../secrets/crypto.ts'

export interface Page<T> {
  data: T[]
  next_cursor: string | null
}

const MAC_CHARACTERS = 16

/** A cursor for the position `last` (an id) in the list `list` (its name and its project). */
export function writeCursor(seal: Seal, list: string, last: string): string {
  const position = Buffer.from(last, 'utf8').toString('base64url')
  return `${position}.${macOf(seal, list, last)}`
}

/** The position a cursor holds, or null when the service did not issue it for this list. */
export function readCursor(seal: Seal, list: string, cursor: string): string | null {
  const dot = cursor.indexOf('.')
  if (dot < 1 || cursor.length > 512) return null
  const last = Buffer.from(cursor.slice(0, dot), 'base64url').toString('utf8')
  return sameText(writeCursor(seal, list, last), cursor) ? last : null
}

function macOf(seal: Seal, list: string, last: string): string {
  return seal.mac(`${list}\n${last}`, 'cursor').toString('base64url').slice(0, MAC_CHARACTERS)
}

/** Cuts the one row too many that shows whether there is a next page. */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  cursorFor: (last: string) => string,
): Page<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? cursorFor(last.id) : null }
}
