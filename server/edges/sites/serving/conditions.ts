/**
 * Conditional and range requests over strong entity tags (RFC 9110, sections 13 and 14): If-Match,
 * If-None-Match, Range and If-Range. Malformed headers are ignored, as the RFC requires.
 */
import type { IncomingHttpHeaders } from 'node:http'

/** Whether a list of entity tags contains this one; weak tags match only if `weak` is true. */
function hasTag(list: string, etag: string, weak: boolean): boolean {
  if (list.trim() === '*') return true
  return list.split(',').some((item) => {
    const tag = item.trim()
    return (weak && tag.startsWith('W/') ? tag.slice(2) : tag) === etag
  })
}

/** Returns 304 or 412 if a condition determines the response, otherwise null. */
export function checkPreconditions(headers: IncomingHttpHeaders, etag: string): 304 | 412 | null {
  const { 'if-match': match, 'if-none-match': none_match } = headers
  if (match !== undefined && !hasTag(match, etag, false)) return 412
  if (none_match !== undefined && hasTag(none_match, etag, true)) return 304
  return null
}

export interface RequestedRange {
  /** The offsets of the first and the last byte, both inclusive. */
  start: number
  end: number
}

const rangePattern = /^bytes=[\t ]*(?:(\d+)-(\d*)|-(\d+))[\t ]*$/i

/**
 * Returns the requested range; null for the whole file; 'beyond' if the range is unsatisfiable. A
 * request for several ranges gets the whole file, which the RFC allows.
 */
export function readRange(headers: IncomingHttpHeaders, etag: string, bytes: number) {
  const { range, 'if-range': if_range } = headers
  if (range === undefined || (if_range !== undefined && if_range !== etag)) return null
  const [, first, last, suffix] = rangePattern.exec(range) ?? []
  if (suffix !== undefined) return spanFrom(Math.max(bytes - Number(suffix), 0), bytes - 1, bytes)
  if (first === undefined) return null
  const start = Number(first)
  const end = last ? Number(last) : bytes - 1
  return last && end < start ? null : spanFrom(start, Math.min(end, bytes - 1), bytes)
}

function spanFrom(start: number, end: number, bytes: number): RequestedRange | 'beyond' {
  return start < bytes && start <= end ? { start, end } : 'beyond'
}
