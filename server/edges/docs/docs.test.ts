/**
 * Tests of the reference site over HTTP: every page exists, every link resolves, no page needs a
 * script or other origins, and the tour works.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { textOfPage } from '../../../test/fixtures/portal/page-text.ts'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { errorCatalogue } from '../../contract/error-catalogue.ts'
import { statusTitle, statusesOf } from '../../contract/errors.ts'
import { writeNextStep, restPhrasing } from '../../contract/problems/next-steps.ts'
import { eventTypeNames, eventTypes } from '../../contract/event-types.ts'
import { limits, limitTable } from '../../contract/limits.ts'
import { planNames, plans } from '../../contract/plans.ts'
import { scopeNames, scopes } from '../../contract/scopes.ts'
import { errorSlugs } from '../describe/problems-of.ts'
import { splitExample } from './guides/signature-programs.ts'
import { tour, type TourStep } from './guides/tour.ts'

const runtime = await openTestRuntime({ work: false })
const { body: description } = await runtime.call('GET /openapi.json', { key: null })
const described = Object.entries<any>(description.paths).flatMap(([path, item]) =>
  Object.entries<any>(item).map(([method, operation]) => ({
    route: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)

const areas = [...new Set(described.map(({ operation }) => areaOf(operation.operationId)))]

function areaOf(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  runtime.call(`GET /${path}`, { key: null, headers })

// All guides of the folder, because a guide that no manifest of an area names has no page.
const guideFiles = readdirSync(join(import.meta.dirname, '../../../docs/guides')).filter((name) =>
  name.endsWith('.md'),
)

const pagePaths = [
  '/docs',
  '/docs/reference',
  ...areas.map((area) => `/docs/reference/${area}`),
  '/docs/settings',
  '/docs/errors',
  ...errorSlugs.map((slug) => `/docs/errors/${slug}`),
  '/docs/events',
  ...eventTypeNames.map((type) => `/docs/events/${type}`),
  '/docs/scopes',
  '/docs/limits',
  '/docs/chat-demo',
  ...guideFiles.map((file) => `/docs/guides/${file.slice(0, -'.md'.length)}`),
]

const pages = new Map<string, Answer>()
for (const path of pagePaths) pages.set(path, await get(path))

const page = (path: string): string => pages.get(path)?.text ?? ''

function attributes(markup: string, name: string): string[] {
  return [...markup.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(
    ([, value]) => value ?? '',
  )
}

/** Returns one element of a page by id, up to the next of its kind. */
function part(markup: string, id: string, tag: string): string {
  const begin = markup.search(new RegExp(`<${tag}[^>]*\\sid="${id.replaceAll('.', '\\.')}"`))
  assert.ok(begin >= 0, `no <${tag} id="${id}">`)
  const end = markup.indexOf(`</${tag}>`, begin)
  return markup.slice(begin, end)
}

describe('every page', () => {
  test('exists, as HTML', () => {
    for (const [path, { status, headers }] of pages) {
      assert.equal(status, 200, path)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', path)
      assert.ok(headers.get('x-request-id'), path)
    }
  })

  test('has a unique title, one heading, a language and a skip link', () => {
    const titles = new Set<string>()
    for (const [path, { text }] of pages) {
      titles.add(/<title>([^<]*)<\/title>/.exec(text)?.[1] ?? '')
      assert.equal(text.match(/<h1[\s>]/g)?.length, 1, path)
      assert.match(text, /<html lang="en">/, path)
      assert.match(text, /<main id="main"/, path)
      assert.match(text, /<a class="skip" href="#main">/, path)
      assert.match(text, /name="viewport" content="width=device-width, initial-scale=1"/, path)
    }
    assert.equal(titles.size, pages.size)
  })

  test('marks itself in the navigation', () => {
    for (const [path, { text }] of pages) assert.match(text, /aria-current="(?:page|true)"/, path)
  })

  test('has unique ids', () => {
    for (const [path, { text }] of pages) {
      const ids = attributes(text, 'id')
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
        path,
      )
    }
  })

  test('has no broken link or anchor', async () => {
    const asked = new Map<string, Promise<Answer>>()
    for (const [path, { text }] of pages) {
      for (const href of new Set(attributes(text, 'href'))) {
        const url = new URL(href.replaceAll('&amp;', '&'), runtime.runtime.config.public_url + path)
        assert.equal(url.origin, runtime.runtime.config.public_url, `${path} links to ${href}`)
        if (!asked.has(url.pathname)) asked.set(url.pathname, get(url.pathname))
        const target = await asked.get(url.pathname)
        assert.equal(target?.status, 200, `${path} links to ${href}`)
        const id = decodeURIComponent(url.hash.slice(1))
        if (id) assert.ok(attributes(target.text, 'id').includes(id), `${path} links to ${href}`)
      }
    }
  })

  test('has no missing text', () => {
    for (const [path, { text }] of pages) {
      assert.doesNotMatch(textOfPage(text), /\bundefined\b|\[object|\bNaN\b/, path)
    }
  })
})

