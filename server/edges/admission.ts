/**
 * Authentication and authorization in the specified order (Authentication 7): key, project, rate
 * limit, client project, scope, mode, reach; all before the body is read. All entry points share one admission, so
 * a key has one rate limit across REST and MCP.
 */
import type { IncomingHttpHeaders } from 'node:http'
import * as connections from '../areas/connections/service.ts'
import * as keys from '../areas/keys/service.ts'
import * as apps from '../areas/apps/service.ts'
import * as sites from '../areas/sites/service.ts'
import type { Access, Caller } from '../contract/caller.ts'
import { Problem } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Operation } from '../contract/operation.ts'
import type { Runtime } from '../kernel/runtime.ts'
import { rememberPerson } from '../kernel/limits/slots.ts'
import { createSlidingWindow, type RateDecision } from '../kernel/limits/sliding-window.ts'
import { refuseClientProject } from './client-project.ts'
import { API_PATH } from './oauth-addresses.ts'
import { writeChallenge, listScopesToRequest, addChallenge } from './oauth-challenge.ts'

/** The kinds of callers. */
type Sort = 'key' | 'person'

export interface Admission {
  /** Authenticates the caller and counts the request. `tell` receives the rate-limit headers. */
  recognise(request: AdmissionRequest): Promise<Caller>
  /** Authenticates the caller without counting a request or refusing a client project. */
  identify(request: Omit<AdmissionRequest, 'tell'>): Promise<Caller>
  /** Counts a request of an authenticated caller. */
  count(caller: Caller, tell: AdmissionRequest['tell']): void
  /** Throws a Problem if the caller may not use the operation. */
  allow(operation: Operation, caller: Caller): Promise<void>
  /**
   * Repeats authentication and authorization during a running stream. Returns the caller with its
   * current permissions, or throws a Problem. Does not count against the rate limit.
   */
  recheck(
    operation: Operation,
    request: { authorization: string | undefined; caller: Caller },
  ): Promise<Caller>
}

export interface AdmissionRequest {
  headers: IncomingHttpHeaders
  request_id: string
  tell(headers: Record<string, string>): void
  /** Receives the authenticated caller before any other check. */
  onHolder?(holder: Holder): void
}

export function createAdmission(runtime: Runtime): Admission {
  const pass = createRate(runtime, keyRequests)
  const callerOf = async (holder: Holder, request_id: string): Promise<Caller> => {
    const nothing = { idempotency_key: null, remember: refuseToRemember }
    const access = await completeAccess(runtime, holder)
    return { ...holder, access, runtime, db: runtime.db, request_id, ...nothing }
  }
  const allow: Admission['allow'] = async (operation, caller) => {
    requireScope(runtime, operation, caller)
    await requireAllowed(operation, caller, 'key')
  }
  return {
    async recognise({ headers, request_id, tell, onHolder }) {
      const holder = await holderOf(runtime, headers.authorization)
      onHolder?.(holder)
      pass(holder.key_id, tell)
      refuseClientProject(headers)
      return callerOf(holder, request_id)
    },
    async identify({ headers, request_id }) {
      return callerOf(await holderOf(runtime, headers.authorization), request_id)
    },
    count: ({ key_id }, tell) => pass(key_id, tell),
    allow,
    async recheck(operation, { authorization, caller }) {
      const holder = await holderOf(runtime, authorization)
      const now = { ...caller, ...holder, access: await completeAccess(runtime, holder) }
      await allow(operation, now)
      return now
    },
  }
}

type Holder = connections.ConnectionHolder | keys.KeyHolder

/** Authenticates an API key, or the access token of a connection. Returns its holder. */
async function holderOf(runtime: Runtime, authorization: string | undefined): Promise<Holder> {
  const token = connections.readAccessToken(authorization)
  try {
    return token === null
      ? await keys.authenticateKey(runtime, authorization)
      : await connections.authenticate(runtime, token)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    if (token !== null) runtime.log.info({ reason: error.detail }, 'an access token was refused')
    // A request without credentials gets no error code (RFC 6750, 3.1).
    const fault = authorization === undefined ? {} : { error: 'invalid_token' as const }
    throw addChallenge(
      error,
      writeChallenge(runtime, { entry_point: API_PATH, ...fault, scopes: [] }),
    )
  }
}

