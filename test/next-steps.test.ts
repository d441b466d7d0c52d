/**
 * Checks the next step of every error, as worded for REST, MCP and the portal: each route, tool and
 * page in it exists there.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { operations, peopleOperations } from '../server/app.ts'
import { errorCatalogue, type ErrorSlug } from '../server/contract/error-catalogue.ts'
import { errorUrl, Problem, problemDocument } from '../server/contract/errors.ts'
import {
  writeNextStep,
  restPhrasing,
  routesInText,
} from '../server/contract/problems/next-steps.ts'
import { errorSlugs } from '../server/edges/describe/problems-of.ts'
import { toDocsUrl } from '../server/edges/http/problems.ts'
import { defaultOperations } from '../server/edges/describe/default-tools.ts'
import { createCatalog } from '../server/edges/mcp/catalog.ts'
import { createMcpPhrasing } from '../server/edges/describe/mcp-phrasing.ts'
import { listSessionOperations } from '../server/edges/portal-api/document.ts'
import { portalPhrasing } from '../server/edges/portal-api/phrasing.ts'
import { openTestRuntime } from './fixtures/runtime.ts'
import { callMessage, post } from './fixtures/mcp/mcp.ts'

const mcp = createMcpPhrasing(operations)
const catalog = createCatalog(operations)
const restRoutes = new Set<string>(operations.map(({ route }) => route))
const portalRoutes = new Set<string>([
  ...listSessionOperations({ operations, peopleOperations }).map(
    ({ method, path }) => `${method} ${path}`,
  ),
  'GET /openapi.json',
  // The portal's API does not repeat public operations.
  ...operations
    .filter(({ scope }) => scope === null)
    .map(({ method, path }) => `${method} /api/v1${path}`),
])
const stepAt = (phrasing: typeof mcp, slug: ErrorSlug) =>
  writeNextStep(phrasing, errorCatalogue[slug].next)
const routesIn = (text: string) => [...text.matchAll(routesInText)].map(([route]) => route)

/** The English titles of the portal's pages, read from its sources, which need a browser to run. */
const readPortal = (file: string) =>
  readFileSync(new URL(`../portal/src/${file}`, import.meta.url), 'utf8')
const pageNames = [...readPortal('pages.ts').matchAll(/^ {4}name: '(\w+)',$/gm)].map(
  ([, name]) => name,
)
const pageTitles = pageNames.map((name) => {
  const [, title] =
    new RegExp(`^ {4}${name}: '([^']+)',$`, 'm').exec(readPortal('shell/texts.ts')) ?? []
  assert.ok(title !== undefined, `the page ${name} has no title`)
  return title
})

const PAGE = '[A-Z][a-z]+(?: live)?'
const pageName = new RegExp(
  `(?:portal,? (?:under )?|under |open )(?<name>${PAGE})(?: or (?<other>${PAGE}))?`,
  'g',
)

/** The project pages of the portal that a next step names. */
function pagesIn(text: string): string[] {
  return [...text.matchAll(pageName)].flatMap(({ groups }) =>
    [groups?.['name'], groups?.['other']].filter((name) => name !== undefined),
  )
}

