/**
 * Runs every operation that needs approval, once, through the confirmation that it declares. A new
 * operation without a case here fails the test.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { operations } from '../server/app.ts'
import { executionModeOf } from '../server/areas/approvals/service.ts'
import { isDangerous } from '../server/edges/mcp/tools/danger.ts'
import { propose, decide, addTeamMember, readApproval } from './fixtures/mcp/approvals.ts'
import { openTestRuntime } from './fixtures/runtime.ts'
import { reader } from './fixtures/agents/reader.ts'
import { emailFrom } from './fixtures/email/email-from.ts'
import { prepareEmail as prepare } from './fixtures/email/prepare-email.ts'
import { liveFixture } from './fixtures/live-projects.ts'
import { loaf } from './fixtures/payments/shop.ts'
import { mediaFixture } from './fixtures/media/media.ts'
import { listen } from './fixtures/loopback.ts'
import { insertRunningCall } from './fixtures/running-call.ts'

const fixture = await openTestRuntime()
const ready = await liveFixture(fixture).readyProject()
const { project_id } = ready
const owner = await addTeamMember(fixture, project_id, {
  email: 'owner@bakery.example',
  role: 'owner',
})
const key = await fixture.newKey({ project_id })
/** Downloads of the file; deliveries of webhooks come to the same server. */
let downloads = 0
const outside = createServer((request, response) => {
  if (request.method === 'GET') downloads += 1
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

const subscription = {
  description: 'A loaf every week',
  amount_eur: 18,
  interval: 'week',
  customer: { email: 'anna@example.com' },
}

const newEndpoint = () => call('POST /webhooks', { url, events: ['call.completed'] })

async function newDelivery(): Promise<{ endpoint_id: string; id: string }> {
  const { id: endpoint_id } = await newEndpoint()
  const { delivery_id } = await call(`POST /webhooks/${endpoint_id}/test`)
  return { endpoint_id, id: delivery_id }
}

async function newConversation(message?: string): Promise<string> {
  await call('PUT /assistant', { name: 'Robin' })
  return (await call('POST /conversations', message ? { message } : {})).conversation.id
}

/** A test number, which several calls use. */
async function numberId(): Promise<string> {
  const { data } = await call('GET /numbers')
  const known = data.find(({ test }: any) => test)
  return (known ?? (await call('POST /numbers', {}))).id
}

async function newCall(): Promise<string> {
  const turns = [{ hangup: true }]
  return (await call('POST /test/calls', { number_id: await numberId(), turns })).id
}

async function newRunningCall(): Promise<string> {
  return insertRunningCall(fixture, { project_id, number_id: await numberId() })
}

/** Turns email on, and adds a sending domain and a recipient, once. */
async function prepareEmail(): Promise<void> {
  const { body } = await fixture.call('GET /email/status', { key })
  if (body.enabled) return
  const made = (route: string, sent?: unknown) => call(route, sent)
  await prepare({ runtime: fixture, project_id, made })
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

const PRODUCT = 'Loaf 0'

/** A collection of more documents than may be overwritten without approval. */
async function newPriceList(): Promise<string> {
  const name = `prices-${crypto.randomUUID().slice(0, 8)}`
  await call('POST /collections', { name, unique: ['product'] })
  const operations = Array.from({ length: 21 }, (_, n) => ({
    op: 'create',
    data: { product: `Loaf ${n}`, price: 1 },
  }))
  await call(`POST /collections/${name}/documents/batch`, { operations })
  return name
}

async function isRepriced(name: string): Promise<boolean> {
  const filter = encodeURIComponent(`product = "${PRODUCT}"`)
  const { data } = await call(`GET /collections/${name}/documents?filter=${filter}`)
  return Number(data[0].data.price) === 2
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
  'calls.place': {
    mode: 'live',
    async given() {
      await call('PUT /assistant', { name: 'Robin' })
      await numberId()
      const asked = { to: '+31612345001', purpose: 'transactional', instructions: 'Say hello.' }
      return { ...asked, idempotency_key: crypto.randomUUID() }
    },
    isDone: async (_given, { id }) => (await call(`GET /calls/${id}`)).direction === 'outbound',
  },
  'calls.hang_up': {
    mode: 'live',
    given: async () => ({ id: await newRunningCall() }),
    isDone: async ({ id }) => (await call(`GET /calls/${id}`)).ended_at !== null,
  },
  'calls.transfer': {
    mode: 'live',
    given: async () => ({ id: await newRunningCall(), to: '+31612345678' }),
    isDone: async ({ id }) => {
      const { transcript } = await call(`GET /calls/${id}`)
      return transcript.some(({ text }: any) => text === 'Put through to +31612345678.')
    },
  },
  'calls.record_consent': {
    mode: 'live',
    given: async () => ({ phone: '+31612345678', source: 'Ticked on the order form' }),
    isDone: async () => {
      const { body } = await fixture.call('GET /call-consents', { key: ready.key })
      return body.data.length === 1
    },
  },
  'calls.withdraw_consent': {
    mode: 'test',
    async given() {
      const agreed = { phone: '+31687654321', source: 'Said so on the phone' }
      return { id: (await call('POST /call-consents', agreed)).id }
    },
    isDone: async ({ id }) =>
      (await call('GET /call-consents')).data.every((one: any) => one.id !== id),
  },
  'messages.send': {
    mode: 'live',
    given: async () => ({ to: '+447700900000', text: 'Hello', from: 'MillBakery' }),
    isDone: async (_given, { id }) => (await call(`GET /messages/${id}`)).text === 'Hello',
  },
  'agents.delete': deletes(
    ({ id }) => `/agents/${id}`,
    async () => ({ id: (await call('POST /agents', reader)).id }),
  ),
  'apps.delete': deletes(
    ({ id }) => `/apps/${id}`,
    async () => {
      const files = [{ path: 'index.html', content: 'x' }]
      const site = await call('POST /sites', { slug: 'doomed-app', visibility: 'unlisted', files })
      const modules = [{ path: 'main.js', text: 'export default { fetch() {} }' }]
      return { id: (await call('POST /apps', { site_id: site.id, name: 'x', modules })).id }
    },
  ),
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
    async () => ({ id: await newCall() }),
  ),
  'calls.delete_summary': {
    mode: 'test',
    given: async () => ({ id: await newCall() }),
    isDone: async ({ id }) => (await call(`GET /calls/${id}`)).has_summary === false,
  },
  'conversations.delete': deletes(
    ({ id }) => `/conversations/${id}`,
    async () => ({ id: await newConversation() }),
  ),
  'conversations.delete_summary': {
    mode: 'test',
    given: async () => ({ id: await newConversation() }),
    isDone: async ({ id }) => (await call(`GET /conversations/${id}`)).summary === null,
  },
  'conversations.reply': {
    mode: 'live',
    given: async () => ({ id: await newConversation(), text: 'This is Jan of the shop.' }),
    isDone: async (_given, { message }) => message.role === 'human',
  },
  'personal_data.erase': {
    mode: 'test',
    async given() {
      const visitor = { email: 'anna@example.com' }
      await call('PUT /assistant', { name: 'Robin' })
      await call('POST /conversations', { visitor })
      return visitor
    },
    isDone: async ({ email }) => {
      const { kinds } = await call('POST /personal-data/query', { email })
      return kinds.every(({ own }: any) => own === 0)
    },
  },
  'retention.put': {
    mode: 'live',
    given: async () => ({ calls: 30 }),
    isDone: async () =>
      (await call('GET /retention')).kinds.find(({ kind }: any) => kind === 'calls').days === 30,
  },
  'unanswered_questions.delete': {
    mode: 'test',
    async given() {
      await newConversation('Do you repair gramophones?')
      return { id: (await call('GET /assistant/unanswered')).data[0].id }
    },
    isDone: async ({ id }) =>
      (await call('GET /assistant/unanswered')).data.every((one: any) => one.id !== id),
  },
  'knowledge_sources.delete': deletes(
    ({ id }) => `/assistant/sources/${id}`,
    async () => {
      const text = { kind: 'text', title: 'Old', text: 'This is outdated.' }
      return { id: (await call('POST /assistant/sources', text)).id }
    },
  ),
  'emails.create': {
    mode: 'live',
    async given() {
      await prepareEmail()
      return { ...emailFrom('bakery.example') }
    },
    isDone: async (_given, { status, test: is_test }) => status === 'sent' && is_test,
  },
  'emails.create_batch': {
    mode: 'live',
    async given() {
      await prepareEmail()
      return { emails: [emailFrom('bakery.example')] }
    },
    isDone: async (_given, { data: [first] }) => first.status === 'sent',
  },
  'orders.create': {
    mode: 'live',
    given: async () => ({ items: [loaf] }),
    isDone: async (_given, { order }) => order.status === 'open',
  },
  'orders.refund': {
    mode: 'live',
    async given() {
      const { order } = await call('POST /orders', { items: [loaf] })
      await call(`POST /test/orders/${order.id}`, { outcome: 'paid' })
      return { id: order.id, idempotency_key: crypto.randomUUID() }
    },
    isDone: async ({ id }, reply) => reply.order_id === id && reply.amount_eur === 9,
  },
  'payment_links.create': {
    mode: 'live',
    given: async () => ({ description: 'Workshop', amount_eur: 45 }),
    isDone: async (_given, { status }) => status === 'active',
  },
  'payment_subscriptions.create': {
    mode: 'live',
    given: async () => subscription,
    isDone: async (_given, reply) => reply.subscription.status === 'pending',
  },
  'payment_subscriptions.cancel': {
    mode: 'live',
    async given() {
      return { id: (await call('POST /payment-subscriptions', subscription)).subscription.id }
    },
    isDone: async (_given, { status }) => status === 'canceled',
  },
  'sending_domains.delete': deletes(
    ({ id }) => `/sending-domains/${id}`,
    async () => {
      await prepareEmail()
      return { id: (await call('POST /sending-domains', { domain: 'old.example' })).id }
    },
  ),
  'sending_domains.delete_bimi': {
    mode: 'test',
    async given() {
      await prepareEmail()
      const { id } = await call('POST /sending-domains', { domain: 'logo.example' })
      const logo = { bimi_logo_url: url }
      const { db } = fixture.runtime
      await db.transact((tx) =>
        tx.updateTable('sending_domains').set(logo).where('id', '=', id).execute(),
      )
      return { id }
    },
    isDone: async ({ id }) =>
      (await fixture.call(`GET /sending-domains/${id}`, { key })).body.bimi === null,
  },
  'email_suppressions.delete': {
    mode: 'test',
    async given() {
      await call('POST /email/suppressions', { address: 'bo@example.com' })
      return { address: 'bo@example.com' }
    },
    isDone: async () =>
      (await fixture.call('GET /email/suppressions', { key })).body.data.length === 0,
  },
  'documents.delete': deletes(
    ({ name, id }) => `/collections/${name}/documents/${id}`,
    async () => {
      await call('POST /collections', { name: 'papers' })
      const { id } = await call('POST /collections/papers/documents', { a: 1 })
      return { name: 'papers', id }
    },
  ),
  'media.batch': {
    mode: 'test',
    async given() {
      const media = mediaFixture({ ...fixture, key })
      const { id } = await media.ready(Buffer.from('Bytes of many'), { filename: 'b.txt' })
      return { ids: [id], delete: true }
    },
    isDone: async ({ ids: [id] }) => isGone(`/media/${id}`),
  },
  'media.replace': {
    mode: 'test',
    async given() {
      const media = mediaFixture({ ...fixture, key })
      const ids = ['Former text', 'New text'].map(async (text) => {
        return (await media.ready(Buffer.from(text), { filename: 'a.txt' })).id
      })
      return { id: await ids[0], media_id: await ids[1] }
    },
    isDone: ({ media_id }) => isGone(`/media/${media_id}`),
  },
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
  'documents.import': {
    mode: 'test',
    given: async () => {
      const name = await newPriceList()
      const lines = Array.from({ length: 21 }, (_, n) => `Loaf ${n},2`)
      return { name, mode: 'upsert', by: 'product', csv: `product,price\n${lines.join('\n')}` }
    },
    isDone: ({ name }) => isRepriced(name),
  },
  'documents.import_media': {
    mode: 'test',
    given: async () => {
      const file = Buffer.from(`product,price\n${PRODUCT},2`)
      const named = { filename: 'prices.csv', content_type: 'text/csv', key }
      const { id: media_id } = await mediaFixture(fixture).ready(file, named)
      return { name: await newPriceList(), media_id, mode: 'upsert', by: 'product' }
    },
    isDone: ({ name }) => isRepriced(name),
  },
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

/** Whether the first write of the operation is marked, so that a crash cannot repeat it. */
async function hasBegun(id: string): Promise<boolean> {
  const { db } = fixture.runtime
  const rows = await db.selectFrom('approvals').select('begun_at').where('id', '=', id).execute()
  return rows[0]?.begun_at instanceof Date
}

for (const [name, { mode, given: make, isDone }] of Object.entries(cases)) {
  const operation = operations.find((one) => one.name === name)!
  test(`${name} runs after its approval`, async () => {
    const given = await make()
    const by = await fixture.newKey({ project_id, mode })
    const id = await propose(fixture, name, given, by)
    const before = downloads
    const said = { project_id, id, verb: 'approve' as const }
    const { body } = await decide(fixture, owner, said)
    assert.equal(body.status, 'executed', JSON.stringify(body.problem ?? body))
    const { reply } = await readApproval(fixture, id, by)
    assert.equal(await isDone(given, reply), true, JSON.stringify(reply))
    assert.ok(downloads - before <= 1, `${downloads - before} downloads`)
    assert.equal((await decide(fixture, owner, said)).status, 409)
    assert.equal(await hasBegun(id), executionModeOf(operation) === 'at_most_once')
  })
}
