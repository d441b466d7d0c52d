/**
 * Cursors of lists of documents: the place where the page ended and the time that the first page
 * was asked at, so that `@now` means the same on all of them. A cursor belongs to one collection
 * and to the filter, the sort and the search that it was made with.
 */
import { sameText, sha256, type Seal } from '../../../kernel/secrets/crypto.ts'
import { writeCursor } from '../../../kernel/database/page.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Scalar } from './filter.ts'
import type { Position, Sort } from './sort.ts'

export interface CursorPosition {
  after: Position
  now_ms: number
}

// Four texts of 200 bytes, each of which may be written as six characters, in base64.
const CURSOR_CHARACTERS_MAX = 8_000

/** The name of a list: its words are kept as a digest, for a filter may be long. */
export function listName(parts: readonly (string | null | undefined)[]): string {
  return `documents ${sha256(JSON.stringify(parts.map((part) => part ?? null))).toString('base64url')}`
}

export function writeListCursor(
  seal: Seal,
  list: string,
  { after, now_ms }: CursorPosition,
): string {
  return writeCursor(seal, list, JSON.stringify([now_ms, after.id, ...after.values]))
}

/** The place that a cursor tells; 400 when it was not issued for this list. */
export function readListCursor(seal: Seal, list: string, cursor: string): CursorPosition {
  const text = Buffer.from(cursor.split('.', 1)[0] ?? '', 'base64url').toString('utf8')
  if (cursor.length > CURSOR_CHARACTERS_MAX || !sameText(writeCursor(seal, list, text), cursor)) {
    throw new Problem('invalid_parameter', 'This cursor was not issued for this list.')
  }
  const [now_ms, id, ...values]: [number, string, ...Scalar[]] = JSON.parse(text)
  return { now_ms, after: { id, values } }
}

/** Whether a place has a value for each field to sort by. */
export function fits({ values }: Position, sort: Sort): boolean {
  return values.length === sort.length
}
