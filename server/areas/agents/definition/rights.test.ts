/** Tests that an agent gives no caller data or effects beyond their own scopes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addTo, manual, openAgents } from '../../../../test/fixtures/agents/agents.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const agents = await openAgents(fixture, 'owner@bakery.example')
const { project_id } = agents
const managing = await fixture.newKey({ project_id, scopes: ['project:read', 'project:write'] })
const reading = await fixture.newKey({ project_id, scopes: ['project:read', 'data:read'] })

const notice = { action: 'notify.owner', input: { subject: 'New', text: '{{event.data}}' } }
const onDocument = { type: 'event', event: 'document.created' } as const
const slugOf = ({ body }: { body: any }) => body.type.split('/').at(-1)

describe('a key without the scope of the data', () => {
  test('cannot save an agent that events of that data start', async () => {
    const body = { name: 'Spy', trigger: onDocument, steps: [notice] }
    const refused = await fixture.call('POST /agents', { key: managing, body })
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'missing_scope'], refused.text)
    const own = { ...body, trigger: { type: 'event', event: 'balance.low' } }
    const { status } = await fixture.call('POST /agents', { key: managing, body: own })
    assert.equal(status, 201)
  })

  test('cannot read such an event by passing its id to an agent with another trigger', async () => {
    const name = await agents.newCollection()
    const watcher = await agents.newAgent({ trigger: onDocument, steps: [notice] })
    await agents.made(`POST /collections/${name}/documents`, { secret: 1 })
    const { event_id } = (await agents.onlyRun(watcher.id)).trigger
    const trigger = { type: 'event', event: 'balance.low' }
    const spy = await agents.newAgent({ trigger, steps: [notice] })
    const body = { event_id, dry_run: true }
    const started = await fixture.call(`POST /agents/${spy.id}/run`, { key: managing, body })
    const run = await agents.ended(spy.id, started.body.id)
    assert.deepEqual([run.status, run.reason, run.steps], ['skipped', 'filter', []])
  })

  test('cannot start an agent that uses it', async () => {
    const agent = await agents.newAgent({ trigger: manual, steps: [addTo('{{input.name}}')] })
    const name = await agents.newCollection()
    const body = { input: { name } }
    for (const key of [managing, reading]) {
      const refused = await fixture.call(`POST /agents/${agent.id}/run`, { key, body })
      assert.deepEqual([refused.status, slugOf(refused)], [403, 'missing_scope'], refused.text)
    }
    assert.deepEqual(await agents.documents(name), [])
  })

  test('reads a run without arguments and replies, also after the agent stops using the data', async () => {
    const name = await agents.newCollection()
    const agent = await agents.newAgent({ trigger: manual, steps: [addTo(name, { secret: 1 })] })
    const { id } = await agents.start(agent.id)
    await agents.ended(agent.id, id)
    const body = { steps: [{ ...notice, input: { subject: 'x', text: 'x' } }] }
    const changed = await fixture.call(`PATCH /agents/${agent.id}`, { key: managing, body })
    assert.equal(changed.status, 200, changed.text)
    const stepFor = async (key: string) => {
      const run = await fixture.call(`GET /agents/${agent.id}/runs/${id}`, { key })
      return run.body.steps[0]
    }
    const hidden = await stepFor(managing)
    assert.deepEqual([hidden.status, hidden.input, hidden.output], ['done', null, null])
    assert.deepEqual((await stepFor(reading)).output.data, { secret: 1 })
  })
})
