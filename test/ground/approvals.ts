/** Proposals over MCP by a client that cannot put a question, and the people who decide about them. */
import assert from 'node:assert/strict'
import type { Answer, TestHouse } from './house.ts'
import { callMessage, post } from './mcp.ts'
import { signIn, type Visitor } from './portal.ts'
import { makePerson } from '../../server/areas/people/store.ts'
import type { Role } from '../../server/contract/people.ts'

type Ground = Pick<TestHouse, 'url' | 'key'>

/** Runs an operation by its name, and gives the result of the tool. */
// oxlint-disable-next-line max-params -- where, what, with what, and as whom
export async function runTool(
  ground: Ground,
  operation: string,
  given: Record<string, unknown>,
  key = ground.key,
): Promise<any> {
  const asked = { operation, arguments: given }
  const { body, text } = await post(ground, callMessage('run_write_operation', asked), { key })
  assert.ok(body?.result, text)
  return body.result
}

export function problemOf(result: any): any {
  assert.equal(result.isError, true, JSON.stringify(result))
  const problem = JSON.parse(result.content[0].text)
  return { ...problem, slug: problem.type.split('/').at(-1) }
}

/** Proposes something, and gives the id of the approval that waits for it. */
// oxlint-disable-next-line max-params -- where, what, with what, and as whom
export async function askFor(
  ground: Ground,
  operation: string,
  given: Record<string, unknown>,
  key = ground.key,
): Promise<string> {
  const problem = problemOf(await runTool(ground, operation, given, key))
  assert.equal(problem.slug, 'confirmation_required', JSON.stringify(problem))
  assert.ok(problem.approval, JSON.stringify(problem))
  return problem.approval.id
}

/** An approval as a key reads it. */
export async function readApproval(ground: TestHouse, id: string, key = ground.key): Promise<any> {
  const answer: Answer = await ground.call(`GET /approvals/${id}`, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** Asks the API of the portal as somebody who is signed in. */
// oxlint-disable-next-line max-params -- where, who, what, and with what
export async function ask(
  { url }: Pick<TestHouse, 'url'>,
  { cookies }: Pick<Visitor, 'cookies'>,
  route: string,
  body?: unknown,
): Promise<{ status: number; body: any; slug: string }> {
  const [method = 'GET', path = ''] = route.split(' ')
  const response = await fetch(`${url}/portal/api/v1${path}`, {
    method,
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: url,
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const read = text === '' ? null : JSON.parse(text)
  return { status: response.status, body: read, slug: String(read?.type).split('/').at(-1) ?? '' }
}

/** Somebody new in the team, signed in. */
export async function join(
  ground: TestHouse,
  project_id: string,
  member: { email: string; role: Role; access?: { sites: string[]; apps: string[] } },
): Promise<Visitor> {
  const { email, role, access } = member
  const { house } = ground
  await house.db.transact(async (tx) => {
    const created_at = house.clock.now()
    const person = { realm: 'portal' as const, email, id: crypto.randomUUID(), created_at }
    const { id } = await makePerson(tx, person)
    const limit = access ? JSON.stringify(access) : null
    await tx
      .insertInto('members')
      .values({ project_id, person_id: id, role, access: limit, created_at })
      .execute()
  })
  return signIn(ground, email)
}

/** The decision as the API of the portal takes it, about what the approval is now. */
export async function decide(
  ground: TestHouse,
  visitor: Visitor,
  { project_id, id, verb, ...said }: Deciding,
) {
  const path = `/projects/${project_id}/approvals/${id}`
  const { body } = await ask(ground, visitor, `GET ${path}`)
  const input_hash = said.input_hash ?? body.input_hash
  const note = said.note === undefined ? {} : { note: said.note }
  return ask(ground, visitor, `POST ${path}/${verb}`, { input_hash, ...note })
}

interface Deciding {
  project_id: string
  id: string
  verb: 'approve' | 'reject'
  input_hash?: string
  note?: string
}
