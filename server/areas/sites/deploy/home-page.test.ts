/** Tests of a deploy that removes the home page, by an assistant and by a program. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  propose,
  decide,
  addTeamMember,
  problemOf,
  runTool,
  waitingOf,
} from '../../../../test/fixtures/mcp/approvals.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { connectAsking, connectModern, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'

const fixture = await openTestRuntime({ work: false })
const { project_id } = fixture
const owner = await addTeamMember(fixture, project_id, {
  email: 'owner@bakery.example',
  role: 'owner',
})
const home = { path: 'index.html', content: '<!doctype html><h1>Bread</h1>' }
const about = { path: 'about.html', content: '<!doctype html><h1>About</h1>' }

let sites = 0
let last: string | null = null
/** Creates a site instead of the previous one, because a project can have few. */
async function newSite(files: readonly object[] = [home]) {
  if (last !== null) await fixture.call(`DELETE /sites/${last}`)
  const body = { slug: `home-${++sites}`, visibility: 'unlisted', files }
  const { status, body: site, text } = await fixture.call('POST /sites', { body })
  assert.equal(status, 201, text)
  last = site.id
  return site
}

async function pathsOf(id: string): Promise<string[]> {
  const { body } = await fixture.call(`GET /sites/${id}/files`)
  return body.data.map((file: { path: string }) => file.path)
}

const asTool = (given: Record<string, unknown>) => {
  return { name: 'sites_publish', arguments: given }
}

describe('a deploy that removes the home page', () => {
  for (const [era, connect] of [
    ['2025', async (asked: Asked) => (await connectAsking(fixture, asked)).client],
    ['2026', (asked: Asked) => connectModern(fixture, asked)],
  ] as const) {
    test(`asks for confirmation, with an MCP client of ${era}`, async () => {
      const { id, url } = await newSite()
      const questions: string[] = []
      const said: ('yes' | 'no')[] = ['no', 'yes']
      const answer = (question: string) => {
        questions.push(question)
        return said[questions.length - 1]!
      }
      const client = await connect({ answer })
      const refused: any = await client.callTool(asTool({ id, files: [about] }))
      assert.match(problemOf(refused).user_message, /You said no/)
      assert.match(problemOf(refused).next_step, /keep_others: true/)
      assert.deepEqual(await pathsOf(id), ['index.html'])
      await client.callTool(asTool({ id, files: [about] }))
      assert.deepEqual(await pathsOf(id), ['about.html'])
      assert.equal(questions.length, 2)
      assert.match(questions[0] ?? '', /^Publishes a new version of a site/)
      const loss = `\nIt takes away the home page: visitors of ${url} will find no page there.\n`
      assert.ok(questions[0]?.includes(loss), String(questions[0]))
      await client.close()
    })
  }

  test('waits for an approval if the MCP client cannot ask the user, and runs once approved', async () => {
    const { id, url } = await newSite()
    const given = { id, files: [about] }
    const waiting = waitingOf(await runTool(fixture, 'sites.publish', given))
    assert.match(waiting.user_message, /takes away the home page/)
    assert.ok(waiting.user_message.includes(url))
    assert.match(waiting.next_step, /keep_others: true/)
    assert.deepEqual(await pathsOf(id), ['index.html'])
    const { body } = await decide(fixture, owner, {
      project_id,
      id: await propose(fixture, 'sites.publish', given),
      verb: 'approve',
    })
    assert.equal(body.status, 'executed', JSON.stringify(body.problem))
    assert.deepEqual(await pathsOf(id), ['about.html'])
  })

  test('asks for confirmation if the request deletes the home page by name, in any spelling of the path', async () => {
    const { id } = await newSite([home, about])
    const given = { id, delete: ['/index.html'] }
    waitingOf(await runTool(fixture, 'sites.publish', given))
  })

  test('is published over REST with a warning, without confirmation', async () => {
    const { id } = await newSite()
    const { status, body } = await fixture.call(`PUT /sites/${id}`, { body: { files: [about] } })
    assert.equal(status, 200)
    assert.match(body.warnings.join(), /no index\.html/)
  })
})

type Asked = { answer(question: string): 'yes' | 'no' }

describe('a deploy over MCP that keeps the home page, or that is refused', () => {
  const cases: Record<string, [live: object[], given: Record<string, unknown>]> = {
    'if it contains the home page': [[home], { files: [{ ...home, path: '/index.html' }] }],
    'if it keeps the others': [[home], { files: [about], keep_others: true }],
    'if its list of files to delete is empty': [[home], { files: [about], delete: [] }],
    'if it deletes another file': [[home, about], { delete: ['about.html'] }],
    'if the site has no home page': [[about], { files: [{ ...about, path: 'b.html' }] }],
  }
  for (const [title, [live, given]] of Object.entries(cases)) {
    test(title, async () => {
      const { id } = await newSite(live)
      const result = await runTool(fixture, 'sites.publish', { id, ...given })
      assert.equal(result.isError, undefined, JSON.stringify(result))
      assert.equal(valueOf(result).version, 2)
    })
  }

  test('is refused, if it cannot succeed, before it asks for confirmation', async () => {
    const { id } = await newSite()
    const elsewhere = { id: crypto.randomUUID(), files: [about] }
    assert.equal(problemOf(await runTool(fixture, 'sites.publish', elsewhere)).slug, 'not_found')
    const empty = problemOf(await runTool(fixture, 'sites.publish', { id }))
    assert.equal(empty.slug, 'validation_failed')
  })
})
