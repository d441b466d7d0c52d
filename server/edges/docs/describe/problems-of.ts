/**
 * Which problems an operation can give: its own, and the families that come with having a key, a
 * body, an id in the path, an Idempotency-Key or a version. Said once, for the OpenAPI document,
 * the pages and the tests that every operation owes.
 */
import { errorCatalogue, statusesOf, type ErrorSlug } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { namesProject } from '../../../contract/people.ts'

/** Of every operation. Each refuses query parameters that it does not know. */
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

/** Of every operation that a session calls. */
export const problemsOfSessions: readonly ErrorSlug[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
]

/** Of one in a project. */
const problemsOfMembers: readonly ErrorSlug[] = ['not_found', 'key_mode_mismatch']

/** Of one that keys can call as well. */
const problemsOfScopes: readonly ErrorSlug[] = ['project_not_enabled', 'missing_scope']

/** Of every operation for visitors' pages. */
export const problemsOfGuests: readonly ErrorSlug[] = [
  'bad_request',
  'invalid_chat_token',
  'chat_token_revoked',
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

/** Every slug, in the order of the catalogue. */
export const slugs: readonly ErrorSlug[] = Object.keys(errorCatalogue).filter(isErrorSlug)

function isErrorSlug(word: string): word is ErrorSlug {
  return Object.hasOwn(errorCatalogue, word)
}

/** Every problem an operation can give, in the order of the catalogue. */
export function problemsOf(operation: Operation): ErrorSlug[] {
  const { scope, mode, method, params, body, headers, errors } = operation
  const given = new Set<ErrorSlug>([...problemsOfAll, ...errors])
  const also = (condition: boolean, family: readonly ErrorSlug[]) => {
    if (condition) for (const slug of family) given.add(slug)
  }
  const for_sessions = operation.for_sessions === true
  also(scope !== null && !for_sessions, problemsOfKeys)
  also(for_sessions, problemsOfSessions)
  also(for_sessions && namesProject(operation), problemsOfMembers)
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

/** Whether an operation compares the version in If-Match before it changes anything. */
export function takesVersion({ headers, route }: Operation): boolean {
  // What is read is not changed, and what is made had no version before.
  return headers?.etag !== undefined && !/^(GET|POST) /.test(route)
}

/** The statuses under which an operation gives a problem. */
export function statusesGiven(operation: Operation, slug: ErrorSlug): readonly number[] {
  // The outdated version came in If-Match, which is what 412 says.
  if (slug === 'version_conflict' && takesVersion(operation)) return [412]
  // 409 is for a change of the token itself, which no page can make.
  if (slug === 'chat_token_revoked' && operation.kind === 'guest') return [401]
  return statusesOf(slug)
}

/** The problems of an operation by status, the lowest first. */
export function problemsByStatus(operation: Operation): Map<number, ErrorSlug[]> {
  const groups = new Map<number, ErrorSlug[]>()
  for (const slug of problemsOf(operation)) {
    for (const status of statusesGiven(operation, slug)) {
      groups.set(status, [...(groups.get(status) ?? []), slug])
    }
  }
  return new Map([...groups].sort(([left], [right]) => left - right))
}
