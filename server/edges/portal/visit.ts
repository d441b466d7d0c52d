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
import { findNetwork } from '../http/visitor-address.ts'
import { chooseLanguage, isPageLanguage, type PageLanguage } from '../html/language.ts'
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
  /** The language of the page. */
  language: PageLanguage
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
      if (who) {
        const { language, device } = languageOf(visit, who)
        languages.set(visit.request, language)
        return handler({ ...visit, device, language, who })
      }
      const here = (visit.request.url.split('?')[0] ?? '').slice(0, 200)
      const next = visit.request.method !== 'POST' && here !== '/portal' ? `?next=${here}` : ''
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
  const query = new URLSearchParams(queryIn(request.url))
  const language = chooseLanguage(query.get('lang'), request.headers)
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '')
  requireText(query)
  requireText(form)
  return {
    ...shared,
    request,
    reply,
    device: { name, network: findNetwork(request.ip), language },
    query,
    form,
    language,
  }
}

/** PostgreSQL cannot store NUL, and browsers do not send it. */
function requireText(fields: URLSearchParams): void {
  if (![...fields.values()].some((value) => value.includes('\0'))) return
  throw new Problem('bad_request', 'A field contains the NUL character.')
}

/** The language of requests of signed-in people. */
const languages = new WeakMap<FastifyRequest, PageLanguage>()

/** The language of a page about an error. */
export function findLanguage(request: FastifyRequest): PageLanguage {
  const query = queryIn(request.url)
  const asked = new URLSearchParams(query).get('lang')
  return languages.get(request) ?? chooseLanguage(asked, request.headers)
}

/** Returns the language of the query, else the stored one of the person. */
function languageOf({ query, device }: PortalVisit, who: people.SignedIn) {
  const asked = query.get('lang')
  const language = isPageLanguage(asked) ? asked : who.language
  return { language, device: { ...device, language } }
}

function sendReply(reply: FastifyReply, outcome: PortalReply): FastifyReply {
  if ('to' in outcome) return setPageHeaders(reply).code(303).header('Location', outcome.to).send()
  return sendPage(reply, outcome, outcome.status)
}

/** The address of the request, without the language of its query. */
export function hereOf({ url }: Pick<FastifyRequest, 'url'>): string {
  const [path = ''] = url.split('?')
  const query = new URLSearchParams(queryIn(url))
  query.delete('lang')
  return query.size === 0 ? path : `${path}?${query}`
}

/** The query of an address; a path to return to within it may have a query of its own. */
function queryIn(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

/** A page of the portal with the parameters that `keptQuery` keeps. */
const ownPath =
  /^\/portal(?:\/[\w-]+)*(?:\?(?:mode=(?:test|live)|top_up=[\w-]+|upgrade=\w+)(?:&(?:top_up=[\w-]+|upgrade=\w+))*)?$/

/**
 * The parameters of a portal page that the sign-in keeps, as a query or as an empty text: the mode,
 * because test and live show different records, and what a payment page returns to.
 */
export function keptQuery(url: string): string {
  const asked = new URLSearchParams(queryIn(url))
  const kept = Object.entries(keptValues).flatMap(([name, pattern]) => {
    const value = asked.get(name)
    return value !== null && pattern.test(value) ? [`${name}=${value}`] : []
  })
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

const keptValues = {
  mode: /^(?:test|live)$/,
  top_up: /^[\w-]{1,100}$/,
  upgrade: /^\w{1,100}$/,
} as const

/** Returns the path to return to after the sign-in: a page of this portal, or the start page. */
export function readNextPath(text: string | null): string {
  return text !== null && ownPath.test(text) ? text : '/portal'
}
