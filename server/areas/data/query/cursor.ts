/**
 * Cursors of document lists (keyset pagination): the last position, and the time of the first
 * request so that `@now` is constant. A cursor is valid for one collection, filter, sort and
 * search.
 */
import { sha256, type Seal } from '../../../kernel/secrets/crypto.ts'
import { isCursor, writeCursor } from '../../../kernel/database/page.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Scalar } from './filter/filter.ts'
import type { SortPosition, Sort } from './sort.ts'

export interface CursorPosition {
  after: SortPosition
  now_ms: number
}

// Four texts of 200 bytes, each byte escaped as six characters, in base64.
const CURSOR_CHARACTERS_MAX = 8_000

/** Returns the identity of a list. A digest, because filters may be long. */
export function listIdentity(parts: readonly (string | null | undefined)[]): string {
  return `documents ${sha256(JSON.stringify(parts.map((part) => part ?? null))).toString('base64url')}`
}

export function writeListCursor(
  seal: Seal,
  list: string,
  { after, now_ms }: CursorPosition,
): string {
  return writeCursor(seal, list, JSON.stringify([now_ms, after.id, ...after.values]))
}

/** Returns the position in a cursor. Throws 400 if the cursor was not issued for this list. */
export function readListCursor(seal: Seal, list: string, cursor: string): CursorPosition {
  const text = Buffer.from(cursor.split('.', 1)[0] ?? '', 'base64url').toString('utf8')
  if (cursor.length > CURSOR_CHARACTERS_MAX || !isCursor(seal, { list, last: text, cursor })) {
    throw new Problem('invalid_parameter', 'This cursor was not issued for this list.')
  }
  const [now_ms, id, ...values]: [number, string, ...Scalar[]] = JSON.parse(text)
  return { now_ms, after: { id, values } }
}

/** Returns whether a position has one value per sort field. */
export function fitsSort({ values }: SortPosition, sort: Sort): boolean {
  return values.length === sort.length
}
