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
    for (const slug of errorSlugs) {
      const everywhere = problemsOfAll.includes(slug) || problemsOfKeys.includes(slug)
      if (!everywhere && !listed.includes(`examples/${slug}"`)) continue
      const [, row = ''] = page.split(`href="/docs/errors/${slug}"`)
      assert.ok(!row.split('</tr>')[0]?.includes(MARK), slug)
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

  test('is not in llms.txt of a version that lacks nothing', async () => {
    assert.ok(!(await get('/llms.txt')).includes(MARK))
  })
})
