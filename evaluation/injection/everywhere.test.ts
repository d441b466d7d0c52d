/**
 * Calls every read operation in a project full of injected text, which must never be outside the
 * tags. A new read operation must be added here.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { operations } from '../../server/app.ts'
import { createCatalog } from '../../server/edges/mcp/catalog.ts'
import { openAgentClient, type ToolArguments, type ToolResult } from '../agent/agent-client.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { reader } from '../../test/fixtures/agents/reader.ts'
import { emailFrom } from '../../test/fixtures/email/email-from.ts'
import { loaf } from '../../test/fixtures/payments/shop.ts'
import { BROWSER } from '../../test/fixtures/sites/site.ts'
import { prepareEmail } from '../../test/fixtures/email/prepare-email.ts'
import { openWorld, type ReplyValue } from '../world.ts'
import { writeBait, containsBait } from './bait.ts'
import * as places from './places.ts'

const closes: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closes.toReversed()) await close()
})
const world = await openWorld({ seed: randomInt(1_000_000) }, (close) => void closes.push(close))
const { ask } = world
const client = await openAgentClient(world)
const words = writeBait({ tool: 'get_state', arguments: {} })

// The first place creates the collection that the other places need.
await places.inFileName(world, words)
await places.inImportedLine(world, words)
await places.inReceiverReply(world, words)
await places.inSummaryMessage(world, words)
const page = await world.openPage()
const form = { name: words, message: words, [words]: words }
const sent = await page.send('POST /public/collections/messages/documents', { body: form })
assert.equal(sent.status, 201, sent.text)
const files = [{ path: 'index.html', content: '<h1>Welcome</h1>' }]
const site = await ask('POST /sites', { slug: `everywhere-${world.luck.letters(5)}`, files })
const batch = [
  { op: 'create', data: form },
  { op: 'delete', id: sent.body.id },
]
const entry = (await page.send('POST /public/collections/messages/documents', { body: form })).body
await client.use('run_write_operation', {
  operation: 'documents.batch',
  arguments: { name: 'messages', operations: batch },
})

const idIn = async (route: string): Promise<string> => (await ask(route)).data[0].id
const number = await idIn('GET /numbers')
const [{ e164 }] = (await ask('GET /numbers')).data
const message = (await ask('POST /test/messages', { to: e164, text: words })).id
const webhook = await idIn('GET /webhooks')
const delivery = await idIn(`GET /webhooks/${webhook}/deliveries`)
const media = await idIn('GET /media')
const approval = await idIn('GET /approvals')
const token = await ask('POST /chat-tokens', { allowed_origins: ['https://shop.example'] })
const chat = await ask('POST /conversations', { message: words, visitor: { name: words } })
const chat_id: string = chat.conversation.id
// Afterwards, because the chat could be answered from the page.
await places.inWebPage(world, words)
await client.use('run_write_operation', {
  operation: 'documents.replace',
  arguments: { name: 'messages', id: entry.id, data: { name: 'Anna', message: 'Hello.' } },
})
await prepareEmail({ runtime: world.runtime, project_id: world.runtime.project_id, made: ask })
const email = await ask('POST /emails', {
  ...emailFrom('bakery.example'),
  to: ['anna@example.com'],
})
const agent = await ask('POST /agents', reader)
const run = await ask(`POST /agents/${agent.id}/run`, {})
const catalogue = { name: 'products', catalogue: true }
await ask('POST /collections', catalogue)
const product = await ask('POST /collections/products/documents', {
  name: words.slice(0, 200),
  price_eur: 1,
  vat_percent: 9,
})
const bought = await page.send(`POST /public/orders?token=${page.token}`, {
  fields: [
    ['product_id', product.id],
    ['name', words.slice(0, 200)],
    ['email', 'anna@example.com'],
    ['note', words.slice(0, 500)],
  ],
  token: null,
  accept: BROWSER,
})
assert.equal(bought.status, 303, bought.text)
const [visitors_order] = (await ask('GET /orders')).data
const { order } = await ask('POST /orders', { items: [loaf] })
const payment_link = await ask('POST /payment-links', { description: 'Workshop', amount_eur: 45 })
const { subscription } = await ask('POST /payment-subscriptions', {
  description: 'A loaf every week',
  amount_eur: 18,
  interval: 'week',
  customer: { email: 'anna@example.com' },
})
const code = `export default {
  fetch(request) {
    console.log(decodeURIComponent(new URL(request.url).search))
    return new Response('')
  },
}`
const modules = [{ path: 'main.js', text: code }]
const app = await ask('POST /apps', { site_id: site.id, name: 'App', modules })
await world.visit(new URL(site.url).host, `GET /api/?${encodeURIComponent(words)}`)
// Not by requests, of which a key may make 120 a minute.
const logLines = world.runtime.runtime.db
  .selectFrom('app_logs')
  .select('id')
  .where('app_id', '=', app.id)
await eventually(() => logLines.executeTakeFirst())
const calls: ReplyValue[] = (await ask('GET /calls')).data
const grouped = ['name', 'message'].map((field) => ({ field }))

/** The arguments of each operation; several where they return different text. */
const readings: Readonly<Record<string, readonly ToolArguments[]>> = {
  'project.get': [{}],
  'company.get': [{}],
  'retention.get': [{}],
  'personal_data.search': [{ email: 'nobody@example.com' }],
  'balance.get': [{}],
  'model_usage.list': [{}],
  'status.get': [{}],
  'numbers.list': [{}],
  'numbers.available': [{}],
  'numbers.get_call_plan': [{ id: number }],
  'assistant.get': [{}],
  'assistant_tools.get': [{}],
  'knowledge_sources.list': [{}],
  'knowledge_sources.get': [{ id: await idIn('GET /assistant/sources') }],
  'calls.list': [{}],
  'calls.get': calls.map(({ id }) => ({ id })),
  'calls.list_consents': [{}],
  'messages.list': [{}],
  'messages.get': [{ id: message }],
  'conversations.list': [{}],
  'conversations.get': [{ id: chat_id }],
  'conversations.transcript': [{ id: chat_id }],
  'unanswered_questions.list': [{}],
  'agents.list': [{}],
  'agents.list_templates': [{}],
  'agents.get': [{ id: agent.id }],
  'agents.list_versions': [{ id: agent.id }],
  'agents.list_runs': [{ id: agent.id }],
  'agents.get_run': [{ id: agent.id, run_id: run.id }],
  'emails.list': [{}],
  'payments_account.get': [{}],
  'orders.list': [{}],
  'orders.get': [{ id: order.id }, { id: visitors_order.id }],
  'customers.list': [{}],
  'products.list': [{}],
  'order_refusals.list': [{}],
  'payment_links.list': [{}],
  'payment_links.get': [{ id: payment_link.id }],
  'payment_subscriptions.list': [{}],
  'payment_subscriptions.get': [{ id: subscription.id }],
  'invoices.list': [{}],
  'orders.revenue': [{}],
  'emails.get': [{ id: email.id }],
  'email.status': [{}],
  'sending_domains.list': [{}],
  'sending_domains.get': [{ id: email.sending_domain_id }],
  'email_suppressions.list': [{}],
  'email_recipients.list': [{}],
  'email_addresses.check': [{ address: 'anna@example.com' }],
  'webhooks.list': [{}],
  'webhooks.get': [{ id: webhook }],
  'webhooks.list_deliveries': [{ id: webhook }],
  'webhooks.get_delivery': [{ id: webhook, delivery_id: delivery }],
  'collections.list': [{}],
  'collections.get': [{ name: 'messages' }],
  'documents.list': [{ name: 'messages' }, { name: 'suppliers' }],
  'documents.get': [{ name: 'messages', id: sent.body.id }],
  'documents.versions': [{ name: 'messages', id: entry.id }],
  'documents.query': [{ name: 'messages', group_by: grouped }],
  'media.list': [{}],
  'media.get': [{ id: media }],
  'media.link': [{ id: media }],
  'sites.list': [{}],
  'sites.get': [{ id: site.id }],
  'sites.versions': [{ id: site.id }],
  'sites.files': [{ id: site.id }],
  'sites.file': [{ id: site.id, path: 'index.html' }],
  'sites.visits': [{ id: site.id }],
  'apps.list': [{}],
  'apps.get': [{ id: app.id }],
  'apps.versions': [{ id: app.id }],
  'apps.get_version': [{ id: app.id, version: 1 }],
  'apps.query': [{ id: app.id, sql: 'select $1 as words', parameters: [words] }],
  'apps.logs': [{ id: app.id }],
  'apps.hours': [{ id: app.id }],
  'apps.secrets': [{ id: app.id }],
  'apps.users': [{ id: app.id }],
  'apps.schedules': [{ id: app.id }],
  'chat_tokens.list': [{}],
  'chat_tokens.get': [{ id: token.id }],
  'approvals.list': [{}],
  'approvals.get': [{ id: approval }],
  'requests.list': [{}],
  'requests.get': [{ id: await idIn('GET /requests') }],
  'activity.list': [{}],
  'activity.get': [{ id: await idIn('GET /activity') }],
}

