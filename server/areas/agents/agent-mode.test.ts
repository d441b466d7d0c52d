/** Tests that agents of test mode and of live mode are separate, and that changes name their agent. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addTo, manual, openAgents } from '../../../test/fixtures/agents/agents.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const agents = await openAgents(fixture, 'owner@bakery.example')
const { key, project_id } = agents

describe('a live agent', () => {
  test('cannot be changed, started, enabled, disabled or deleted with a test key', async () => {
    const name = await agents.newCollection()
    const agent = await agents.newAgent({ trigger: manual, steps: [addTo(name)] }, 'live')
    assert.equal(agent.test, false)
    const run = await agents.made(`POST /agents/${agent.id}/run`, {}, 'live')
    for (const [route, body] of [
      [`PATCH /agents/${agent.id}`, { name: 'New' }],
      [`DELETE /agents/${agent.id}`, undefined],
      [`POST /agents/${agent.id}/enable`, undefined],
      [`POST /agents/${agent.id}/disable`, undefined],
      [`POST /agents/${agent.id}/run`, {}],
      [`POST /agents/${agent.id}/runs/${run.id}/cancel`, undefined],
    ] as const) {
      const refused = await fixture.call(route, { key, ...(body && { body }) })
      const slug = refused.body.type.split('/').at(-1)
      assert.deepEqual([route, refused.status, slug], [route, 403, 'key_mode_mismatch'])
    }
  })

  test('starts for live events only, and an agent of test mode for those of test mode', async () => {
    const [watched, target] = [await agents.newCollection(), await agents.newCollection()]
    const filter = `collection.name = "${watched}"`
    const trigger = { type: 'event', event: 'document.created', filter }
    const step = addTo(target, { by: '{{event.data.document.data.by}}' })
    const live = await agents.newAgent({ trigger, steps: [step] }, 'live')
    const tested = await agents.newAgent({ trigger, steps: [step] })
    await agents.made(`POST /collections/${watched}/documents`, { by: 'test' })
    assert.equal((await agents.onlyRun(tested.id)).status, 'completed')
    await agents.made(`POST /collections/${watched}/documents`, { by: 'live' }, 'live')
    assert.equal((await agents.onlyRun(live.id)).status, 'completed')
    assert.deepEqual((await agents.documents(target)).toSorted(byText), [
      { by: 'live' },
      { by: 'test' },
    ])
  })
})

const byText = (one: object, other: object) =>
  JSON.stringify(one).localeCompare(JSON.stringify(other))

describe('a change by an agent', () => {
  test('names the agent in the activity and in the versions of the document', async () => {
    const name = await agents.newCollection()
    const input = { name, body: { n: 1 } }
    const agent = await agents.newAgent({
      trigger: manual,
      steps: [
        { action: 'documents.create', input, name: 'made' },
        {
          action: 'documents.update',
          input: { name, id: '{{steps.made.reply.id}}', body: { n: 2 } },
        },
        { action: 'collections.update', input: { name, title: 'Log' } },
      ],
    })
    const run = await agents.ended(agent.id, (await agents.start(agent.id)).id)
    assert.equal(run.status, 'completed', JSON.stringify(run))
    const { body } = await fixture.look(`GET /activity?actor_kind=agent`, project_id)
    const entry = body.data.find(
      ({ operation }: { operation: string }) => operation === 'collections.update',
    )
    assert.deepEqual(entry.actor, { kind: 'agent', id: agent.id, name: 'Helper' })
    assert.deepEqual([entry.entry_point, entry.request_id], ['job', `agent-run-${run.id}`])
    const { id, source } = run.steps[0].output
    assert.equal(source, 'agent')
    const path = `GET /collections/${name}/documents/${id}/versions`
    await eventually(async () => (await fixture.look(path, project_id)).body.data.length === 2)
    const [version] = (await fixture.look(path, project_id)).body.data
    assert.deepEqual(version.author, { kind: 'agent', id: agent.id, name: 'Helper' })
    assert.equal(version.through, 'job')
  })
})
