/** Tests of search_operations over MCP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { callMessage, post } from '../../../../test/fixtures/mcp/mcp.ts'
import { createCatalog } from '../catalog.ts'
import { createOperationSearch } from './catalog-index.ts'

const fixture = await openTestRuntime({ work: false })

async function ask(query: string, key = fixture.key, address = ''): Promise<any> {
  const message = callMessage('search_operations', { query })
  const { body } = await post(fixture, message, { key, query: address })
  assert.equal(body.result.content.length, 1)
  assert.equal(body.result.structuredContent, undefined)
  return JSON.parse(body.result.content[0].text)
}

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
    'change fields of a document': 'documents.update',
    'remove a document': 'documents.delete',
    'undo the last version of a site': 'sites.rollback',
    'add up a field of documents': 'documents.query',
    'call.completed': 'webhooks.create',
  })) {
    test(`finds ${name} by "${query}"`, async () => {
      const found = namesOf(await ask(query))
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
    for (const name of ['webhooks.create', 'numbers.put_call_plan', 'documents.list']) {
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
    const [topUp] = (await ask('Guthaben aufladen')).operations
    assert.deepEqual([topUp.operation, topUp.only_in_portal], ['top_ups.create', `${page}/billing`])
  })

  test('explains why no operation fits a wish, and shows the nearest ones', async () => {
    const reply = await ask('send an SMS to a customer')
    assert.deepEqual(reply.operations, [])
    assert.equal(reply.nothing_fits, 'Homeport sends no text messages.')
    assert.ok(reply.near.length > 0 && reply.near.length <= 3)
    assert.match(reply.next_step, /Tell the user/)
  })

  test('says that no operation fits a wish of an unknown kind', async () => {
    for (const query of ['zxqv wwrt', '???', 'the of'])
      assert.match((await ask(query)).nothing_fits, /^No operation of this service/)
  })

  test('finds separable verbs apart, joined and as participles', async () => {
    for (const query of ['zet de webhook uit', 'webhook uitzetten', 'webhook is uitgezet'])
      assert.equal(namesOf(await ask(query))[0], 'webhooks.update', query)
    assert.equal(namesOf(await ask('schalte den Webhook ab'))[0], 'webhooks.update')
  })

  test('ranks operations of one noun by the class of the verb or question', async () => {
    for (const [query, name] of Object.entries({
      'toon webhooks': 'webhooks.list',
      'de webhook mag weg': 'webhooks.delete',
      'setz die Website auf die vorige Version zurück': 'sites.rollback',
      'warum ist so wenig Guthaben drauf': 'balance.get',
      'how is our call plan set up': 'numbers.get_call_plan',
    }))
      assert.equal(namesOf(await ask(query))[0], name, query)
  })

  test('finds compounds by their parts', async () => {
    assert.equal(namesOf(await ask('Telefonnummernbestellung'))[0], 'numbers.order')
    assert.ok(namesOf(await ask('websitewachtwoord')).includes('sites.update'))
  })

  test('finds a word by a synonym in another language', async () => {
    assert.equal(
      namesOf(await ask('Begrüßung of the receptioniste veranderen'))[0],
      'assistant.put',
    )
    assert.equal(namesOf(await ask('scrap the Foto'))[0], 'media.delete')
  })

  test('finds Dutch diminutives, and compounds of which only one end is known', async () => {
    assert.ok(namesOf(await ask('fotootje of plaatje weggooien')).includes('media.delete'))
    assert.ok(namesOf(await ask('Sommerangebotswebsite löschen')).includes('sites.delete'))
  })

  test('finds phrases whose single words mean little', async () => {
    assert.equal(namesOf(await ask('who am I'))[0], 'me.get')
    assert.equal(namesOf(await ask('wie ben ik'))[0], 'me.get')
  })

  test('refuses to book appointments', async () => {
    const key = await fixture.newKey()
    for (const query of ['book an appointment', 'Termin buchen', 'afspraak inplannen'])
      assert.match((await ask(query, key)).nothing_fits, /no calendar/)
  })

  test('finds misspelt words', async () => {
    assert.equal(namesOf(await ask('rollbak of the websitte'))[0], 'sites.rollback')
  })

  test('ignores names in quotes', async () => {
    const [best] = (await ask('add a field "Invoice" to the list of customers')).operations
    assert.equal(best.operation, 'collections.update')
  })

  test('names a scope that an operation needs and the key does not have', async () => {
    const key = await fixture.newKey({ scopes: ['project:read'] })
    const [best] = (await ask('create a webhook', key)).operations
    assert.equal(best.refused_here, 'It needs webhooks:write.')
  })

  test('answers a query that is one word of 200 letters', async () => {
    assert.ok((await ask('bestellnummern'.repeat(20).slice(0, 200))).nothing_fits)
  })

  test('builds its index once for concurrent searches', async () => {
    let builds = 0
    const { all, listable } = createCatalog([])
    const search = createOperationSearch({
      all,
      listable,
      get people() {
        builds += 1
        return []
      },
    })
    const [first, second] = await Promise.all([search('webhook'), search('webhook')])
    assert.deepEqual(first, second)
    assert.equal(builds, 1)
  })
})
