/**
 * Tests that parts of the specification that this version lacks are marked wherever they are
 * listed.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { eventTypeNames } from '../../contract/event-types.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { problemsOfAll, problemsOfKeys, errorSlugs } from './describe/problems-of.ts'

const runtime = await openTestRuntime({ work: false })
const get = async (path: string): Promise<string> =>
  (await runtime.call(`GET /${path}`, { key: null })).text
const { body: document } = await runtime.call('GET /openapi.json', { key: null })
const listed = JSON.stringify(document)
const MARK = 'Not available yet'

describe('the mark of unavailable parts', () => {
  test('is on errors and their pages exactly if no operation lists them', async () => {
    const page = await get('/docs/errors')
    for (const slug of ['dedicated_ip_not_available']) {
      assert.ok(!listed.includes(`examples/${slug}"`), slug)
      const [, row = ''] = page.split(`href="/docs/errors/${slug}"`)
      assert.ok(row.split('</tr>')[0]?.includes(MARK), slug)
      assert.ok((await get(`/docs/errors/${slug}`)).includes(MARK), slug)
    }
    for (const slug of errorSlugs) {
      const everywhere = problemsOfAll.includes(slug) || problemsOfKeys.includes(slug)
      if (!everywhere && !listed.includes(`examples/${slug}"`)) continue
      assert.ok(!(await get(`/docs/errors/${slug}`)).includes(MARK), slug)
    }
  })

  test('is on events and their pages exactly if nothing emits them', async () => {
    const page = await get('/docs/events')
    for (const type of eventTypeNames) {
      const is_sent = Object.hasOwn(document.webhooks, type)
      const [, row = ''] = page.split(`href="/docs/events/${type}"`)
      assert.equal(row.split('</tr>')[0]?.includes(MARK), !is_sent, type)
      assert.equal((await get(`/docs/events/${type}`)).includes(MARK), !is_sent, type)
    }
  })

  test('is on limits and scopes', async () => {
    const rows = (await get('/docs/limits')).split('<tr>')
    const rowOf = (words: string) => rows.find((row) => row.includes(words)) ?? ''
    assert.ok(!rowOf('Attachments of one email').includes(MARK))
    assert.ok(!rowOf('Segments per SMS message').includes(MARK))
    assert.ok(!rowOf('Test numbers per test project').includes(MARK))
    assert.ok(!rowOf('How long an idempotency key').includes(MARK))
    const sections = (await get('/docs/scopes')).split('<section')
    for (const scope of scopeNames) {
      const section = sections.find((one) => one.includes(`id="${scope}"`)) ?? ''
      assert.equal(section.includes(MARK), !listed.includes(`"x-scope":"${scope}"`), scope)
    }
  })

  test('is in search results, after all other results', async () => {
    const text = await get('/docs/search?q=dedicated+sending')
    const results = (text.split('id="results"')[1] ?? '').split('<li>').slice(1)
    const marks = results.map((result) => result.includes(MARK))
    assert.ok(marks.includes(true) && marks.includes(false))
    assert.deepEqual(
      marks,
      marks.toSorted((one, other) => Number(one) - Number(other)),
    )
  })

  test('is in llms.txt', async () => {
    const line = (await get('/llms.txt')).split('\n').find((one) => one.startsWith(MARK)) ?? ''
    for (const name of ['dedicated_ip_not_available']) assert.ok(line.includes(name), name)
    for (const name of ['version_conflict', 'call.completed']) assert.ok(!line.includes(name), name)
  })
})