/** For connections, the challenge names the missing scopes, so that the client can request them. */
function requireScope(runtime: Runtime, { scope, route }: Operation, caller: Caller): void {
  if (!caller.is_connection || !scope || caller.scopes.has(scope)) return
  const scopes = listScopesToRequest(caller.scopes, [scope])
  throw addChallenge(
    new Problem('missing_scope', `This connection needs the scope ${scope} for ${route}.`),
    writeChallenge(runtime, { entry_point: API_PATH, error: 'insufficient_scope', scopes }),
  )
}

const beyondRole = { user_message: 'Your role in this project does not reach that far.' }

/** Throws a Problem if the caller lacks the scope, the mode or the reach of the operation. */
export async function requireAllowed(
  { scope, mode, reach, route }: Operation,
  caller: Caller,
  sort: Sort,
): Promise<void> {
  const is_person = sort === 'person'
  if (scope && !caller.scopes.has(scope)) {
    const who = is_person ? 'Your role in the project' : 'This key'
    throw new Problem(
      'missing_scope',
      `${who} needs the scope ${scope} for ${route}.`,
      is_person ? beyondRole : {},
    )
  }
  if (mode === 'test' && caller.mode !== 'test') {
    throw new Problem('test_key_required', `${route} exists only in test mode.`)
  }
  const { access } = caller
  if (reach === 'project' && access) throw await createReachProblem(route, caller, access)
}

/** Returns the caller's limits with the collections of the allowed sites; null means unlimited. */
export async function completeAccess(
  runtime: Runtime,
  holder: Pick<Caller, 'access' | 'project'>,
): Promise<Access | null> {
  const { access, project } = holder
  if (project.owner_email !== null) rememberPerson(project.id, project.owner_email.toLowerCase())
  if (!access) return null
  const with_forms = await sites.addFormCollections(runtime.db, project.id, access)
  return apps.addAppsAlong(runtime.db, project.id, with_forms)
}

/** A rate limit. */
export interface RatePolicy {
  /** Name in the RateLimit headers. */
  name: string
  limit: number
  window_s: number
  /** A clause that continues the sentence "This …" in the error. */
  done: string
}

const { requests_max, person_requests_max, request_window_s } = limits
const keyRequests: RatePolicy = {
  name: 'key',
  limit: requests_max,
  window_s: request_window_s,
  done: `key made ${requests_max} requests`,
}
export const personRequests: RatePolicy = {
  name: 'person',
  limit: person_requests_max,
  window_s: request_window_s,
  done: `person made ${person_requests_max} requests`,
}

/**
 * Returns a function that counts a request, reports the remaining quota in headers, and throws a
 * Problem over the limit.
 */
export function createRate(
  runtime: Runtime,
  policy: RatePolicy,
): (id: string, tell: AdmissionRequest['tell']) => void {
  const { limit, window_s, done } = policy
  const rate = createSlidingWindow(runtime.clock, { limit, window_ms: window_s * 1000 })
  return (id, tell) => {
    const passage = rate.pass(id)
    tell(rateHeaders(policy, passage))
    if (passage.allowed) return
    const { retry_after_s } = passage
    const detail = `This ${done} in the last ${window_s} seconds.`
    throw new Problem('rate_limited', detail, { retry_after_s })
  }
}

function rateHeaders(
  { name, limit, window_s }: RatePolicy,
  { remaining, retry_after_s }: RateDecision,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${limit};w=${window_s}`,
    RateLimit: `"${name}";r=${remaining};t=${retry_after_s}`,
  }
}

/** Returns the Problem for an operation on the whole project that a limited caller requested. */
export function createReachProblem(
  route: string,
  caller: Caller,
  access: Access,
): Promise<Problem> {
  const detailFor = (it: string) => `${route} is for the whole project. ${it} is limited.`
  return sites.createLimitProblem(caller, access, detailFor)
}

function refuseToRemember(): Promise<void> {
  throw new Error('Only an operation with a required Idempotency-Key remembers its reply.')
}
