/**
 * Tests of the guides to sites and to the media library against the server: requests work as shown,
 * every rule of the check is listed, and every number in a table is a limit.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { textOfPage } from '../../../../test/fixtures/portal/page-text.ts'
import { blockOf, bodyOf } from '../../../../test/fixtures/docs/guides.ts'
import { newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import { checkRules } from '../../../areas/sites/check/rules.ts'
import { limits } from '../../../contract/limits.ts'
import { formatBytes, formatDuration, formatNumber } from '../../describe/words.ts'

const runtime = await openTestRuntime({ work: false })

/** The visible text of a page. */
async function read(path: string): Promise<string> {
  const { status, text } = await runtime.call(`GET /${path}`, { key: null })
  assert.equal(status, 200, path)
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? ''
  return textOfPage(main).replaceAll(/\s+/g, ' ')
}

async function markdownOf(path: string): Promise<string> {
  return (await runtime.call(`GET /${path}.md`, { key: null })).text
}

describe('the guide to sites', async () => {
  const text = await read('/docs/guides/sites')
  const markdown = await markdownOf('/docs/guides/sites')

  test('shows requests that publish and change a site', async () => {
    const { call } = await newSiteOwner(runtime)
    const siteInput = bodyOf(blockOf(markdown, 'POST /sites'))
    const siteChange = bodyOf(blockOf(markdown, 'PUT /sites/{id}'))
    const created = await call('POST /sites', siteInput)
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(created.body.warnings, [])
    const changed = await call(`PUT /sites/${created.body.id}`, siteChange)
    assert.deepEqual([changed.status, changed.body.files_count], [200, 3], changed.text)
  })

  test('shows redirects and headers that work as shown', async () => {
    const { publish } = await newSiteOwner(runtime)
    const { warnings } = await publish({
      'index.html': '<title>x</title>',
      'app/index.html': '<title>x</title>',
      _redirects: blockOf(markdown, '_redirects'),
      _headers: blockOf(markdown, '_headers'),
    })
    assert.deepEqual(warnings, [])
  })

  test('lists every rule of the check with its reason', () => {
    for (const [name, { stops, why }] of Object.entries(checkRules)) {
      assert.ok(text.includes(name), name)
      assert.ok(text.includes(stops.slice(1)), stops)
      assert.ok(text.includes(why), why)
    }
  })

  test('lists the limits', () => {
    for (const figure of [
      formatDuration(limits.upload_link_lifetime_s),
      formatBytes(limits.site_file_bytes_max),
      formatBytes(limits.site_bytes_max),
      `Files of a site${formatNumber(limits.site_files_max)}`,
      `Deploys in an hour${formatNumber(limits.deploys_per_hour_max)}`,
    ]) {
      assert.ok(
        text.replaceAll(/(?<=[a-z]) (?=\d)/g, '').includes(figure) || text.includes(figure),
        figure,
      )
    }
  })

  test('exists as Markdown', async () => {
    const { status, text: markdown } = await runtime.call('GET //docs/guides/sites.md', {
      key: null,
    })
    assert.equal(status, 200)
    assert.match(markdown, /^# Publishing a site/m)
    assert.match(markdown, /password_sent_elsewhere/)
  })
})

describe('the guide to the media library', async () => {
  const text = await read('/docs/guides/media')

  test('shows a request that announces a file', async () => {
    const { call } = await newSiteOwner(runtime)
    const body = bodyOf(blockOf(await markdownOf('/docs/guides/media'), 'POST /media/uploads'))
    const { status, body: reply, text: answer } = await call('POST /media/uploads', body)
    assert.equal(status, 201, answer)
    assert.equal(reply.uploads[0].filename, 'door.jpg')
    assert.equal(reply.uploads[0].method, 'PUT')
  })

  test('states the media limits and the image widths', () => {
    for (const figure of [
      formatBytes(limits.media_file_bytes_max),
      formatBytes(limits.media_picture_bytes_max),
      formatNumber(limits.media_pixels_max),
      formatDuration(limits.media_link_lifetime_s),
      ...limits.media_widths.map(String),
    ]) {
      assert.ok(text.includes(figure), figure)
    }
  })

  test('exists as Markdown', async () => {
    const { status, text: markdown } = await runtime.call('GET //docs/guides/media.md', {
      key: null,
    })
    assert.equal(status, 200)
    assert.match(markdown, /^# The media library/m)
  })
})
