/**
 * Admission to the portal API. Order of checks: origin of the page, session, rate limit,
 * client project, membership, role (scope, mode and reach), recent confirmation of identity; all
 * precede the body. Browsers send the session cookie automatically, so changes must come from pages of this origin.
 */
import type { FastifyRequest } from 'fastify'
import * as people from '../../areas/people/service.ts'
import type { Caller, Mode, ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { notEnabled } from '../../contract/problems/not-enabled.ts'
import type { Operation } from '../../contract/operation.ts'
import {
  type MemberCaller,
  type PeopleOperation,
  type PersonCaller,
  type PeopleAccess,
  type Role,
} from '../../contract/people.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import {
  createRate,
  createReachProblem,
  personRequests,
  requireAllowed,
  completeAccess,
} from '../admission.ts'
import { refuseClientProject } from '../client-project.ts'
import { noteCaller } from '../http/request-notes.ts'
import { refuseUnknown } from '../http/routes.ts'
import type { HttpEntryPoint } from '../http/routes.ts'
import { portalCookies } from '../portal/cookies.ts'
import { requireRole } from '../portal/role.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { requireSameSite } from '../portal/same-site.ts'
import { portalPhrasing } from './phrasing.ts'

export const PORTAL_API_ROOT = '/portal/api/v1'

export function createSessionEntryPoint(runtime: Runtime): HttpEntryPoint {
  const count = createRate(runtime, personRequests)
  const whoAsks = (request: FastifyRequest) => requireSession(runtime, request)
  return {
    root: PORTAL_API_ROOT,
    phrasing: portalPhrasing,
    async admit(operation, request, reply) {
      // Prevents pages of other sites from embedding responses as pictures or scripts.
      reply.header('Cross-Origin-Resource-Policy', 'same-origin')
      if (operation.method !== 'GET') requireSameSite(runtime, request)
      const who = await whoAsks(request)
      count(who.person.id, (headers) => void reply.headers(headers))
      refuseClientProject(request.headers)
      if (operation.kind === 'people' && !isRole(operation.access)) {
        return admitPerson(operation, { runtime, request, who })
      }
      const caller = await memberCaller(runtime, who, {
        project_id: takeProjectId(request),
        mode: request.headers['homeport-mode'],
        request_id: request.id,
      })
      noteCaller(request, { entry_point: 'portal', caller, operation })
      await requireMember(operation, { caller, who })
      return { ...caller, network: findNetwork(request.ip) }
    },
    async recheck(operation, request, caller) {
      const who = await whoAsks(request)
      const { request_id, project, mode } = caller
      const now = await memberCaller(runtime, who, { project_id: project.id, mode, request_id })
      await requireMember(operation, { caller: now, who })
      return { ...caller, ...now }
    },
  }
}

/** Throws 401 without the cookie of a session. */
export async function requireSession(
  runtime: Runtime,
  request: FastifyRequest,
): Promise<people.SignedIn> {
  requireNoKey(request)
  const cookie = portalCookies(runtime).read(request, 'session')
  return (await people.authenticateSession(runtime, 'portal', cookie)) ?? refuseStranger(runtime)
}

function requireNoKey({ headers }: FastifyRequest): void {
  if (headers.authorization === undefined) return
  throw new Problem(
    'unauthorized',
    'The API of the portal is for people who are signed in; it takes no API key and no access token.',
    {
      user_message: 'This is for people who are signed in.',
      next_step: 'Call the same operation below /api/v1, if there is one. Others are for people.',
    },
  )
}

function refuseStranger({ config }: Runtime): never {
  throw new Problem('unauthorized', 'There is no session, or it has ended.', {
    user_message: 'Please sign in.',
    next_step: `Sign in at ${config.public_url}/portal/sign-in.`,
  })
}

interface Asking {
  runtime: Runtime
  request: FastifyRequest
  who: people.SignedIn
}

function isRole(access: PeopleAccess): access is Role {
  return access !== 'person' && access !== 'operator'
}