describe('the next step of every error', () => {
  for (const slug of errorSlugs) {
    test(`${slug}: names only REST routes that exist`, () => {
      for (const route of routesIn(`${errorCatalogue[slug].about} ${stepAt(restPhrasing, slug)}`))
        assert.ok(restRoutes.has(route), `${route} does not exist`)
    })

    test(`${slug}: names over MCP no route, no header and no command`, () => {
      const text = stepAt(mcp, slug)
      assert.doesNotMatch(text, routesInText)
      assert.doesNotMatch(
        text,
        /openapi|\bheader|If-Match|ETag|Idempotency-Key|Retry-After|Authorization|command|homeport |\bbody\b/i,
      )
      assert.doesNotMatch(text, /[{}]|undefined|\bnull seconds/)
    })

    test(`${slug}: names over MCP only tools that are listed and operations that can be run`, () => {
      const text = stepAt(mcp, slug)
      const listed = new Set(
        catalog.listable
          .filter(({ operation }) => defaultOperations.includes(operation.name))
          .map(({ listing }) => listing.name),
      )
      for (const [name] of text.matchAll(/\b[a-z]+\.[a-z]+(?:_[a-z]+)*\b/g)) {
        const known = catalog.all.has(name) || dottedNames.has(name)
        assert.ok(known, `${name} is no operation`)
      }
      for (const [name] of text.matchAll(
        /\b(?:numbers|sites|media|collections|documents|assistant|calls)_[a-z]+\b/g,
      ))
        assert.ok(listed.has(name), `${name} is no tool`)
      assert.doesNotMatch(text, /the operation for "/)
    })

    test(`${slug}: names at the portal only paths of its API and no credentials of the API`, () => {
      const text = stepAt(portalPhrasing, slug)
      for (const route of routesIn(text))
        assert.ok(portalRoutes.has(route), `${route} does not exist`)
      assert.doesNotMatch(text, /Authorization|hm_test_|hm_live_|command/)
    })

    test(`${slug}: names the Idempotency-Key as a header over REST, and not at all at the portal`, () => {
      const names = (phrasing: typeof mcp) => /idempotency.?key/i.exec(stepAt(phrasing, slug))?.[0]
      assert.ok([undefined, 'Idempotency-Key'].includes(names(restPhrasing)))
      assert.ok([undefined, 'idempotency_key'].includes(names(mcp)))
      assert.equal(names(portalPhrasing), undefined)
    })

    test(`${slug}: names a page wherever it sends the owner to the portal`, () => {
      for (const phrasing of [restPhrasing, mcp, portalPhrasing]) {
        const text = stepAt(phrasing, slug)
        if (!/\bportal\b/.test(text.replaceAll('sign in to the portal', ''))) continue
        assert.notDeepEqual(pagesIn(text), [], text)
      }
    })
  }

  test('names only portal pages that exist', () => {
    const phrasings = [restPhrasing, mcp, portalPhrasing]
    const texts = phrasings.flatMap((phrasing) => errorSlugs.map((slug) => stepAt(phrasing, slug)))
    const named = new Set(texts.flatMap(pagesIn))
    assert.ok(named.size > 2)
    const titles = pageTitles.flatMap((title) => title.toLowerCase().split(' & '))
    for (const title of named)
      assert.ok(titles.includes(title.toLowerCase()), `the portal has no page "${title}"`)
  })

  test("is printed on the error's documentation page, to which the problem's type links", async () => {
    const fixture = await openTestRuntime({ work: false })
    for (const slug of errorSlugs) {
      const { pathname } = new URL(errorUrl(slug, toDocsUrl(fixture.runtime)))
      const { status } = await fixture.call(`GET /${pathname}`, { key: null })
      assert.equal(status, 200, slug)
    }
  })

  test('gives the seconds to wait before a retry if they are known', () => {
    const problem = new Problem('rate_limited', 'Too many.', { retry_after_s: 12 })
    const request = { request_id: 'req_0123456789abcdefghij', docs_url: 'https://example.com/docs' }
    const said = (phrasing: typeof mcp) =>
      problemDocument(problem, { ...request, phrasing }).next_step
    assert.match(said(mcp) ?? '', /^Wait 12 seconds before the next call/)
    assert.match(said(restPhrasing) ?? '', /^Wait 12 seconds \(the Retry-After header\)/)
    assert.match(said(portalPhrasing) ?? '', /^Wait 12 seconds .* per person/)
  })

  test('keeps the id of a resolved route and names the tool of that route', () => {
    assert.equal(
      mcp.rename('Use PUT /sites/0198-5, as GET /numbers/available shows.'),
      'Use sites_publish with id 0198-5, as numbers.available shows.',
    )
  })

  test('does not name a REST route in the detail on MCP either', () => {
    const problem = new Problem('validation_failed', 'See GET /numbers/available.', {
      errors: [{ path: '/number', message: 'must be one of GET /numbers/available' }],
    })
    const request = { request_id: 'req_0123456789abcdefghij', docs_url: 'https://example.com/docs' }
    const { detail, errors } = problemDocument(problem, { ...request, phrasing: mcp })
    assert.equal(detail, 'See numbers.available.')
    assert.equal(errors?.[0]?.message, 'must be one of numbers.available')
  })

  test('names the argument for a used idempotency key over MCP', async () => {
    const fixture = await openTestRuntime({ work: false })
    const order = async (wanted: object) => {
      const given = { idempotency_key: 'one', ...wanted }
      const asked = { operation: 'numbers.order', arguments: given }
      return (await post(fixture, callMessage('run_write_operation', asked))).body.result
    }
    assert.equal((await order({})).isError, undefined)
    const { detail, next_step } = JSON.parse((await order({ area: '020' })).content[0].text)
    assert.match(next_step, /use a new idempotency_key/)
    assert.doesNotMatch(`${detail} ${next_step}`, /Idempotency-Key/)
  })

  test('names the generic tool for an operation without a tool of its own', () => {
    assert.match(
      stepAt(mcp, 'webhook_limit_reached'),
      /^Read webhooks\.list, .* Run webhooks\.list with run_read_operation\. Run webhooks\.delete and webhooks\.create with run_write_operation\.$/,
    )
  })
})

/** Dotted names that are not operations: fields, an event and hosts. */
const dottedNames = new Set([
  'address.country',
  'verification.levels',
  'call.completed',
  'project.access',
  'www.example',
  'example.com',
])
