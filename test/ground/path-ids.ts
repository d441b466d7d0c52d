/**
 * One real id for each parameter in the path of an operation, by the part of the path that ends in
 * it: `/webhooks/{id}` and `/webhooks/{id}/deliveries/{delivery_id}`.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { askFor } from './approvals.ts'
import type { TestHouse } from './house.ts'
import { put } from './media.ts'
import { connect } from './oauth.ts'
import { ownedBy } from './portal.ts'
import { newCrew, newSession, type Crew, type Session } from './sessions.ts'

export type PathIds = Readonly<Record<string, string>>

/** Fills in the parameters of a path. `replace` may put something else in the place of an id. */
export function fillPath(
  path: string,
  ids: PathIds,
  replace: (id: string, place: string) => string = (id) => id,
): string {
  return path.replaceAll(/\{\w+\}/g, (parameter, at: number) => {
    const place = path.slice(0, at + parameter.length)
    const id = ids[place]
    if (id === undefined)
      throw new Error(`${place} has no fixture: add an id to test/ground/path-ids.ts.`)
    return encodeURIComponent(replace(id, place))
  })
}

export interface Fixtures {
  ids: PathIds
  crew: Crew
  /** A test key of the crew's project. */
  key: string
  /** The version of the approval that can be decided on. */
  input_hash: string
}

type Made = (route: string, body?: unknown, headers?: Record<string, string>) => Promise<any>

/** Makes one of everything that has an id, in a project with a team. */
export async function newFixtures(ground: TestHouse): Promise<Fixtures> {
  const crew = await newCrew(ground)
  const key = await ground.newKey({ project_id: crew.project_id })
  const made: Made = async (route, body, headers = {}) => {
    const answer = await ground.call(route, { key, headers, ...(body !== undefined && { body }) })
    assert.ok(answer.status < 300, `${route}: ${answer.text}`)
    return answer.body
  }
  const approval = await askFor(ground, 'collections.delete', await newCollection(made), key)
  const asked = await made(`GET /approvals/${approval}`)
  const own = await crew.owner.call(`GET /projects/${crew.project_id}/approvals/${approval}`)
  const ids = {
    ...(await idsOfCalls(made)),
    ...(await idsOfData(made)),
    ...(await idsOfFiles(made, crew.site_id)),
    ...(await idsOfPeople(ground, crew)),
    '/approvals/{id}': String(asked.id),
    '/projects/{project_id}/approvals/{id}': String(asked.id),
  }
  return { ids, crew, key, input_hash: own.body.input_hash }
}

async function newCollection(made: Made): Promise<{ name: string }> {
  const { name } = await made('POST /collections', { name: 'doomed' })
  return { name }
}

async function idsOfCalls(made: Made): Promise<PathIds> {
  await made('PUT /assistant', { name: 'Anna', instructions: 'We sell bread.' })
  const number = await made('POST /numbers', {}, { 'idempotency-key': 'fixture' })
  const call = await made('POST /test/calls', { number_id: number.id, turns: [] })
  const events = ['call.completed']
  const webhook = await made('POST /webhooks', { url: 'http://127.0.0.1:9/', events })
  const { delivery_id } = await made(`POST /webhooks/${webhook.id}/test`)
  return {
    '/numbers/{id}': number.id,
    '/calls/{id}': call.id,
    '/webhooks/{id}': webhook.id,
    '/webhooks/{id}/deliveries/{delivery_id}': delivery_id,
    '/deliveries/{id}': delivery_id,
  }
}

async function idsOfData(made: Made): Promise<PathIds> {
  const schema = { type: 'object', properties: { guests: { type: 'integer' } } }
  const name = 'things'
  await made('POST /collections', { name, schema, unique: ['email'], indexes: ['guests'] })
  const document = await made(`POST /collections/${name}/documents`, {})
  const token = await made('POST /chat-tokens', { allowed_origins: ['https://a.example'] })
  return {
    '/collections/{name}': name,
    '/collections/{name}/documents/{id}': document.id,
    '/public/collections/{name}': name,
    '/chat-tokens/{id}': token.id,
  }
}

async function idsOfFiles(made: Made, site_id: string): Promise<PathIds> {
  const content = Buffer.from('A file of a test.')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const file = { filename: 'file.txt', content_type: 'text/plain', sha256, bytes: content.length }
  const { uploads } = await made('POST /media/uploads', { files: [file] })
  const [upload] = uploads
  await put(upload, content)
  const media = await made(`POST /media/uploads/${upload.upload_id}/complete`)
  return {
    '/media/{id}': media.id,
    '/media/uploads/{id}': upload.upload_id,
    '/sites/{id}': site_id,
    '/sites/{id}/files/{path}': 'index.html',
  }
}

/** What sessions of the portal make and end. */
async function idsOfPeople(ground: TestHouse, crew: Crew): Promise<PathIds> {
  const { owner, viewer, project_id } = crew
  const project = `/projects/${project_id}`
  const guest = { email: 'guest@crew.example', role: 'viewer' }
  const invitation = await madeBy(owner, `POST ${project}/invitations`, guest)
  const top_up = await madeBy(owner, `POST ${project}/top-ups`, { amount_eur: 25 })
  const asked = { name: 'A key', mode: 'test', scopes: 'read_only' }
  const key = await madeBy(owner, `POST ${project}/keys`, asked)
  await connect(ground, owner.visitor, { project_id })
  const connections = await madeBy(owner, `GET ${project}/connections`)
  const me = await madeBy(viewer, 'GET /me')
  await newSession(ground, owner.email)
  const sessions = await madeBy(owner, 'GET /sessions')
  const other = sessions.data.find(({ current }: { current: boolean }) => !current)
  return {
    '/projects/{project_id}': project_id,
    '/projects/{project_id}/members/{person_id}': me.person.id,
    '/projects/{project_id}/invitations/{invitation_id}': invitation.id,
    '/projects/{project_id}/go-live/{rail}': 'phone',
    '/projects/{project_id}/top-ups/{top_up_id}': top_up.id,
    '/projects/{project_id}/keys/{key_id}': key.id,
    '/projects/{project_id}/connections/{id}': connections.data[0].id,
    '/invitations/{invitation_id}': await newInvitationFor(ground, owner.email),
    '/sessions/{session_id}': other.id,
  }
}

/** Somebody else invites a person to their project. */
export async function newInvitationFor(ground: TestHouse, email: string): Promise<string> {
  const inviting = `${crypto.randomUUID()}@inviting.example`
  const project_id = await ownedBy(ground, inviting)
  const session = await newSession(ground, inviting)
  const body = { email, role: 'member' }
  return (await madeBy(session, `POST /projects/${project_id}/invitations`, body)).id
}

/** A request of a session that has to succeed. */
export async function madeBy(session: Session, route: string, body?: unknown): Promise<any> {
  const answer = await session.call(route, body === undefined ? {} : { body })
  assert.ok(answer.status < 300, `${route}: ${answer.text}`)
  return answer.body
}
