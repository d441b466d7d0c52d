/** Tests of search_operations over MCP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { tokensOf } from '../../../../test/fixtures/docs/tokens.ts'
import { callMessage, post } from '../../../../test/fixtures/mcp/mcp.ts'
import { createCatalog } from '../catalog.ts'
import { createOperationSearch } from './catalog-index.ts'

const fixture = await openTestRuntime({ work: false })

async function read(query: string, key = fixture.key, address = ''): Promise<string> {
  const message = callMessage('search_operations', { query })
  const { body } = await post(fixture, message, { key, query: address })
  assert.equal(body.result.content.length, 1)
  return body.result.content[0].text
}

async function ask(query: string, key = fixture.key, address = ''): Promise<any> {
  return JSON.parse(await read(query, key, address))
}

const othersOf = ({ others }: any): string[] =>
  Object.entries<string>(others).flatMap(([area, verbs]) =>
    verbs.split(', ').map((verb) => `${area}.${verb}`),
  )

const namesOf = (reply: any): string[] => reply.operations.map(({ operation }: any) => operation)

describe('search_operations', () => {
  for (const [query, name] of Object.entries({
    'change the call plan of a number': 'numbers.put_call_plan',
    'new secret for a webhook': 'webhooks.rotate_secret',
    'export documents': 'documents.export',
    'delete a collection': 'collections.delete',
    'company details': 'company.put',
    'simulate a call': 'calls.simulate',
    'make a webhook': 'webhooks.create',
    'make a token for the form on my website': 'chat_tokens.create',
    'answer the questions on my website': 'chat_tokens.create',
    'chat on my website': 'chat_tokens.create',
    'change fields of a document': 'documents.update',
    'remove a document': 'documents.delete',
    'undo the last version of a site': 'sites.rollback',
    'add up a field of documents': 'documents.query',
    'call.completed': 'webhooks.create',
  })) {
    test(`finds ${name} by "${query}"`, async () => {
      const reply = await ask(query)
      const found = [...namesOf(reply), ...othersOf(reply)]
      assert.ok(found.includes(name), found.join())
    })
  }

  test('shows the arguments in one line, and the tool that runs the operation', async () => {
    const [best] = (await ask('rotate the secret of a webhook')).operations
    assert.equal(best.operation, 'webhooks.rotate_secret')
    assert.equal(best.run_with, 'run_write_operation')
    assert.equal(best.arguments, 'id: string')
    assert.match(best.about, /^Creates a new secret for an endpoint/)
  })

  test('shows the full argument schema if the query is the exact name of an operation', async () => {
    const key = await fixture.newKey()
    for (const name of ['webhooks.create', 'agents.create', 'documents.list']) {
      const { operations: found } = await ask(name, key)
      assert.deepEqual([found.length, found[0].operation], [1, name])
      assert.equal(found[0].arguments.type, 'object')
    }
  })

  test('names the tool of an operation that has a tool of its own', async () => {
    const [best] = (await ask('who called today')).operations
    assert.deepEqual([best.operation, best.run_with], ['calls.list', 'calls_list'])
  })

  test('names the tool of an operation that the toolsets of the address list', async () => {
    for (const [address, tool] of [
      ['', 'run_read_operation'],
      ['?toolsets=sites', 'sites_list'],
      ['?toolsets=all', 'sites_list'],
    ] as const) {
      const [best] = (await ask('list the sites', fixture.key, address)).operations
      assert.deepEqual([best.operation, best.run_with], ['sites.list', tool], address)
    }
  })

  test('names the route of an operation that streams', async () => {
    const [best] = (await ask('export a collection as csv')).operations
    assert.equal(best.operation, 'documents.export')
    assert.equal(best.only_over_http, 'GET /collections/{name}/documents/export')
  })

  test('links the portal page of an operation that only a signed-in person can run', async () => {
    const page = `${fixture.runtime.config.public_url}/portal/app/projects/${fixture.project_id}`
    const [key] = (await ask('create an API key')).operations
    assert.deepEqual([key.operation, key.only_in_portal], ['keys.create', `${page}/keys`])
    const [topUp] = (await ask('top up the balance')).operations
    assert.deepEqual([topUp.operation, topUp.only_in_portal], ['top_ups.create', `${page}/billing`])
    const [passkey] = (await ask('add a passkey')).operations
    assert.match(passkey.only_in_portal, /\/portal\/app\/account$/)
  })

  test('links the portal page if the query is the exact name of such an operation', async () => {
    const { operations: found, others } = await ask('keys.create')
    assert.deepEqual([found.length, others], [1, undefined])
    assert.match(found[0].only_in_portal, /\/keys$/)
  })

  test('names the other operations of the two nearest areas', async () => {
    const reply = await ask('send failed webhook deliveries again')
    assert.equal(reply.operations.length, 5)
    const areas = Object.keys(reply.others)
    assert.ok(areas.length <= 2 && areas.includes('webhooks'), areas.join())
    const names = othersOf(reply)
    assert.ok(names.includes('webhooks.rotate_secret'), names.join())
    assert.deepEqual(
      names.filter((name) => namesOf(reply).includes(name)),
      [],
    )
  })

  test('finds guides, and reads a section with MCP calls instead of commands', async () => {
    const { guides } = await ask('form on a website for bookings')
    assert.ok(guides.includes('guide:forms: Forms'), guides.join())
    const start = await read('guide:forms')
    assert.match(start, /^# Forms on a website[^]*- guide:forms#build-a-form/)
    const steps = await read('guide:forms#build-a-form')
    assert.match(steps, /"operation":"collections.create"[^]*"name":"bookings"/)
    assert.match(steps, /\(guide:sites\)[^]*`agents\.propose`/)
    assert.doesNotMatch(steps, /curl/)
    assert.equal(await read('guide:form'), start)
    assert.match(await read('guide:agents#try'), /^## Try an agent/)
    assert.deepEqual((await ask('guide:not-there')).operations ?? [], [])
  })

  test('shows a call plan in 900 tokens, and the fields of a node on request', async () => {
    const whole = await read('numbers.put_call_plan')
    assert.ok(tokensOf(whole.length) <= 900, String(tokensOf(whole.length)))
    assert.match(whole, /"example":\{"body":\{"entry".*"types":\{"forward":"Rings/)
    const { operations: found } = await ask('numbers.put_call_plan#openingHours')
    const { mon, tue } = found[0].fields.properties.schedule.properties.week.properties
    assert.deepEqual([mon.type, tue], ['array', { description: 'Like mon.' }])
  })

  test('shows the nearest operations for a wish that the service does not serve', async () => {
    const reply = await ask('order a pizza with extra cheese')
    assert.ok(reply.operations.length > 0)
    assert.match(reply.no_operation_has, /pizza/)
    assert.match(reply.hint, /not possible here/)
    const { operations: few } = await ask('print a letter')
    assert.equal(few.length, 1)
  })

  test('says that no operation has a word of the query', async () => {
    for (const query of ['zxqv wwrt', '???', 'the of']) {
      const reply = await ask(query)
      assert.deepEqual(reply.operations, [])
      assert.match(reply.nothing_fits, /^No operation has/)
      assert.match(reply.next_step, /other English words/)
    }
  })

  test('finds words by their stem, a synonym and a beginning', async () => {
    assert.equal(namesOf(await ask('scrapping the photo'))[0], 'media.delete')
    assert.ok(namesOf(await ask('collecti')).includes('collections.create'))
  })

  test('finds misspelt words', async () => {
    assert.equal(namesOf(await ask('rollbak of the websitte'))[0], 'sites.rollback')
  })

  test('ignores names in quotes', async () => {
    const found = namesOf(await ask('add a field "Refund" to the form for customers'))
    assert.ok(found.includes('collections.update'), found.join())
    assert.ok(!found.includes('orders.refund'), found.join())
  })

  test('names a scope that an operation needs and the key does not have', async () => {
    const key = await fixture.newKey({ scopes: ['project:read'] })
    const [best] = (await ask('create a webhook', key)).operations
    assert.equal(best.refused_here, 'It needs webhooks:write.')
  })

  test('answers a query that is one word of 200 letters', async () => {
    assert.ok((await ask('ordernumbers'.repeat(20).slice(0, 200))).nothing_fits)
  })

  test('builds its index once, at the first search', () => {
    let builds = 0
    const { all, listable } = createCatalog([])
    const catalog = {
      all,
      listable,
      byToolName: new Map(),
      get people() {
        builds += 1
        return []
      },
    }
    const search = createOperationSearch(catalog)
    assert.equal(builds, 0)
    assert.deepEqual(search('webhook'), createOperationSearch(catalog)('webhook'))
    assert.equal(builds, 1)
  })
})