describe('security of a page', () => {
  const strict = [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]

  test('sends a strict content security policy, also on 404 pages', async () => {
    const missing = await get('/docs/nothing')
    for (const { headers } of [...pages.values(), missing]) {
      const policy = headers.get('content-security-policy') ?? ''
      for (const rule of strict) assert.ok(policy.includes(rule), policy)
      assert.doesNotMatch(policy, /unsafe|\*|https?:/)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
    }
  })

  test('uses no inline script, style or event handler', () => {
    for (const [path, { text }] of pages) {
      assert.doesNotMatch(text, /<style|\sstyle="|\son\w+="|javascript:/i, path)
      for (const [script] of text.matchAll(/<script[^>]*>[^<]*/g))
        assert.match(script, / src="\/docs\/assets\/[^"]+" defer>$/)
    }
  })

  test('loads nothing from other origins', async () => {
    const { text: style } = await get('/docs/assets/style.css')
    assert.doesNotMatch(style, /url\(|@import/)
    for (const [path, { text }] of pages) {
      for (const source of attributes(text, 'src')) assert.match(source, /^\/docs\/assets\//, path)
      for (const [link] of text.matchAll(/<link[^>]*>/g))
        assert.match(link, / href="\/docs\/(?:assets\/|.*\.md")/)
    }
  })

  test('escapes text of declarations', () => {
    assert.ok(page('/docs').includes('Bearer &lt;key&gt;'))
    assert.ok(!page('/docs').includes('<key>'))
  })

  test('hides controls that require scripts if scripts are disabled', () => {
    for (const [path, { text }] of pages) {
      for (const [filter] of text.matchAll(/<p class="filter"[^>]*>/g))
        assert.match(filter, / hidden>/, path)
      assert.doesNotMatch(text, /<button/, path)
    }
  })
})

describe('the site', () => {
  test('serves its style, its script and its icon', async () => {
    const types = {
      'style.css': 'text/css',
      'page.js': 'text/javascript',
      'icon.svg': 'image/svg+xml',
    }
    for (const [file, type] of Object.entries(types)) {
      const answer = await get(`/docs/assets/${file}`)
      assert.equal(answer.status, 200, file)
      assert.ok(answer.headers.get('content-type')?.startsWith(type), file)
    }
  })

  test('answers 304 for a matching ETag, and 200 otherwise', async () => {
    const etag = pages.get('/docs')?.headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]+"$/)
    const same = await get('/docs', { 'if-none-match': `"other", W/${etag}` })
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag])
    assert.equal((await get('/docs', { 'if-none-match': '"other"' })).status, 200)
    assert.equal((await get('/docs')).headers.get('cache-control'), 'no-cache')
  })

  test('gives every page an ETag of its own', () => {
    const etags = [...pages.values()].map(({ headers }) => headers.get('etag'))
    assert.equal(new Set(etags).size, pages.size)
  })

  test('answers HEAD like GET, without a body', async () => {
    const { status, text, headers } = await runtime.call('HEAD //docs/errors', { key: null })
    assert.deepEqual([status, text], [200, ''])
    assert.equal(headers.get('etag'), pages.get('/docs/errors')?.headers.get('etag'))
  })

  test('accepts a trailing slash and a query', async () => {
    assert.equal((await get('/docs/')).text, page('/docs'))
    assert.equal((await get('/docs/errors/')).text, page('/docs/errors'))
    assert.equal((await get('/docs/errors?from=mail')).text, page('/docs/errors'))
  })

  test('answers an unknown path with an HTML page', async () => {
    const addresses = [
      'nothing',
      'errors/no_such_error',
      'events/a.b',
      'errors/__proto__',
      '%3Cb%3E',
      'assets/../docs.ts',
    ]
    for (const address of addresses) {
      const { status, text, headers } = await get(`/docs/${address}`)
      assert.equal(status, 404, address)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.match(text, /There is no such page/)
      assert.match(text, /href="\/docs\/errors"/)
    }
  })

  test('requires no key and ignores one', async () => {
    const { status } = await runtime.call('GET //docs', { key: 'hm_test_nonsense' })
    assert.equal(status, 200)
  })
})

