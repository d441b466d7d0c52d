/**
 * The routes of the portal: who visits is settled before a page is made, and a form is read only
 * when it comes from a page of ours. A page answers with a page, a form mostly with where to go.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as people from '../../areas/people/service.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { networkOf } from '../public/visitor-address.ts'
import { portalCookies, type Cookies } from './cookies.ts'
import { protect, sendPage, type PortalPage } from './layout.ts'
import { createRates, type Rates } from './rates.ts'
import { requireRole } from './role.ts'
import { requireSameSite } from './same-site.ts'

/** A request to the portal, signed in or not. */
export interface Visit {
  runtime: Runtime
  request: FastifyRequest
  reply: FastifyReply
  cookies: Cookies
  device: people.Device
  rates: Rates
  /** Those that an operation needs; people are offered no others. */
  scopes_in_use: readonly Scope[]
  query: URLSearchParams
  form: URLSearchParams
}

export interface PersonVisit extends Visit {
  who: people.SignedIn
}

export interface ProjectVisit extends PersonVisit {
  membership: people.Membership
  caller: Caller
}

/** A page, or the address to go to. */
export type Outcome = (PortalPage & { status?: number }) | { to: string }
export type Handler<V> = (visit: V) => Promise<Outcome>
type Method = 'GET' | 'POST'

export interface Portal {
  /** For anybody. */
  open(route: `${Method} /${string}`, handler: Handler<Visit>): void
  /** For who is signed in; others are asked to, and come back. */
  person(route: `${Method} /${string}`, handler: Handler<PersonVisit>): void
  /** For the team of the project `:id`, from a role on, and for whom no limit stands. */
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
      // What a GET does here may be done once only, and a HEAD would do it unseen.
      exposeHeadRoute: false,
      bodyLimit: limits.portal_form_bytes_max,
      handler: async (request, reply) => {
        if (method === 'POST') requireSameSite(runtime, request)
        return answer(reply, await handler(visitOf(shared, request, reply)))
      },
    })
  }
  const person: Portal['person'] = (route, handler) => {
    open(route, async (visit) => {
      const who = await whoVisits(visit)
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
      person(route, async (visit) => handler(await inProject(visit, least)))
    },
  }
}

export function whoVisits({ runtime, cookies, request }: Visit): Promise<people.SignedIn | null> {
  return people.authenticateSession(runtime, 'portal', cookies.read(request, 'session'))
}

async function inProject(visit: PersonVisit, least: people.Role): Promise<ProjectVisit> {
  const { runtime, request, who } = visit
  const id = parametersOf(request)['id'] ?? ''
  const membership = isUuid(id) ? await people.findMembership(runtime.db, who.person, id) : null
  if (!membership) {
    throw new Problem('not_found', 'There is no such project, or you are not in its team.', {
      user_message: 'There is no such project, or you are not in its team.',
    })
  }
  requireRole(membership.role, least)
  const caller = people.callerOfMember(runtime, who, { membership, request_id: request.id })
  return { ...visit, membership, caller }
}

/** Refuses members who are limited to some sites: the page concerns the whole project. */
export function requireWhole({ membership }: ProjectVisit): void {
  if (membership.access === null) return
  const user_message =
    'You can work with some sites of this project only, and this is of all of it.'
  throw new Problem('forbidden', user_message, { user_message })
}

export function parametersOf({ params }: FastifyRequest): Record<string, string> {
  return typeof params === 'object' && params !== null
    ? Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
    : {}
}

/** An id in the path, or there is nothing there. */
export function idOf(request: FastifyRequest, name: string): string {
  const id = parametersOf(request)[name] ?? ''
  if (!isUuid(id)) throw new Problem('not_found', 'There is nothing with this id.')
  return id
}

function visitOf(
  shared: Pick<Visit, 'runtime' | 'cookies' | 'rates' | 'scopes_in_use'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Visit {
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
    device: { name, network: networkOf(request.ip) },
    query,
    form,
  }
}

/** Browsers do not send the NUL character by themselves, and PostgreSQL refuses it. */
function requireText(fields: URLSearchParams): void {
  if (![...fields.values()].some((value) => value.includes('\0'))) return
  throw new Problem('bad_request', 'A field holds the NUL character.')
}

function answer(reply: FastifyReply, outcome: Outcome): FastifyReply {
  if ('to' in outcome) return protect(reply).code(303).header('Location', outcome.to).send()
  return sendPage(reply, outcome, outcome.status)
}

const ownPath = /^\/portal(?:\/[\w-]+)*$/

/** The path to return to after the sign-in: a page of this portal, or the start page. */
export function nextPath(text: string | null): string {
  return text !== null && ownPath.test(text) ? text : '/portal'
}
