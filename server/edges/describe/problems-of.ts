/**
 * The errors that an operation can return: its own, and those that follow from keys, a body, an id
 * in the path, an Idempotency-Key or a version. Used by the OpenAPI document, the pages and the
 * tests.
 */
import { errorCatalogue, type ErrorSlug } from '../../contract/error-catalogue.ts'
import { statusesOf } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { hasProjectInPath } from '../../contract/people.ts'

/** Errors of every operation. Each operation refuses unknown query parameters. */
export const problemsOfAll: readonly ErrorSlug[] = [
  'invalid_parameter',
  'internal_error',
  'service_unavailable',
]

/** Errors of every operation that needs a key. */
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

/** Errors of every operation for portal sessions. */
export const problemsOfSessions: readonly ErrorSlug[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
]

/** Errors of operations within a project. */
const problemsOfMembers: readonly ErrorSlug[] = ['not_found', 'key_mode_mismatch']

/** Errors of operations that keys may call too. */
const problemsOfScopes: readonly ErrorSlug[] = ['project_not_enabled', 'missing_scope']

/** Errors of every operation for visitors' pages. */
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
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_request_in_progress',
]

/** Every error slug, in the order of the catalogue. */
export const errorSlugs: readonly ErrorSlug[] = Object.keys(errorCatalogue).filter(isErrorSlug)

function isErrorSlug(word: string): word is ErrorSlug {
  return Object.hasOwn(errorCatalogue, word)
}

/** Returns all errors of an operation, in the order of the catalogue. */
export function listProblems(operation: Operation): ErrorSlug[] {
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
  // The server reads a body even if the operation takes none, and the body may be too large.
  also(method !== 'GET', ['bad_request'])
  also(params !== undefined, ['not_found'])
  also(headers?.idempotency_key === 'required', ['idempotency_key_missing'])
  also(headers?.idempotency_key !== undefined, problemsOfIdempotency)
  also(checksVersion(operation), ['version_conflict'])
  return errorSlugs.filter((slug) => given.has(slug) && errorCatalogue[slug].http !== false)
}

/** Whether the operation checks If-Match before a change. */
export function checksVersion({ headers, route }: Operation): boolean {
  // A GET changes nothing, and a POST creates a resource that has no earlier version.
  return headers?.etag !== undefined && !/^(GET|POST) /.test(route)
}

/** Returns the statuses with which an operation returns an error. */
export function listStatuses(operation: Operation, slug: ErrorSlug): readonly number[] {
  // A mismatch with If-Match is always 412.
  if (slug === 'version_conflict' && checksVersion(operation)) return [412]
  // Status 409 is returned only for changes of the token, which visitors' pages cannot make.
  if (slug === 'chat_token_revoked' && operation.kind === 'guest') return [401]
  return statusesOf(slug)
}

/** Returns the errors of an operation by status, in ascending order. */
export function groupProblemsByStatus(operation: Operation): Map<number, ErrorSlug[]> {
  const groups = new Map<number, ErrorSlug[]>()
  for (const slug of listProblems(operation)) {
    for (const status of listStatuses(operation, slug)) {
      groups.set(status, [...(groups.get(status) ?? []), slug])
    }
  }
  return new Map([...groups].sort(([left], [right]) => left - right))
}