describe('the reference', () => {
  const reference = areas.map((area) => page(`/docs/reference/${area}`)).join('\n')

  test('lists every operation of the OpenAPI document with its link', () => {
    const articles = [...reference.matchAll(/<article class="operation" id="([^"]+)"/g)].map(
      ([, id = '']) => id,
    )
    assert.deepEqual(
      articles.toSorted(),
      described.map(({ operation }) => operation.operationId).toSorted(),
    )
    for (const id of articles) assert.ok(attributes(reference, 'href').includes(`#${id}`), id)
  })

  test('shows route, purpose, scope and curl command of each operation', () => {
    for (const { route, operation } of described) {
      const text = textOfPage(part(reference, operation.operationId, 'article')).replaceAll(
        /\s+/g,
        ' ',
      )
      assert.ok(text.includes(route), route)
      assert.ok(text.includes(operation.summary), route)
      const keyless = route.includes(' /public/') ? 'Needs a public token' : 'Needs no key'
      assert.ok(text.includes(operation['x-scope'] ?? keyless), route)
      for (const sample of ['curl ', 'await fetch(', 'import requests'])
        assert.ok(text.includes(sample), `${route} ${sample}`)
    }
  })

  test('shows parameters and problems of each operation, with links to the problems', () => {
    for (const { operation } of described) {
      const article = part(reference, operation.operationId, 'article')
      for (const { name } of operation.parameters) {
        if (name !== 'X-Request-Id')
          assert.ok(textOfPage(article).includes(name), `${operation.operationId} ${name}`)
      }
      for (const response of Object.values<any>(operation.responses)) {
        for (const slug of Object.keys(
          response.content?.['application/problem+json']?.examples ?? {},
        )) {
          assert.ok(
            article.includes(`href="/docs/errors/${slug}"`),
            `${operation.operationId} ${slug}`,
          )
        }
      }
    }
  })

  test('shows every field of each request and response body', () => {
    for (const { operation } of described) {
      const text = textOfPage(part(reference, operation.operationId, 'article'))
      const good = Object.entries<any>(operation.responses).find(([status]) =>
        status.startsWith('2'),
      )?.[1]
      for (const content of [operation.requestBody?.content, good?.content]) {
        for (const name of Object.keys(fieldsOfSchema(content?.['application/json']?.schema))) {
          assert.ok(text.includes(name), `${operation.operationId} ${name}`)
        }
      }
    }
  })
})

function fieldsOfSchema(schema: any): object {
  if (schema?.$ref)
    return fieldsOfSchema(description.components.schemas[schema.$ref.split('/').at(-1)])
  return schema?.properties ?? {}
}

describe('the search', () => {
  test('finds operations, errors, guides and settings without a script', async () => {
    const wanted: Record<string, string> = {
      'buy a phone number': '/docs/reference/numbers#numbers.order',
      'insufficient balance': '/docs/errors/insufficient_balance',
      'call plan menu': '/docs/guides/call-plans',
      HOMEPORT_SECRET: '/docs/settings',
      'verify signature': '/docs/guides/verify-signatures',
      'import csv': '/docs/guides/import',
      voicemail: '/docs/guides/calls',
      'message caller': '/docs/guides/calls',
    }
    for (const [words, href] of Object.entries(wanted)) {
      const { status, text } = await get(`/docs/search?q=${encodeURIComponent(words)}`)
      assert.equal(status, 200)
      const [, results = ''] = text.split('id="results"')
      assert.ok(results.includes(`href="${href}"`), words)
    }
  })

  test('escapes the query, and handles empty queries and empty results', async () => {
    const { text } = await get(`/docs/search?q=${encodeURIComponent('<b>qzxwv')}`)
    assert.match(text, /Nothing found for “&lt;b&gt;qzxwv”/)
    assert.equal((await get('/docs/search')).status, 200)
    assert.equal((await get('/docs/search?q=a&q=b')).status, 200)
  })

  test('refuses more than 60 searches a minute from one address, as a page and as JSON', async () => {
    runtime.passes('1 minute')
    const search = (accept: string) => get('/docs/search?q=webhook', { accept })
    for (let count = 0; count < limits.docs_searches_max; count += 1)
      assert.equal((await search('text/html')).status, 200)
    runtime.passes('15 seconds')
    const page = await search('text/html,application/xhtml+xml')
    assert.equal(page.status, 429)
    const wait_s = Number(page.headers.get('retry-after'))
    assert.ok(wait_s > 0 && wait_s <= 45, String(wait_s))
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(page.text, /Too many searches/)
    assert.match(page.text, /Wait \d+ seconds?, then search again\./)
    const { status, headers, body } = await search('*/*')
    assert.equal(status, 429)
    assert.ok(Number(headers.get('retry-after')) > 0)
    assert.match(body.type, /rate_limited$/)
    assert.match(body.next_step, /^Wait \d+ seconds?, then search again/)
    assert.equal((await get('/docs/limits')).status, 200)
    runtime.passes('45 seconds')
    assert.equal((await search('text/html')).status, 200)
  })
})

