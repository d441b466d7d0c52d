/**
 * Signed-in people who call the API of the portal, and a project with one of each sort in its team,
 * made through the same front door.
 */
import assert from 'node:assert/strict'
import type { Answer, TestHouse } from './house.ts'
import { ownedBy, signIn, type Visitor } from './portal.ts'

export interface SessionOptions {
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string
  headers?: Record<string, string>
}

/** Somebody who is signed in, as the scripts of their pages call the API. */
export interface Session {
  visitor: Visitor
  email: string
  /** `call('GET /projects')`: a path below /portal/api/v1. */
  call(route: string, options?: SessionOptions): Promise<Answer>
}

export function sessionOf(ground: TestHouse, visitor: Visitor, email = ''): Session {
  return {
    visitor,
    email,
    call: (route, options) => {
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return callPortal(ground, route, { ...options, headers: { cookie, ...options?.headers } })
    },
  }
}

/** A request to the API of the portal, as a script of one of our pages sends it. */
export async function callPortal(
  { url }: Pick<TestHouse, 'url'>,
  route: string,
  { body, raw, headers }: SessionOptions = {},
): Promise<Answer> {
  const [method = 'GET', path = ''] = route.split(' ')
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const said = { origin: url, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(`${url}/portal/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(method === 'GET' ? {} : said),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  return read(response)
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  // What goes on for ever is not waited for.
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status, headers, body: null, text: '' }
  }
  const text = await response.text()
  return { status, headers, text, body: /json/.test(type) && text !== '' ? JSON.parse(text) : null }
}

/** Who is signed in, by a link of the operator. */
export async function newSession(ground: TestHouse, email: string): Promise<Session> {
  return sessionOf(ground, await signIn(ground, email), email)
}

const members = ['owner', 'admin', 'member', 'viewer', 'limited'] as const
type Sort = (typeof members)[number]

/** A project, somebody of each role in its team, and a member who has one of its two sites. */
export interface Crew extends Record<Sort, Session> {
  project_id: string
  /** The site of the limited member, and the one they may not see. */
  site_id: string
  other_site_id: string
}

let crews = 0

export async function newCrew(ground: TestHouse): Promise<Crew> {
  crews += 1
  const addressOf = (sort: string) => `${sort}-${crews}@crew.example`
  const project_id = await ownedBy(ground, addressOf('owner'))
  const owner = await newSession(ground, addressOf('owner'))
  const site_id = await newSite(owner, project_id, `crew-${crews}-open`)
  const other_site_id = await newSite(owner, project_id, `crew-${crews}-closed`)
  const join = async (sort: Exclude<Sort, 'owner'>) => {
    const body =
      sort === 'limited'
        ? { role: 'member', access: { sites: [site_id], apps: [] } }
        : { role: sort }
    const email = addressOf(sort)
    const invited = await owner.call(`POST /projects/${project_id}/invitations`, {
      body: { email, ...body },
    })
    assert.equal(invited.status, 201, invited.text)
    const session = await newSession(ground, email)
    const accepted = await session.call(`POST /invitations/${invited.body.id}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
    return session
  }
  const [admin, member, viewer, limited] = [
    await join('admin'),
    await join('member'),
    await join('viewer'),
    await join('limited'),
  ]
  return { project_id, owner, admin, member, viewer, limited, site_id, other_site_id }
}

async function newSite(owner: Session, project_id: string, slug: string): Promise<string> {
  const files = [{ path: 'index.html', content: 'Hello' }]
  const answer = await owner.call(`POST /projects/${project_id}/sites`, {
    body: { slug, visibility: 'unlisted', files },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
