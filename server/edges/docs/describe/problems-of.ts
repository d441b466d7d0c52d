/**
 * The errors that an operation can return: its own, and those that follow from keys, a body, an id
 * in the path, an Idempotency-Key or a version. Used by the OpenAPI document, the pages and the
 * tests.
 */
import { errorCatalogue, statusesOf, type ErrorSlug } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { hasProjectInPath } from '../../../contract/people.ts'

/** Of every operation. Each refuses unknown query parameters. */
export const problemsOfAll: readonly ErrorSlug[] = [
  'invalid_parameter',
  'internal_error',
  'service_unavailable',
]

/** Of every operation that needs a key. */
export const problemsOfKeys: readonly ErrorSlug[] = [
  'unauthorized',
  'missing_api_key',
  'invalid_api_key',
  'api_key_revoked',
  'project_deleted',
  'forbidden',
  'project_not_enabled',
  'missing_scope',
  'key_mode_mismatch',
  'rate_limited',
]

/** Of every operation for portal sessions. */
export const problemsOfSessions: readonly ErrorSlug[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
]

/** Of operations within a project. */
const problemsOfMembers: readonly ErrorSlug[] = ['not_found', 'key_mode_mismatch']

/** Of operations that keys may call too. */
const problemsOfScopes: readonly ErrorSlug[] = ['project_not_enabled', 'missing_scope']

/** Of every operation for visitors' pages. */
export const problemsOfGuests: readonly ErrorSlug[] = [
  'bad_request',
  'invalid_chat_token',
  'chat_token_revoked',
  'forbidden',
  'project_not_enabled',
  'origin_not_allowed',
  'rate_limited',
]

const problemsOfBodies: readonly ErrorSlug[] = ['bad_request', 'invalid_json', 'validation_failed']

const problemsOfIdempotency: readonly ErrorSlug[] = [
  'idempotency_key_missing',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_request_in_progress',
]

/** All slugs, in the order of the catalogue. */
export const slugs: readonly ErrorSlug[] = Object.keys(errorCatalogue).filter(isErrorSlug)

function isErrorSlug(word: string): word is ErrorSlug {
  return Object.hasOwn(errorCatalogue, word)
}

/** All errors of an operation, in the order of the catalogue. */
export function problemsOf(operation: Operation): ErrorSlug[] {
  const { scope, mode, method, params, body, headers, errors } = operation
  const given = new Set<ErrorSlug>([...problemsOfAll, ...errors])
  const also = (condition: boolean, family: readonly ErrorSlug[]) => {
    if (condition) for (const slug of family) given.add(slug)
  }
  const for_sessions = operation.for_sessions === true
  also(scope !== null && !for_sessions, problemsOfKeys)
  also(for_sessions, problemsOfSessions)
  also(for_sessions && hasProjectInPath(operation), problemsOfMembers)
  also(for_sessions && operation.kind !== 'people', problemsOfScopes)
  also(operation.kind === 'guest', problemsOfGuests)
  also(mode === 'test', ['test_key_required'])
  also(body !== undefined, problemsOfBodies)
  // The server reads even an unexpected body, which may be too large.
  also(method !== 'GET', ['bad_request'])
  also(params !== undefined, ['not_found'])
  also(headers?.idempotency_key !== undefined, problemsOfIdempotency)
  also(takesVersion(operation), ['version_conflict'])
  return slugs.filter((slug) => given.has(slug) && errorCatalogue[slug].http !== false)
}

/** Whether the operation checks If-Match before a change. */
export function takesVersion({ headers, route }: Operation): boolean {
  // A GET changes nothing, and a POST creates something without an earlier version.
  return headers?.etag !== undefined && !/^(GET|POST) /.test(route)
}

/** The statuses with which an operation returns an error. */
export function statusesGiven(operation: Operation, slug: ErrorSlug): readonly number[] {
  // A mismatch with If-Match is always 412.
  if (slug === 'version_conflict' && takesVersion(operation)) return [412]
  // 409 is returned only for changes of the token, which visitors' pages cannot make.
  if (slug === 'chat_token_revoked' && operation.kind === 'guest') return [401]
  return statusesOf(slug)
}

/** The errors of an operation by status, in ascending order. */
export function problemsByStatus(operation: Operation): Map<number, ErrorSlug[]> {
  const groups = new Map<number, ErrorSlug[]>()
  for (const slug of problemsOf(operation)) {
    for (const status of statusesGiven(operation, slug)) {
      groups.set(status, [...(groups.get(status) ?? []), slug])
    }
  }
  return new Map([...groups].sort(([left], [right]) => left - right))
}
