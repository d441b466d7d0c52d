/** Tests of what is indexed and found, over the API of the portal. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { indexed } from '../../../../../test/fixtures/external/website.ts'
import { newTeam } from '../../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { slugOf } from '../../../../../test/fixtures/sites/site.ts'
import { limits } from '../../../../contract/limits.ts'

const fixture = await openTestRuntime()
const { owner, viewer, project_id } = await newTeam(fixture)
const other = await newTeam(fixture)
const key = await fixture.newKey({ project_id })
const root = `/projects/${project_id}/assistant`

const facts = [{ question: 'Can I park at your shop?', answer: 'Yes, behind the shop.' }]
await fixture.call('PUT /assistant', { key, body: { languages: ['en'], facts } })
const body = {
  kind: 'text',
  title: 'Gift cards',
  text: Array.from({ length: 60 }, (_, at) => `Gift card number ${at} is blue. `.repeat(20)).join(
    '\n\n',
  ),
}
const { body: made } = await fixture.call('POST /assistant/sources', { key, body })
const source = await indexed(fixture, made.id, { project_id })

describe('GET /assistant/sources/{id}/passages', () => {
  const route = `GET ${root}/sources/${made.id}/passages`

  test('lists every passage once, in the order of reading, page by page', async () => {
    const texts: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const more = cursor === '' ? '' : `&cursor=${cursor}`
      const { status, body: page, text } = await owner.call(`${route}?limit=7${more}`)
      assert.equal(status, 200, text)
      texts.push(...page.data.map((one: { text: string }) => one.text))
      cursor = page.next_cursor
    }
    assert.equal(texts.length, source.chunks)
    assert.equal(new Set(texts).size, texts.length)
    assert.match(texts[0]!, /number 0 is/)
    assert.equal(source.bytes, Buffer.byteLength(texts.join('')))
  })

  test('searches case-insensitively, without wildcards', async () => {
    const find = async (q: string) =>
      (await owner.call(`${route}?q=${encodeURIComponent(q)}`)).body.data.length
    assert.ok((await find('NUMBER 41 is')) > 0)
    assert.equal(await find('number 99'), 0)
    assert.equal(await find('n_mber 4% is'), 0)
  })

  test('refuses a source of another project with 404, and a viewer with 403', async () => {
    const theirs = `GET /projects/${other.project_id}/assistant/sources/${made.id}/passages`
    assert.equal((await other.owner.call(theirs)).status, 404)
    assert.equal((await viewer.call(route)).status, 403)
  })

  test('refuses a cursor of another search', async () => {
    const { body: page } = await owner.call(`${route}?limit=1`)
    const answer = await owner.call(`${route}?limit=1&q=blue&cursor=${page.next_cursor}`)
    assert.equal(answer.status, 400)
  })
})

describe('POST /assistant/knowledge/search', () => {
  const route = `POST ${root}/knowledge/search`

  test('returns the fact that answers, with its kind', async () => {
    const { body: found } = await owner.call(route, { body: { question: 'Where can I park?' } })
    const [best] = found.passages
    assert.deepEqual(
      [best.kind, best.source_id, best.text, best.answers],
      ['fact', null, facts[0]!.answer, true],
    )
  })

  test('names the source of a passage', async () => {
    const question = 'Which colour has gift card number 12?'
    const { body: found } = await owner.call(route, { body: { question } })
    assert.equal(found.passages[0].source_id, made.id)
  })

  test('finds nothing of another project', async () => {
    const theirs = `POST /projects/${other.project_id}/assistant/knowledge/search`
    const { status, body: found } = await other.owner.call(theirs, {
      body: { question: 'Where can I park?' },
    })
    assert.deepEqual([status, found.passages], [200, []])
  })
})

test('POST /assistant/knowledge/search has a rate limit of each person', async () => {
  const busy = await newTeam(fixture)
  const search = (session: typeof busy.owner) =>
    session.call(`POST /projects/${busy.project_id}/assistant/knowledge/search`, {
      body: { question: 'Where can I park?' },
    })
  for (let n = 0; n < limits.knowledge_searches_max; n += 1)
    assert.equal((await search(busy.owner)).status, 200)
  const refused = await search(busy.owner)
  assert.deepEqual([refused.status, slugOf(refused)], [429, 'rate_limited'])
  assert.equal((await search(busy.admin)).status, 200)
})

test('GET /assistant/knowledge counts sources and passages beside their limits', async () => {
  const { body: usage } = await owner.call(`GET ${root}/knowledge`)
  assert.deepEqual(usage.sources, { used: 1, max: limits.assistant_sources_max })
  assert.deepEqual(usage.chunks, { used: source.chunks, max: limits.assistant_chunks_max })
  assert.equal(usage.documents.used, 0)
})
