/**
 * Pagination: an opaque signed cursor and a limit. A cursor contains the last id of a page and is
 * signed with its list; a forged cursor, or one of another list or project, is rejected.
 */
import { holdsUnderAnyKey, sameText, type MacKey, type Seal } from '../secrets/crypto.ts'

export interface Page<T> {
  data: T[]
  next_cursor: string | null
}

const MAC_CHARACTERS = 16

/** Creates a cursor after the id `last` in `list`, the name of the list and its project. */
export function writeCursor(seal: MacKey, list: string, last: string): string {
  const position = Buffer.from(last, 'utf8').toString('base64url')
  return `${position}.${macOf(seal, list, last)}`
}

/** Returns the id in a cursor; null if the signature does not match this list. */
export function readCursor(seal: Seal, list: string, cursor: string): string | null {
  const dot = cursor.indexOf('.')
  if (dot < 1 || cursor.length > 512) return null
  const last = Buffer.from(cursor.slice(0, dot), 'base64url').toString('utf8')
  return isCursor(seal, { list, last, cursor }) ? last : null
}

/** Whether a cursor was issued for this position of this list. */
export function isCursor(
  seal: Seal,
  { list, last, cursor }: { list: string; last: string; cursor: string },
): boolean {
  return holdsUnderAnyKey(seal, (key) => sameText(writeCursor(key, list, last), cursor))
}

function macOf(seal: MacKey, list: string, last: string): string {
  return seal.mac(`${list}\n${last}`, 'cursor').toString('base64url').slice(0, MAC_CHARACTERS)
}

/** Removes the extra row, which was read to detect a next page. */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
  cursorFor: (last: string) => string,
): Page<Row> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last ? cursorFor(last.id) : null }
}
