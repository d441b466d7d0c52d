/**
 * Tests of the guides to filters and to forms against the server: every filter parses, every query
 * and error is as shown, the form works, and every number is a limit.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { textOfPage } from '../../../../test/fixtures/portal/page-text.ts'
import { blockOf, bodyOf, rowsBelow } from '../../../../test/fixtures/docs/guides.ts'
import * as publicTokens from '../../../areas/public-tokens/service.ts'
import { parseFilter } from '../../../areas/data/query/filter/filter-grammar.ts'
import { DocumentsQuery } from '../../../areas/data/query/schema.ts'
import { limits } from '../../../contract/limits.ts'
import { formatBytes, formatDuration, formatNumber } from '../../describe/words.ts'

const runtime = await openTestRuntime({ work: false })

/** The main content of a page, as HTML. */
async function mainOf(path: string): Promise<string> {
  const { status, text } = await runtime.call(`GET /${path}`, { key: null })
  assert.equal(status, 200, path)
  return /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? ''
}

/** The visible text of a page. */
async function read(path: string): Promise<string> {
  return textOfPage(await mainOf(path))
}

/** The guide as Markdown for agents. */
async function markdownOf(path: string): Promise<string> {
  const { status, text } = await runtime.call(`GET /${path}.md`, { key: null })
  assert.equal(status, 200, path)
  return text
}

const figuresIn = (...texts: string[]): string[] =>
  texts.flatMap((text) => text.match(/\d[\d.,]*\d|\d/g) ?? [])