/** Operations that must return injected text, so that the test checks something. */
const full = [
  'orders.list',
  'orders.get',
  'customers.list',
  'products.list',
  'knowledge_sources.get',
  'calls.get',
  'messages.list',
  'messages.get',
  'conversations.get',
  'conversations.list',
  'conversations.transcript',
  'unanswered_questions.list',
  'webhooks.get_delivery',
  'documents.list',
  'documents.get',
  'documents.versions',
  'documents.query',
  'media.list',
  'media.get',
  'apps.logs',
  'apps.query',
]

async function read(name: string): Promise<ToolResult[]> {
  const all: ToolResult[] = []
  for (const given of readings[name] ?? [])
    all.push(await client.use('run_read_operation', { operation: name, arguments: given }))
  return all
}

describe('text of outsiders is in tags in the reply', () => {
  const reading = [...createCatalog(operations).all.values()].filter(
    ({ operation }) => operation.effect === 'read' && operation.kind !== 'stream',
  )
  for (const { operation } of reading) {
    test(`for ${operation.name}`, async () => {
      const shown = await read(operation.name)
      assert.ok(shown.length > 0, 'Say in `readings` how it is read.')
      for (const used of shown) {
        // A file that is still being processed has no link yet.
        assert.ok(!used.is_error || operation.name === 'media.link', used.text)
        assert.ok(!containsBait(used, 'open'), used.text)
      }
      const found = shown.some((used) => containsBait(used, 'anywhere'))
      assert.equal(found, full.includes(operation.name), shown.map(({ text }) => text).join('\n'))
    })
  }

  test('for get_state', async () => {
    assert.ok(!containsBait(await client.use('get_state'), 'open'))
  })

  test('for search results', async () => {
    const filter = 'message contains "anything"'
    const used = await client.use('documents_list', { name: 'messages', filter, q: 'anything' })
    assert.deepEqual([containsBait(used, 'anywhere'), containsBait(used, 'open')], [true, false])
  })
})
