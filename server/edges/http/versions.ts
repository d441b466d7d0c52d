/**
 * Conditional requests (RFC 9110, section 13) on resources with a version, which is their entity tag.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Method } from '../../contract/operation.ts'
import { Problem } from '../../contract/errors.ts'

const versionPattern = /^(?:(?:W\/)?"(\d{1,9})"|(\d{1,9}))$/
const VERSIONS_MAX = 20
/** No resource has this version, except one that was never set. */
const NONE = 0

/** Returns the versions of a header; null if it is absent or `*`. */
function versionsIn(name: string, header: string | undefined): number[] | null {
  if (header === undefined || header.trim() === '*') return null
  const found = header.split(',').map((tag) => versionPattern.exec(tag.trim()))
  const versions = found.flatMap((one) => (one ? [Number(one[1] ?? one[2])] : []))
  if (versions.length === found.length && versions.length <= VERSIONS_MAX) return versions
  throw new Problem(
    'invalid_parameter',
    `${name} must be the version from the ETag, for example "3".`,
  )
}

/** The version that a request expects; null expects none. A read may have any If-None-Match. */
export function readExpectedVersion(headers: IncomingHttpHeaders, method: Method): number | null {
  const versions = versionsIn('If-Match', headers['if-match'])
  if (versions !== null) return versions[0] ?? null
  if (method === 'GET' || headers['if-none-match'] === undefined) return null
  if (headers['if-none-match'].trim() === '*') return NONE
  throw new Problem('invalid_parameter', 'If-None-Match of a write must be *.')
}

/**
 * Runs a write. If the resource has another version of the list in If-Match, runs it again for that
 * one.
 */
export async function runMatching<Result>(
  headers: IncomingHttpHeaders,
  run: (other_version: number | null) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(null)
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'version_conflict') throw error
    const { current_version } = error.extra
    const others = versionsIn('If-Match', headers['if-match']) ?? []
    if (current_version !== undefined && others.slice(1).includes(current_version))
      return await run(current_version)
    if (headers['if-match'] !== undefined || headers['if-none-match'] === undefined) throw error
    const detail = 'If-None-Match is *, but this exists already.'
    throw new Problem('version_conflict', detail, error.extra)
  }
}

/** Whether If-None-Match of a read has this entity tag, so that the client has the reply already. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  const known = headers['if-none-match'] ?? ''
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || known.trim() === '*'
}
