/** The next step of every error, at every door: it names only what exists there. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations, peopleOperations } from '../server/app.ts'
import {
  errorCatalogue,
  Problem,
  problemDocument,
  type ErrorSlug,
} from '../server/contract/errors.ts'
import { asGuest } from '../server/contract/guests.ts'
import { nextStepAt, restPhrasing, routesInText } from '../server/contract/next-steps.ts'
import { describable } from '../server/contract/people.ts'
import { problemsOf, slugs } from '../server/edges/docs/describe/problems-of.ts'
import { catalogOf } from '../server/edges/mcp/catalog.ts'
import { mcpPhrasing } from '../server/edges/mcp/phrasing.ts'
import { sessionOperations } from '../server/edges/portal-api/document.ts'
import { portalPhrasing } from '../server/edges/portal-api/phrasing.ts'
import { projectPages } from '../server/edges/portal/layout.ts'

const mcp = mcpPhrasing(operations)
const catalog = catalogOf(operations)
const all = [...operations, ...peopleOperations.map(describable)]
// Those of visitors' pages come through no other door.
const keyed = all.filter((operation) => !asGuest(operation))
const given = new Set(keyed.flatMap((operation) => problemsOf(operation)))
const stepAt = (phrasing: typeof mcp, slug: ErrorSlug) =>
  nextStepAt(phrasing, errorCatalogue[slug].next)

describe('the next step of every error', () => {
  for (const slug of slugs) {
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
      const listed = new Set(catalog.direct.map(({ listing }) => listing.name))
      for (const [name] of text.matchAll(/\b[a-z]+\.[a-z]+(?:_[a-z]+)*\b/g)) {
        const known = catalog.all.has(name) || others.has(name)
        assert.ok(known, `${name} is no operation`)
      }
      for (const [name] of text.matchAll(
        /\b(?:numbers|sites|media|collections|documents|assistant|calls)_[a-z]+\b/g,
      ))
        assert.ok(listed.has(name), `${name} is no tool`)
      if (given.has(slug)) assert.doesNotMatch(text, /the operation for "/)
    })

    test(`${slug}: names at the portal only paths of its API and no credentials of the API`, () => {
      const text = stepAt(portalPhrasing, slug)
      const routes = sessionOperations({ operations, peopleOperations }).map(
        (one) => `${one.method} ${one.path}`,
      )
      const known = new Set<string>([...routes, 'GET /openapi.json', 'GET /api/v1/status'])
      for (const [route] of text.matchAll(routesInText))
        if (given.has(slug)) assert.ok(known.has(route), `${route} is not there`)
      assert.doesNotMatch(text, /Authorization|hm_test_|hm_live_|command/)
    })

    test(`${slug}: names only pages that the portal has`, () => {
      if (!given.has(slug)) return
      const titles: string[] = Object.values(projectPages).map(([, title]) => title)
      for (const phrasing of [restPhrasing, mcp, portalPhrasing]) {
        const named = stepAt(phrasing, slug).matchAll(
          /portal(?:,)? (?:under )?([A-Z][a-z]+(?: live)?)/g,
        )
        for (const [, title = ''] of named) assert.ok(titles.includes(title), title)
      }
    })
  }

  test('says after how many seconds to retry, where that is known', () => {
    const problem = new Problem('rate_limited', 'Too many.', { retry_after_s: 12 })
    const request = { request_id: 'req_0123456789abcdefghij', docs_url: 'https://example.com/docs' }
    const said = (phrasing: typeof mcp) =>
      problemDocument(problem, { ...request, phrasing }).next_step
    assert.match(said(mcp) ?? '', /^Wait 12 seconds before the next call/)
    assert.match(said(restPhrasing) ?? '', /^Wait 12 seconds \(the Retry-After header\)/)
    assert.match(said(portalPhrasing) ?? '', /^Wait 12 seconds .* per person/)
  })

  test('keeps the id of a route that is filled in, and names its tool', () => {
    assert.equal(
      mcp.rename('Use PUT /sites/0198-5, as GET /numbers/available shows.'),
      'Use sites_publish with id 0198-5, as numbers.available shows.',
    )
  })

  test('names no route of REST in what is wrong either', () => {
    const problem = new Problem('validation_failed', 'See GET /numbers/available.', {
      errors: [{ path: '/number', message: 'must be one of GET /numbers/available' }],
    })
    const request = { request_id: 'req_0123456789abcdefghij', docs_url: 'https://example.com/docs' }
    const { detail, errors } = problemDocument(problem, { ...request, phrasing: mcp })
    assert.equal(detail, 'See numbers.available.')
    assert.equal(errors?.[0]?.message, 'must be one of numbers.available')
  })

  test('names the tool that runs an operation without a tool of its own', () => {
    assert.match(
      stepAt(mcp, 'webhook_limit_reached'),
      /^Read webhooks\.list, .* Run webhooks\.list with run_read_operation\. Run webhooks\.delete and webhooks\.create with run_write_operation\.$/,
    )
  })
})

/** What has a dot and is no operation: a field, an event and a host. */
const others = new Set([
  'address.country',
  'verification.levels',
  'call.completed',
  'project.access',
  'www.example',
  'example.com',
])