/** Returns the numbers in prose; code and examples are excluded. */
async function figuresOf(path: string): Promise<string[]> {
  const main = await mainOf(path)
  const prose = main
    .replaceAll(/(<h3[^>]*>)\d\. /g, '$1')
    .replaceAll(/<figure.*?<\/figure>/gs, ' ')
    .replaceAll(/<code>.*?<\/code>/gs, ' ')
    .replaceAll(/<[^>]*>|&#?\w+;/g, ' ')
  return figuresIn(prose)
}

const orders = [
  { status: 'paid', day: '2026-11-03', total: 210.5, name: 'Anna', address: { city: 'Utrecht' } },
  { status: 'paid', day: '2026-11-10', total: 150, name: 'Bram', tags: ['garden'] },
  { status: 'paid', day: '2026-11-30', total: 50, name: 'Chris', note: 'gluten free' },
  { status: 'open', day: '2026-11-04', total: 30 },
  { status: 'open', day: '2026-11-05', total: 50, address: { 'zip code': '3511 AB' } },
  { status: 'open', day: '2026-12-05', total: 500 },
  { status: 'paid', day: '2025-11-05', total: 900 },
]

async function list(query: Record<string, string>): Promise<Answer> {
  return runtime.call(`GET /collections/orders/documents?${new URLSearchParams(query)}`)
}

async function totalsOf(filter: string): Promise<number[]> {
  const { status, body, text } = await list({ filter, sort: 'total' })
  assert.equal(status, 200, text)
  return body.data.map(({ data }: { data: { total: number } }) => data.total)
}

describe('the guide to filters', async () => {
  const text = await read('/docs/guides/filters')
  const markdown = await markdownOf('/docs/guides/filters')
  const filterExamples = rowsBelow(markdown, 'Filters').map(([wanted = '', filter = '']) => ({
    wanted,
    filter,
  }))
  await runtime.call('POST /collections', { body: { name: 'orders' } })
  const operations = orders.map((data) => ({ op: 'create', data }))
  const made = await runtime.call('POST /collections/orders/documents/batch', {
    body: { operations },
  })
  assert.equal(made.status, 200, made.text)

  test('shows filters that parse and that the server accepts', async () => {
    const moment = { now_ms: runtime.runtime.clock.now_ms(), timezone: 'UTC' }
    for (const { filter, wanted } of filterExamples) {
      assert.ok(text.includes(filter), filter)
      assert.ok(text.includes(wanted), wanted)
      assert.ok(parseFilter({ text: filter, parameter: 'filter', moment }), filter)
      const { status, text: answered } = await list({ filter })
      assert.equal(status, 200, `${filter}: ${answered}`)
    }
    assert.ok(filterExamples.length > 20)
    const wants = filterExamples.map(({ wanted }) => wanted)
    assert.equal(new Set(wants).size, wants.length)
  })

  test('shows no invalid filter in its prose', () => {
    const moment = { now_ms: runtime.runtime.clock.now_ms(), timezone: 'UTC' }
    for (const filter of ['data.not = 1', 'total != 7']) {
      assert.ok(text.includes(filter), filter)
      assert.ok(parseFilter({ text: filter, parameter: 'filter', moment }))
    }
    const never = 'version = "1"'
    assert.ok(text.includes(never))
    assert.throws(() => parseFilter({ text: never, parameter: 'filter', moment }))
  })

  test('shows filters that match the described documents', async () => {
    const kept: Record<string, number[]> = {
      'Both conditions': [500],
      'One of two, and another': [150, 210.5, 500, 900],
      'None of these values, or no value': [30, 50, 50, 150, 210.5, 500, 900],
      'Another value': [50, 150, 210.5, 900],
      'Filled in': [50],
      'Contained in a text': [50],
      'In an array': [150],
      'Inside an object': [210.5],
      'A name that is not a single word': [50],
      'Of one month': [30, 50, 50, 150, 210.5],
      'Sent by a form': [],
    }
    for (const [wanted, totals] of Object.entries(kept)) {
      const example = filterExamples.find((one) => one.wanted === wanted)
      assert.ok(example, wanted)
      assert.deepEqual(await totalsOf(example.filter), totals, wanted)
    }
    assert.equal((await totalsOf('missing != 7')).length, orders.length)
  })

  test('shows a list with valid parameters and sort orders', async () => {
    const command = blockOf(markdown, 'GET /collections/{name}/documents')
    const parameters = [...command.matchAll(/--data-urlencode '(\w+)=(.*)'/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    )
    assert.equal(parameters.length, 4)
    const { status, body } = await list(Object.fromEntries(parameters))
    assert.deepEqual([status, body.data.map(({ data }: any) => data)], [200, [{ total: 500 }]])
    for (const name of Object.keys(DocumentsQuery.properties)) assert.ok(text.includes(name), name)
    const sorts = rowsBelow(markdown, 'Sort order')
    assert.equal(sorts.length, 3)
    for (const [wanted = '', sort = ''] of sorts)
      assert.equal((await list({ sort })).status, 200, wanted)
  })

  test('shows a grouped query and its exact reply', async () => {
    const query = bodyOf(blockOf(markdown, 'POST /collections/{name}/documents/query'))
    const answer = await runtime.call('POST /collections/orders/documents/query', { body: query })
    const shown = JSON.parse(blockOf(markdown, 'Reply 200'))
    assert.deepEqual([answer.status, answer.body], [200, shown])
  })

  test('shows an error as the server returns it', async () => {
    const { status, body } = await list({ filter: 'status = open' })
    assert.equal(status, 400)
    assert.match(text, /The text in\s+status = open has no quotes/)
    const { request_id, ...rest } = JSON.parse(blockOf(markdown, 'Reply 400'))
    assert.ok(request_id)
    assert.deepEqual({ ...rest, request_id: body.request_id }, body)
  })

  test('is linked from the parameter that it explains', async () => {
    const reference = await read('/docs/reference/documents')
    assert.ok(reference.includes('See /docs/guides/filters.'))
  })

  test('contains no number that is not a limit', async () => {
    const known = figuresIn(
      ...[
        limits.filter_characters_max,
        limits.filter_comparisons_max,
        limits.filter_depth_max,
        limits.filter_list_values_max,
        limits.shown_fields_max,
        limits.sort_fields_max,
        limits.sort_text_bytes_max,
        limits.search_words_max,
        limits.page_limit_default,
        limits.page_limit_max,
        limits.query_group_fields_max,
        limits.query_aggregates_max,
        limits.query_groups_default,
        limits.query_groups_max,
        limits.collection_indexes_max,
        limits.collection_unique_max,
      ].map(formatNumber),
      formatBytes(limits.search_bytes_max),
    )
    // Other numbers: a day of 24 hours, ISO 8601, the statuses 200 and 400, and 1 as the first page
    // and character.
    const others = ['24', '8601', '200', '400', '1']
    const figures = await figuresOf('/docs/guides/filters')
    for (const figure of figures) assert.ok([...known, ...others].includes(figure), figure)
    for (const figure of known) assert.ok(figures.includes(figure), figure)
  })
})

describe('the guide to forms', async () => {
  const text = await read('/docs/guides/forms')
  const markdown = await markdownOf('/docs/guides/forms')
  const base_url = `${runtime.runtime.config.public_url}/api/v1`
  const [, markup = ''] = /```html HTML\n(<script.*?)\n```/s.exec(markdown) ?? []
  const formCollection = bodyOf(blockOf(markdown, 'POST /collections'))
  const tokenInput = bodyOf(blockOf(markdown, 'POST /chat-tokens'))
  const [formOrigin = ''] = tokenInput.allowed_origins
  const made = await publicTokens.create(runtime.runtime, {
    project_id: runtime.project_id,
    name: 'A site',
    allowed_origins: [formOrigin],
  })
  const created = await runtime.call('POST /collections', { body: formCollection })
  const attribute = (tag: string, name: string): string =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  const inputs = markup.match(/<input[^>]*>/g) ?? []
  const action = attribute(markup, 'action')

  /** Submits a form as a browser without a script does. */
  function submit(values: Record<string, string>): Promise<Answer> {
    const fields = inputs.map((tag): [string, string] => {
      const name = attribute(tag, 'name')
      const value = name === 'token' ? made.token : attribute(tag, 'value')
      return [name, values[name] ?? value]
    })
    return runtime.call(`POST /${new URL(action).pathname}`, {
      key: null,
      raw: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        origin: formOrigin,
      },
    })
  }

  const anna = { name: 'Anna', email: 'anna@example.com', guests: '4', day: '2026-12-24' }

  test('shows requests that create the collection and the token', async () => {
    assert.equal(created.status, 201, created.text)
    assert.equal((await runtime.call('POST /chat-tokens', { body: tokenInput })).status, 201)
  })

  test('shows a form that works without a script and redirects to the page of thanks', async () => {
    assert.ok(text.includes(markup))
    const { status, headers, text: answered } = await submit({ ...anna, terrace: 'on' })
    assert.equal(status, 303, answered)
    assert.equal(headers.get('location'), `${formOrigin}/thanks`)
    const { body } = await runtime.call('GET /collections/bookings/documents?filter=source="form"')
    const [document] = body.data
    assert.deepEqual(document.data, { ...anna, guests: 4, terrace: true })
  })

  test('shows a honeypot field that prevents storing, and a page that names invalid fields', async () => {
    assert.equal((await submit({ ...anna, hp_website: 'spam' })).status, 303)
    const { status, text: answered } = await submit({ ...anna, guests: '40' })
    assert.equal(status, 422)
    assert.match(answered, /<li>guests: At most 12\.<\/li>/)
    const { body } = await runtime.call('GET /collections/bookings/documents')
    assert.equal(body.data.length, 1)
  })

  test('has a labelled field for every property of the schema', () => {
    const names = inputs
      .map((tag) => attribute(tag, 'name'))
      .filter((name) => !/^(?:token|redirect|hp_\w+)$/.test(name))
    assert.deepEqual(names, Object.keys(formCollection.schema.properties))
    assert.equal(markup.match(/<label>/g)?.length, names.length)
    assert.equal(markup.split('hm_pub_…').length, 3)
  })

  test('contains only URLs that exist', async () => {
    const source = attribute(markup, 'src')
    const script = await fetch(source.replace(runtime.runtime.config.public_url, runtime.url))
    assert.equal(script.status, 200)
    assert.match(script.headers.get('content-type') ?? '', /javascript/)
    assert.equal(action, `${base_url}/public/collections/${formCollection.name}/documents`)
    const { body } = await runtime.call('GET /openapi.json', { key: null })
    for (const path of [
      '/public/collections/{name}/documents',
      '/public/collections/{name}/form',
    ]) {
      assert.ok(text.includes(path), path)
      assert.ok(Object.hasOwn(body.paths, path), path)
    }
  })

  test('shows how to submit from a script', async () => {
    const [, literal = ''] = /const booking = (\{.*\})/.exec(markdown) ?? []
    const document = JSON.parse(literal.replaceAll(/(\w+): /g, '"$1": ').replaceAll("'", '"'))
    const { status, body } = await runtime.call(`POST /${new URL(action).pathname}`, {
      key: made.token,
      body: document,
      headers: { origin: formOrigin },
    })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id', 'created_at'])
  })

  test('shows how to require a challenge, and the reply without a solution', async () => {
    const change = bodyOf(blockOf(markdown, 'PATCH /collections/{name}'))
    assert.deepEqual(change, { form: { challenge: true } })
    const { status } = await runtime.call('PATCH /collections/bookings', { body: change })
    assert.equal(status, 200)
    assert.equal((await submit(anna)).status, 403)
  })

  test('contains no number that is not a limit', async () => {
    const known = figuresIn(
      ...[
        limits.public_token_origins_max,
        limits.public_submissions_per_address_max,
        limits.public_submissions_per_token_max,
        limits.public_requests_per_address_max,
        limits.public_requests_per_token_max,
        limits.form_fields_max,
        limits.form_files_max,
        limits.documents_per_collection_max,
      ].map(formatNumber),
      ...[limits.form_bytes_max, limits.form_file_bytes_max, limits.document_bytes_max].map(
        formatBytes,
      ),
      ...[limits.form_fill_s_min, limits.public_window_s, limits.form_challenge_lifetime_s].map(
        formatDuration,
      ),
    )
    const figures = await figuresOf('/docs/guides/forms')
    for (const figure of figures) assert.ok(known.includes(figure), figure)
    for (const figure of known) assert.ok(figures.includes(figure), figure)
  })
})