function admitPerson(operation: PeopleOperation, { runtime, request, who }: Asking): PersonCaller {
  // The same answer as for a path that does not exist.
  if (operation.access === 'operator' && !who.person.is_operator)
    refuseUnknown(request, { root: PORTAL_API_ROOT, operations: [] })
  requireFresh(runtime, operation, who)
  const { person, session_id } = who
  return {
    runtime,
    db: runtime.db,
    request_id: request.id,
    person: partOf(person),
    session_id,
    address: request.ip,
  }
}

function partOf({ id, email }: people.Person): { id: string; email: string } {
  return { id, email }
}

/** Removes the project id from the path parameters, because it is no parameter of the operation. */
function takeProjectId({ params }: FastifyRequest): string {
  if (typeof params !== 'object' || params === null || !('project_id' in params)) return ''
  const project_id = String(params.project_id)
  delete params.project_id
  return project_id
}

interface Wanted {
  project_id: string
  mode: string | string[] | undefined
  request_id: string
}

async function memberCaller(
  runtime: Runtime,
  { person, session_id }: people.SignedIn,
  { project_id, mode, request_id }: Wanted,
): Promise<MemberCaller> {
  const known = isUuid(project_id)
  const membership = known ? await people.findMembership(runtime.db, person, project_id) : null
  if (!membership) {
    const user_message = 'There is no such project, or you are not in its team.'
    throw new Problem('not_found', user_message, { user_message })
  }
  const caller = people.createMemberCaller(runtime, { session_id }, { membership, request_id })
  return {
    ...caller,
    entry_point: 'portal',
    mode: readMode(mode, caller),
    access: await completeAccess(runtime, caller),
    person: { ...partOf(person), role: membership.role },
    session_id,
    remember: refuseToRemember,
  }
}

/** Returns the requested mode, if the project has it; by default that of the portal pages. */
function readMode(asked: Wanted['mode'], { mode, project }: Caller): Mode {
  if (asked === undefined) return mode
  if (asked !== 'test' && asked !== 'live') {
    throw new Problem('invalid_parameter', 'Homeport-Mode must be test or live.')
  }
  requireModeOf(project, asked)
  return asked
}

function requireModeOf({ shape }: ProjectRow, asked: Mode): void {
  if (shape === 'single' || shape === asked) return
  throw new Problem('key_mode_mismatch', `A ${shape} project has no ${asked} mode.`)
}

/** Checks the role for operations for people, and the scopes for others. */
async function requireMember(
  operation: Operation,
  { caller, who }: { caller: MemberCaller; who: people.SignedIn },
): Promise<void> {
  await requireRights(operation, caller)
  if (operation.kind === 'people') requireFresh(caller.runtime, operation, who)
}

/** Throws a Problem if the member's role, mode or limits exclude the operation. */
export async function requireRights(operation: Operation, caller: MemberCaller): Promise<void> {
  if (operation.kind !== 'people') {
    if (!caller.project.enabled) {
      throw notEnabled(caller.project)
    }
    return requireAllowed(operation, caller, 'person')
  }
  if (isRole(operation.access)) requireRole(caller.person.role, operation.access)
  const { access } = caller
  if (operation.reach === 'project' && access)
    throw await createReachProblem(operation.route, caller, access)
}

export function requireFresh(
  { config }: Runtime,
  { fresh, route }: PeopleOperation,
  who: Pick<people.SignedIn, 'fresh'>,
): void {
  if (!fresh || who.fresh) return
  const confirm_url = `${config.public_url}/portal/confirm`
  throw new Problem('forbidden', `${route} is for who has just proven who they are.`, {
    user_message: 'Please confirm that it is you, then try again.',
    next_step: `Let the person open ${confirm_url}, then send the same request again.`,
    fields: { confirm_url },
  })
}

function refuseToRemember(): Promise<void> {
  throw new Error('Only an operation with a required Idempotency-Key remembers its reply.')
}
