/** Tests of the call pages: content, permissions and escaping. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { newTeam, type TestTeam } from '../../../../../test/fixtures/portal/sessions.ts'
import { newVisitor } from '../../../../../test/fixtures/portal/portal.ts'

const fixture = await openTestRuntime()
const pathOf = ({ project_id }: TestTeam) => `/portal/projects/${project_id}/calls`

/** Returns a function that makes scripted calls to a test number of the team. */
async function openLine({ project_id }: TestTeam) {
  const key = await fixture.newKey({ project_id })
  const body = { name: 'Mill Bakery', languages: ['en'] }
  assert.equal((await fixture.call('PUT /assistant', { key, body })).status, 200)
  const headers = { 'idempotency-key': project_id }
  const number = await fixture.call('POST /numbers', { key, body: {}, headers })
  return async (from: string, ...said: string[]) => {
    const turns = said.map((say) => ({ say }))
    const call = { number_id: number.body.id, turns, from }
    const rung = await fixture.call('POST /test/calls', { key, body: call })
    assert.equal(rung.status, 201, rung.text)
    return rung.body.id
  }
}

test('the list of calls shows an empty state within the navigation of the project', async () => {
  const team = await newTeam(fixture)
  const { status, text } = await team.viewer.visitor.get(pathOf(team))
  assert.equal(status, 200)
  assert.match(text, /No calls yet/)
  assert.match(text, /aria-current="page"\s*>Calls</)
})

test('the list of calls is newest first, with message and duration, page by page', async () => {
  const team = await newTeam(fixture)
  const ring = await openLine(team)
  for (let count = 0; count < 21; count++)
    await ring(`+3161234${String(1000 + count)}`, 'Please tell Anna that I will be late.', 'Bye.')
  const { text } = await team.viewer.visitor.get(pathOf(team))
  assert.ok(text.indexOf('+31612341020') < text.indexOf('+31612341019'))
  assert.match(text, /tell Anna that I will be late/)
  assert.match(text, /\d+ seconds/)
  assert.ok(!text.includes('+31612341000'))
  const [, older = ''] = /href="([^"]+)">Older calls/.exec(text) ?? []
  const next = await team.viewer.visitor.get(older)
  assert.match(next.text, /\+31612341000/)
  assert.ok(!next.text.includes('Older calls'))
  assert.equal((await team.viewer.visitor.get(`${pathOf(team)}?cursor=x`)).status, 400)
})

test('the page of a call shows messages, summary and transcript, and escapes the words of callers', async () => {
  const team = await newTeam(fixture)
  const ring = await openLine(team)
  const said = 'Please tell Anna <script>alert(1)</script> & "Bob" called.'
  const id = await ring('+31612345678', said, 'Goodbye.')
  const list = await team.viewer.visitor.get(pathOf(team))
  const page = await team.viewer.visitor.get(`${pathOf(team)}/${id}`)
  assert.equal(page.status, 200)
  for (const { text } of [list, page]) {
    assert.ok(!text.includes('<script>alert'), text)
    assert.ok(text.includes('&lt;script&gt;alert'), text)
  }
  for (const words of ['Messages', 'Summary', 'Transcript', 'may contain errors', 'Goodbye.'])
    assert.ok(page.text.includes(words), words)
})

test('the call pages answer 404 to outsiders, to members limited to some sites, and for other projects', async () => {
  const team = await newTeam(fixture)
  const other = await newTeam(fixture)
  const id = await (await openLine(team))('+31612345678', 'Hello', 'Goodbye.')
  for (const path of [pathOf(team), `${pathOf(team)}/${id}`]) {
    assert.equal((await other.owner.visitor.get(path)).status, 404)
    assert.match((await newVisitor(fixture).get(path)).to ?? '', /sign-in\?next=/)
  }
  assert.equal((await other.owner.visitor.get(`${pathOf(other)}/${id}`)).status, 404)
  assert.equal((await team.owner.visitor.get(`${pathOf(team)}/no-id`)).status, 404)
  for (const path of [pathOf(team), `${pathOf(team)}/${id}`])
    assert.equal((await team.limited.visitor.get(path)).status, 403)
})
