/** Tests of the documentation for agents: every page as Markdown, and the tables of contents. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { checkRow, fillPlaceholders, renderMarkdown } from '../guides/guide.ts'
import { renderToText } from '../../html/html.ts'

const fixture = await openTestRuntime({ work: false })

async function read(path: string, accept?: string) {
  const headers = new Headers(accept === undefined ? [] : [['accept', accept]])
  const response = await fetch(fixture.url + path, { headers })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    vary: response.headers.get('vary'),
    etag: response.headers.get('etag'),
    text: await response.text(),
  }
}

const MARKDOWN = 'text/markdown; charset=utf-8'
const HTML = 'text/html; charset=utf-8'

describe('a page as Markdown', () => {
  test('is at the address of the page with .md', async () => {
    const found = await read('/docs/errors/version_conflict.md')
    assert.deepEqual([found.status, found.type], [200, MARKDOWN])
    assert.match(found.text, /^# `version_conflict`$/m)
    assert.match(found.text, /^## What to do next$/m)
  })

  test('is at index.md for the start page', async () => {
    assert.match((await read('/docs/index.md')).text, /^# The back-end/)
  })

  test('is at the address of the page if the client prefers Markdown', async () => {
    const found = await read('/docs/scopes', 'text/markdown, text/html;q=0.9')
    assert.deepEqual([found.type, found.vary], [MARKDOWN, 'Accept'])
    assert.equal(found.text, (await read('/docs/scopes.md')).text)
  })

  test('is not returned to browsers, or to clients that accept anything', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*', undefined])
      assert.equal((await read('/docs/scopes', accept)).type, HTML, String(accept))
    const less = await read('/docs/scopes', 'text/html, text/markdown;q=0.5')
    assert.deepEqual([less.type, less.vary], [HTML, 'Accept'])
  })

  test('preserves tables, code and lists', async () => {
    const { text } = await read('/docs/reference/documents.md')
    assert.match(text, /^\| Field \| Description \|\n\| --- \| --- \|\n\| `filter`/m)
    assert.match(text, /^```\ncurl /m)
    assert.match((await read('/docs/index.md')).text, /^1\. ### See your project$/m)
  })

  test('links to Markdown, and contains no HTML', async () => {
    const { text } = await read('/docs/errors.md')
    assert.match(text, /\]\(http:\/\/localhost:\d+\/docs\/errors\/not_found\.md\)/)
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
    assert.doesNotMatch(prose, /<\/?[a-z]/)
  })

  test('is linked from the page as an alternate', async () => {
    const { text } = await read('/docs/limits')
    assert.match(text, /<link rel="alternate" type="text\/markdown" href="\/docs\/limits\.md"/)
  })

  test('does not exist for unknown pages', async () => {
    for (const path of ['/docs/nothing.md', '/docs/.md', '/docs/assets/style.css.md'])
      assert.equal((await read(path)).status, 404, path)
    assert.equal((await read('/docs/nothing', 'text/markdown')).status, 404)
  })
})

describe('/llms.txt', () => {
  test('lists every chapter, with working links', async () => {
    const { status, type, text } = await read('/llms.txt')
    assert.deepEqual([status, type], [200, MARKDOWN])
    assert.match(text, /^# Homeport\n\n> /)
    const links = [...text.matchAll(/\]\(http:\/\/localhost:\d+([^)]+)\)/g)].map(
      ([, path]) => path!,
    )
    assert.ok(links.length >= 10, text)
    for (const path of links.filter((one) => one !== '/mcp'))
      assert.equal((await read(path)).status, 200, path)
  })

  test('is answered with 304 if the ETag still matches', async () => {
    const { etag } = await read('/llms.txt')
    const again = await fetch(`${fixture.url}/llms.txt`, {
      headers: { 'if-none-match': etag ?? '' },
    })
    assert.equal(again.status, 304)
  })
})

test('the server returns the whole documentation as one Markdown file at /llms-full.txt', async () => {
  const { type, text } = await read('/llms-full.txt')
  assert.equal(type, MARKDOWN)
  for (const heading of ['# Reference', '# Errors', '# Limits', '# Filter, sort and search'])
    assert.ok(text.includes(`\n${heading}\n`), heading)
  assert.match(text, /PUT \/assistant/)
})

describe('a guide', () => {
  const site = {
    operations: [],
    sources: [],
    base_url: 'https://home.test/api/v1',
    docs_url: 'https://home.test/docs',
    sites_domain: 'sites.home.test',
  }

  test('fills placeholders from the declarations and throws on an unknown name', () => {
    assert.equal(
      fillPlaceholders('{{origin}} {{site_address}}', site),
      'https://home.test https://<slug>.sites.home.test',
    )
    const local = { ...site, base_url: 'http://home.test/api/v1' }
    assert.equal(fillPlaceholders('{{site_address}}', local), 'http://<slug>.sites.home.test')
    assert.equal(fillPlaceholders('{{limits.page_limit_max}}', site), '100')
    assert.equal(fillPlaceholders('{{limits.media_widths}}', site).split(', ').length, 7)
    for (const name of ['nothing', 'limits.nothing', 'program.secret.py', 'constructor'])
      assert.throws(() => fillPlaceholders(`{{${name}}}`, site), /does not exist/, name)
  })

  test('gives headings with the same text unique ids', () => {
    const ids = renderToText(renderMarkdown('## Limits\n\n## Limits\n\n### Limits\n')).match(
      /id="[^"]+"/g,
    )
    assert.deepEqual(ids, ['id="limits"', 'id="limits-2"', 'id="limits-3"'])
  })

  test('escapes a vertical bar in a table cell', () => {
    const row = checkRow(['rule', { stops: 'a|b', why: 'c|d' }])
    assert.equal(row, '| `rule` | A\\|b. c\\|d |')
  })

  test('omits anchors from links in its Markdown', async () => {
    for (const guide of ['forms', 'sites', 'filters', 'calls', 'production']) {
      const { text } = await read(`/docs/guides/${guide}.md`)
      assert.doesNotMatch(text, /\]\([^)]*\.md#/, guide)
    }
  })

  test('has the anchors that its headings define, which are not in the Markdown', async () => {
    const { text: page } = await read('/docs/guides/filters')
    assert.match(page, /<h2 id="fast">Performance<\/h2>/)
    assert.match((await read('/docs/guides/filters.md')).text, /^## Performance$/m)
  })
})
