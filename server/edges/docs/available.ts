/**
 * The parts of the specification that this version lacks, derived from the operations and the event
 * sources. So the mark "not available yet" disappears when an operation or source is added.
 */
import { errorCatalogue, type ErrorSlug } from '../../contract/error-catalogue.ts'
import type { EventType } from '../../contract/event-types.ts'
import type { LimitEntry } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { scopeNames, type Scope } from '../../contract/scopes.ts'
import type { DocsSite } from './site.ts'
import { listProblems, problemsOfAll, problemsOfKeys } from '../describe/problems-of.ts'

export const NOT_YET = 'Not available yet'

/** Returns the scopes that at least one operation requires, in the order of the specification. */
export function listScopesInUse(operations: readonly Operation[]): Scope[] {
  const used = new Set(operations.map(({ scope }) => scope))
  return scopeNames.filter((scope) => used.has(scope))
}

/** Errors that the server returns before an operation is found. */
const outsideOperations: readonly ErrorSlug[] = ['method_not_allowed']

/**
 * Whether any operation lists the error. An error that is never sent over HTTP counts as possible.
 */
export function isErrorPossible({ operations, people = [] }: DocsSite, slug: ErrorSlug): boolean {
  if (errorCatalogue[slug].http === false || outsideOperations.includes(slug)) return true
  if (problemsOfAll.includes(slug) || problemsOfKeys.includes(slug)) return true
  return [...operations, ...people].some((operation) => listProblems(operation).includes(slug))
}

/** Whether any area emits the event. */
export function isEventSent({ sources }: DocsSite, type: EventType): boolean {
  return sources.some((source) => source.type === type)
}

/** The first path segment of an area, for limits that name the area instead of a route. */
const areaRoots: Readonly<Record<string, string>> = {
  messages: '/messages',
  chat: '/conversations',
  'chat widget': '/conversations',
  email: '/email',
}

/** Whether a route or the area of the limit exists. */
export function isLimitUsed({ operations }: DocsSite, { applies_to }: LimitEntry): boolean {
  const root = areaRoots[applies_to]
  if (root !== undefined) return operations.some(({ path }) => path.startsWith(root))
  const routes: readonly string[] =
    applies_to.match(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}-]+/g) ?? []
  // The MCP endpoint is not an operation.
  if (routes.length === 0 || routes.includes('POST /mcp')) return true
  return operations.some(({ route }) => routes.some((one) => one === route))
}
