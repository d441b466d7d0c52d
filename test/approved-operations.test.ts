/**
 * Runs every operation that needs approval, once, through the confirmation that it declares. A new
 * operation without a case here fails the test.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { operations } from '../server/app.ts'
import { isDangerous } from '../server/edges/mcp/tools/danger.ts'
import { propose, decide, addTeamMember, readApproval } from './fixtures/mcp/approvals.ts'
import { openTestRuntime } from './fixtures/runtime.ts'
import { liveFixture } from './fixtures/live-projects.ts'
import { mediaFixture } from './fixtures/media/media.ts'
import { listen } from './fixtures/loopback.ts'

const fixture = await openTestRuntime()
const ready = await liveFixture(fixture).readyProject()
const { project_id } = ready
const owner = await addTeamMember(fixture, project_id, {
  email: 'owner@bakery.example',
  role: 'owner',
})
const key = await fixture.newKey({ project_id })
let hits = 0
const outside = createServer((_request, response) => {
  hits += 1
  response.writeHead(200, { 'content-type': 'text/plain' }).end('Hello')
})
const url = `http://127.0.0.1:${await listen({ after }, outside)}/`

const call = async (route: string, body?: unknown) => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const by = await fixture.newKey({ project_id })
  const answer = await fixture.call(route, { key: by, headers, ...(body ? { body } : {}) })
  assert.ok(answer.status < 300, `${route}: ${answer.text}`)
  return answer.body
}

const newEndpoint = () => call('POST /webhooks', { url, events: ['call.completed'] })

async function newDelivery(): Promise<{ endpoint_id: string; id: string }> {
  const { id: endpoint_id } = await newEndpoint()
  const { delivery_id } = await call(`POST /webhooks/${endpoint_id}/test`)
  return { endpoint_id, id: delivery_id }
}

interface Case {
  /** The mode of the key that proposes the operation. */
  mode: 'live' | 'test'
  /** Creates the record that the operation acts on, and returns the arguments. */
  given(): Promise<Record<string, unknown>>
  /** Returns whether the operation took effect. */
  isDone(given: any, reply: any): Promise<boolean>
}

const isGone = async (path: string) => (await fixture.call(`GET ${path}`, { key })).status === 404

/** Creates a case whose operation deletes its record. */
function deletes(path: (given: any) => string, given: Case['given']): Case {
  return { mode: 'test', given, isDone: (asked) => isGone(path(asked)) }
}