describe('the Markdown of a page', () => {
  test('keeps spaces before punctuation in code', async () => {
    const { text } = await get('/docs/guides/filters.md')
    assert.ok(text.includes('`status != "open"`'))
  })

  test('returns the Markdown source of a guide', async () => {
    const { text } = await get('/docs/guides/call-plans.md')
    assert.match(text, /^# Call plans\n/)
    assert.doesNotMatch(text, /\{\{/)
  })

  test('shows the address of a site as an absolute URL', async () => {
    const { text } = await get('/docs/guides/sites.md')
    assert.ok(text.includes(`http://<slug>.${runtime.runtime.config.sites_domain}`))
  })
})

describe('the errors', () => {
  test('lists errors in the order of the catalogue', () => {
    const [, table = ''] = page('/docs/errors').split('id="catalogue"')
    const listed = [...table.matchAll(/href="\/docs\/errors\/(\w+)"/g)].map(([, slug]) => slug)
    assert.deepEqual(listed, [...errorSlugs])
  })

  test('shows status, meaning, user message and next step on a page per error', () => {
    for (const slug of errorSlugs) {
      const { about, user, next, http } = errorCatalogue[slug]
      const text = textOfPage(page(`/docs/errors/${slug}`))
      for (const sentence of [slug, about, user, writeNextStep(restPhrasing, next)])
        assert.ok(text.includes(sentence), `${slug}: ${sentence}`)
      for (const status of http === false ? [] : statusesOf(slug)) {
        assert.ok(text.includes(`${status} ${statusTitle(status)}`), slug)
      }
    }
  })

  test('names the operations that return an error', () => {
    for (const { operation } of described) {
      for (const slug of ['version_conflict', 'insufficient_balance', 'webhook_limit_reached']) {
        const given = JSON.stringify(operation.responses).includes(`examples/${slug}`)
        const id = operation.operationId
        const link = `href="/docs/reference/${areaOf(id)}#${id}"`
        const [, list = ''] = page(`/docs/errors/${slug}`).split('Where it occurs')
        assert.equal(list.includes(link), given, `${slug} ${operation.operationId}`)
      }
    }
  })

  test('shows the type URL of an error', async () => {
    const { body } = await runtime.call('GET /calls/nothing')
    const { pathname } = new URL(body.type)
    assert.equal(pathname, '/docs/errors/not_found')
    assert.ok(textOfPage(page(pathname)).includes(`"type": "${body.type}"`))
  })

  test('marks the one code that is not an HTTP response', () => {
    const text = textOfPage(page('/docs/errors/test_free_calls_used'))
    assert.ok(text.includes('Never sent as a reply'))
    assert.ok(!text.includes('Where it occurs\nEvery'))
  })
})

describe('the events', () => {
  test('shows on a page per event its trigger and the sent headers', () => {
    for (const type of eventTypeNames) {
      const text = textOfPage(page(`/docs/events/${type}`))
      assert.ok(text.toLowerCase().includes(eventTypes[type].toLowerCase()), type)
      for (const name of ['Service-Event', 'Service-Delivery', 'Service-Signature'])
        assert.ok(text.includes(name))
      assert.ok(textOfPage(page('/docs/events')).includes(type))
    }
  })

  test('shows the payload of emitted events, and marks events that are never emitted', () => {
    for (const type of eventTypeNames) {
      const text = textOfPage(page(`/docs/events/${type}`))
      const sent = Object.hasOwn(description.webhooks, type)
      assert.equal(text.includes('"created_at":'), sent, type)
      assert.equal(text.includes('nothing in this version sends it yet'), !sent, type)
    }
  })

  test('states the number of delivery attempts', () => {
    const text = textOfPage(page('/docs/events')).replaceAll(/\s+/g, ' ')
    assert.ok(
      text.includes(
        '1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 12 hours and 24 hours: 8 attempts',
      ),
    )
  })
})

test('the page of scopes lists every scope with its operations', () => {
  for (const scope of scopeNames) {
    const section = part(page('/docs/scopes'), scope, 'section')
    assert.ok(textOfPage(section).includes(scopes[scope].read_only ? 'read only' : 'makes changes'))
    for (const { operation } of described) {
      const id = operation.operationId
      const listed = section.includes(`<a href="/docs/reference/${areaOf(id)}#${id}"`)
      if (operation['x-scope'] === scope) assert.ok(listed, `${scope} ${operation.operationId}`)
    }
  }
})

test('the page of limits lists all limits and plans', () => {
  const text = textOfPage(page('/docs/limits'))
  for (const { about } of Object.values(limitTable)) assert.ok(text.includes(about), about)
  for (const plan of planNames) assert.ok(text.includes(plans[plan].title))
  for (const words of ['120 requests', '24 hours', '15 minutes', '64 kB', '10 MB', '0.1 percent']) {
    assert.ok(text.includes(words), words)
  }
})

describe('the guide to signatures', () => {
  const folder = join(import.meta.dirname, '../../../docs/guides/verify-signatures')
  const files = ['node.mjs', 'verify.py', 'verify.php', 'verify.go', 'verify.rb']

  test('shows the tested programs, each within a server', () => {
    const text = textOfPage(page('/docs/guides/verify-signatures'))
    for (const file of files) {
      const { server, program } = splitExample(readFileSync(join(folder, file), 'utf8'))
      assert.ok(text.includes(program), file)
      assert.ok(text.includes(server), file)
    }
  })

  test('omits the head comment of a program, and nothing else', () => {
    for (const file of files) {
      const source = readFileSync(join(folder, file), 'utf8')
      const { server, program } = splitExample(source)
      const lines = source.trim().split('\n')
      const kept = program.split('\n')
      const head = lines.slice(0, lines.length - kept.length + (file.endsWith('.php') ? 1 : 0))
      const comment = head.filter((line) => line !== '' && line !== '<?php')
      assert.ok(
        comment.every((line) => /^(?:\/\/|#)/.test(line)),
        file,
      )
      assert.equal(lines.slice(-10).join('\n'), kept.slice(-10).join('\n'))
      assert.match(server, /refusal/)
      assert.match(program, /^(?:<\?php|package main|import|require)/, file)
    }
  })
})

describe('the tour', () => {
  const kept = new Map<string, string>()
  const filled = (text: string) =>
    text.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => kept.get(name) ?? '?')

  async function take({ route, path, body, headers = [], keep }: TourStep): Promise<Answer> {
    const [method = '', ownPath = ''] = route.split(' ')
    const sent = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)))
    // Replaces the example URL of the tour by a loopback receiver.
    if (sent?.url) sent.url = 'http://127.0.0.1:9/'
    const answer = await runtime.call(`${method} ${filled(path ?? ownPath)}`, {
      ...(sent === undefined ? {} : { body: sent }),
      headers: Object.fromEntries(headers.map((header) => header.split(': '))),
    })
    if (keep) kept.set(keep.variable, answer.body[keep.field])
    return answer
  }

  test('works step by step from the project to the transcript, and leaves no webhook', async () => {
    const answers: Answer[] = []
    for (const step of tour) {
      const answer = await take(step)
      assert.ok([200, 201, 204].includes(answer.status), `${step.route}: ${answer.text}`)
      answers.push(answer)
    }
    const { body } = answers.find((answer) => answer.body?.transcript) ?? {}
    assert.match(body.transcript.map(({ text }: any) => text).join(' '), /4\.50 euro/)
    assert.deepEqual((await runtime.call('GET /webhooks')).body.data, [])
  })

  test('is on the start page, with a command for every step', () => {
    const text = textOfPage(page('/docs'))
    for (const { title, route, path } of tour) {
      assert.ok(text.includes(title), title)
      assert.ok(text.includes(`/api/v1${path ?? route.split(' ')[1]}`), route)
    }
  })
})
