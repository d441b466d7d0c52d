/**
 * The routes of the portal. Authentication and role are checked before a handler runs, and a form
 * is read only if it comes from this origin.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as people from '../../areas/people/service.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { findNetwork } from '../public/visitors/visitor-address.ts'
import { portalCookies, type Cookies } from './cookies.ts'
import { setPageHeaders, sendPage, type PortalPage } from './layout.ts'
import { createRates, type Rates } from './rates.ts'
import { recordForm } from './record-form.ts'
import { requireRole } from './role.ts'
import { requireSameSite } from './same-site.ts'

/** A request to the portal, signed in or not. */
export interface PortalVisit {
  runtime: Runtime
  request: FastifyRequest
  reply: FastifyReply
  cookies: Cookies
  device: people.Device
  rates: Rates
  /** The scopes that at least one operation requires. The pages offer no others. */
  scopes_in_use: readonly Scope[]
  query: URLSearchParams
  form: URLSearchParams
}

export interface PersonVisit extends PortalVisit {
  who: people.SignedIn
}

export interface ProjectVisit extends PersonVisit {
  membership: people.Membership
  caller: Caller
}

/** A page, or a redirect. */
export type PortalReply = (PortalPage & { status?: number }) | { to: string }
export type Handler<V> = (visit: V) => Promise<PortalReply>
type Method = 'GET' | 'POST'

export interface Portal {
  /** Registers a page that needs no session. */
  open(route: `${Method} /${string}`, handler: Handler<PortalVisit>): void
  /**
   * Registers a page for signed-in people. Others are redirected to sign in and return afterwards.
   */
  person(route: `${Method} /${string}`, handler: Handler<PersonVisit>): void
  /** Registers a page for members of the project `:id` with at least the given role. */
  project(route: `${Method} /${string}`, least: people.Role, handler: Handler<ProjectVisit>): void
}

export function createPortal(
  app: FastifyInstance,
  runtime: Runtime,
  scopes_in_use: readonly Scope[],
): Portal {
  const shared = {
    runtime,
    cookies: portalCookies(runtime),
    rates: createRates(runtime),
    scopes_in_use,
  }
  const open: Portal['open'] = (route, handler) => {
    const [method = 'GET', url = '/'] = route.split(' ')
    app.route({
      method,
      url,
      // Without HEAD, because some GETs have an effect, such as using up a sign-in link.
      exposeHeadRoute: false,
      bodyLimit: limits.portal_form_bytes_max,
      handler: async (request, reply) => {
        if (method === 'POST') requireSameSite(runtime, request)
        return sendReply(reply, await handler(visitOf(shared, request, reply)))
      },
    })
  }
  const person: Portal['person'] = (route, handler) => {
    open(route, async (visit) => {
      const who = await findSession(visit)
      if (who) return handler({ ...visit, who })
      const here = (visit.request.url.split('?')[0] ?? '').slice(0, 200)
      const next = visit.request.method === 'GET' && here !== '/portal' ? `?next=${here}` : ''
      return { to: `/portal/sign-in${next}` }
    })
  }
  return {
    open,
    person,
    project(route, least, handler) {
      person(route, async (visit) => {
        const inside = await inProject(visit, least)
        return recordForm(route, inside, () => handler(inside))
      })
    },
  }
}

export function findSession({
  runtime,
  cookies,
  request,
}: PortalVisit): Promise<people.SignedIn | null> {
  return people.authenticateSession(runtime, 'portal', cookies.read(request, 'session'))
}

async function inProject(visit: PersonVisit, least: people.Role): Promise<ProjectVisit> {
  const { runtime, request, who } = visit
  const id = readParameters(request)['id'] ?? ''
  const membership = isUuid(id) ? await people.findMembership(runtime.db, who.person, id) : null
  if (!membership) {
    throw new Problem('not_found', 'There is no such project, or you are not in its team.', {
      user_message: 'There is no such project, or you are not in its team.',
    })
  }
  requireRole(membership.role, least)
  const caller = people.createMemberCaller(runtime, who, { membership, request_id: request.id })
  return { ...visit, membership, caller }
}

/** Refuses members who are limited to some sites: the page concerns the whole project. */
export function requireWholeProject({ membership }: ProjectVisit): void {
  if (membership.access === null) return
  const user_message =
    'You have access to some sites of this project only, and this page needs access to all of it.'
  throw new Problem('forbidden', user_message, { user_message })
}

export function readParameters({ params }: FastifyRequest): Record<string, string> {
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    : {}
}

/** Reads an id from the path; throws not_found if it is not a UUID. */
export function readId(request: FastifyRequest, name: string): string {
  const id = readParameters(request)[name] ?? ''
  if (!isUuid(id)) throw new Problem('not_found', 'Nothing has this id.')
  return id
}

function visitOf(
  shared: Pick<PortalVisit, 'runtime' | 'cookies' | 'rates' | 'scopes_in_use'>,
  request: FastifyRequest,
  reply: FastifyReply,
): PortalVisit {
  const name = request.headers['user-agent'] ?? ''
  const { body } = request
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  requireText(query)
  requireText(form)
  return {
    ...shared,
    request,
    reply,
    device: { name, network: findNetwork(request.ip) },
    query,
    form,
  }
}

/** PostgreSQL cannot store NUL, and browsers do not send it. */
function requireText(fields: URLSearchParams): void {
  if (![...fields.values()].some((value) => value.includes('\0'))) return
  throw new Problem('bad_request', 'A field contains the NUL character.')
}

function sendReply(reply: FastifyReply, outcome: PortalReply): FastifyReply {
  if ('to' in outcome) return setPageHeaders(reply).code(303).header('Location', outcome.to).send()
  return sendPage(reply, outcome, outcome.status)
}

const ownPath = /^\/portal(?:\/[\w-]+)*$/

/** Returns the path to return to after the sign-in: a page of this portal, or the start page. */
export function readNextPath(text: string | null): string {
  return text !== null && ownPath.test(text) ? text : '/portal'
}