const cases: Record<string, Case> = {
  'numbers.order': {
    mode: 'live',
    given: async () => ({ idempotency_key: crypto.randomUUID() }),
    isDone: async (_given, { e164 }) => e164.startsWith('+31'),
  },
  'numbers.release': {
    mode: 'test',
    given: async () => ({ id: (await call('POST /numbers', {})).id }),
    isDone: async (_given, { released }) => released === true,
  },
  'webhooks.delete': deletes(
    ({ id }) => `/webhooks/${id}`,
    async () => ({ id: (await newEndpoint()).id }),
  ),
  'chat_tokens.delete': {
    mode: 'test',
    given: async () => ({
      id: (await call('POST /chat-tokens', { allowed_origins: ['https://a.example'] })).id,
    }),
    isDone: async ({ id }) =>
      (await fixture.call(`GET /chat-tokens/${id}`, { key })).body.active === false,
  },
  'collections.delete': deletes(
    ({ name }) => `/collections/${name}`,
    async () => ({ name: (await call('POST /collections', { name: 'doomed' })).name }),
  ),
  'calls.delete': deletes(
    ({ id }) => `/calls/${id}`,
    async () => {
      const number = await call('POST /numbers', {})
      const turns = [{ hangup: true }]
      return { id: (await call('POST /test/calls', { number_id: number.id, turns })).id }
    },
  ),
  'documents.delete': deletes(
    ({ name, id }) => `/collections/${name}/documents/${id}`,
    async () => {
      await call('POST /collections', { name: 'papers' })
      const { id } = await call('POST /collections/papers/documents', { a: 1 })
      return { name: 'papers', id }
    },
  ),
  'media.delete': deletes(
    ({ id }) => `/media/${id}`,
    async () => {
      const media = mediaFixture({ ...fixture, key })
      return { id: (await media.ready(Buffer.from('Bytes'), { filename: 'a.txt' })).id }
    },
  ),
  'sites.delete': deletes(
    ({ id }) => `/sites/${id}`,
    async () => {
      const files = [{ path: 'index.html', content: 'Hello' }]
      return { id: (await call('POST /sites', { visibility: 'unlisted', files, slug: 'old' })).id }
    },
  ),
  'documents.batch': {
    mode: 'test',
    given: async () => {
      await call('POST /collections', { name: 'notes' })
      const { id } = await call('POST /collections/notes/documents', { a: 1 })
      return { name: 'notes', operations: [{ op: 'delete', id }] }
    },
    isDone: ({ operations: [{ id }] }) => isGone(`/collections/notes/documents/${id}`),
  },
  'sites.publish': {
    mode: 'test',
    given: async () => {
      const files = [{ path: 'index.html', content: 'Hello' }]
      const site = await call('POST /sites', { visibility: 'unlisted', files, slug: 'bare' })
      return { id: site.id, files: [{ path: 'about.html', content: 'About' }] }
    },
    isDone: async (_given, { version, files_count }) => version === 2 && files_count === 1,
  },
  'webhooks.create': {
    mode: 'live',
    given: async () => ({ url, events: ['call.completed'] }),
    isDone: async (_given, reply) => reply.secret_prefix.length > 0 && !('secret' in reply),
  },
  'webhooks.update': {
    mode: 'live',
    given: async () => ({ id: (await newEndpoint()).id, events: ['call.summary.ready'] }),
    isDone: async (_given, { events }) => events.join() === 'call.summary.ready',
  },
  'webhooks.test': {
    mode: 'live',
    given: async () => ({ id: (await newEndpoint()).id }),
    isDone: async (_given, { status }) => status === 'delivered',
  },
  'deliveries.redeliver': {
    mode: 'live',
    given: async () => ({ id: (await newDelivery()).id }),
    isDone: async ({ id }, reply) => reply.id === id && reply.attempts.length === 2,
  },
  'webhooks.replay': {
    mode: 'live',
    given: async () => {
      const { id } = await newEndpoint()
      const now_ms = fixture.clock.now_ms()
      const at = (offset_ms: number) => new Date(now_ms + offset_ms).toISOString()
      return { id, from: at(-3_600_000), to: at(0) }
    },
    isDone: async (_given, reply) => typeof reply.events === 'number',
  },
  'media.import': {
    mode: 'live',
    given: async () => ({ url: `${url}hello.txt` }),
    isDone: async (_given, { filename, status }) => filename === 'hello.txt' && status === 'ready',
  },
}

const dangerous = operations
  .filter((one) => isDangerous(one) || one.consent?.loses)
  .map(({ name }) => name)

test('every operation that needs approval has a case here', () => {
  assert.deepEqual(Object.keys(cases).toSorted(), dangerous.toSorted())
})

for (const [name, { mode, given: make, isDone }] of Object.entries(cases)) {
  test(`${name} runs after its approval`, async () => {
    const given = await make()
    const by = await fixture.newKey({ project_id, mode })
    const id = await propose(fixture, name, given, by)
    const before = hits
    const said = { project_id, id, verb: 'approve' as const }
    const { body } = await decide(fixture, owner, said)
    assert.equal(body.status, 'executed', JSON.stringify(body.problem ?? body))
    const { reply } = await readApproval(fixture, id, by)
    assert.equal(await isDone(given, reply), true, JSON.stringify(reply))
    assert.ok(hits - before <= 1, `${hits - before} requests went out.`)
    assert.equal((await decide(fixture, owner, said)).status, 409)
  })
}
