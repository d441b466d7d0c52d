/** Tests of dry runs, and of runs on past events. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addTo, manual, openAgents } from '../../../../test/fixtures/agents/agents.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const agents = await openAgents(fixture, 'owner@bakery.example')
const { key, project_id } = agents

const statusesOf = ({ steps }: { steps: { status: string }[] }) => steps.map(({ status }) => status)
const startWith = (id: string, body: object) =>
  fixture.call(`POST /agents/${id}/run`, { key, body })

describe('a dry run', () => {
  test('runs reads, tries writes without effect, and creates no mail and no approval', async () => {
    const name = await agents.newCollection()
    const steps = [
      { action: 'collections.list', input: {} },
      addTo(name, { n: 1 }),
      { action: 'notify.owner', input: { subject: 'Hello', text: 'It works.' } },
      { action: 'collections.delete', input: { name } },
    ]
    const agent = await agents.newAgent({ trigger: manual, steps })
    await fixture.call(`POST /agents/${agent.id}/disable`, { key })
    const { body, text } = await startWith(agent.id, { dry_run: true })
    assert.equal(body.dry_run, true, text)
    const run = await agents.ended(agent.id, body.id)
    assert.equal(run.status, 'completed', JSON.stringify(run))
    assert.deepEqual(statusesOf(run), ['done', 'would_run', 'would_run', 'would_wait'])
    assert.deepEqual(await agents.documents(name), [])
    const { body: waiting } = await fixture.look('GET /approvals', project_id)
    assert.deepEqual(waiting.data, [])
    const mails = await fixture.runtime.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'agents.send_mail')
      .execute()
    assert.deepEqual(mails, [])
  })

  test('shows the error of a step that would fail, and does not count as a failed run', async () => {
    const agent = await agents.newAgent({ trigger: manual, steps: [addTo('not-there')] })
    for (let count = 0; count < 6; count += 1) {
      const { body } = await startWith(agent.id, { dry_run: true })
      const run = await agents.ended(agent.id, body.id)
      assert.deepEqual([run.status, run.problem.slug], ['failed', 'not_found'])
    }
    const { body } = await fixture.look(`GET /agents/${agent.id}`, project_id)
    assert.equal(body.status, 'active')
  })
})

describe('a run on a past event', () => {
  test('runs the current version on the newest event that starts the agent', async () => {
    const [watched, target] = [await agents.newCollection(), await agents.newCollection()]
    for (const guests of [8, 2])
      await agents.made(`POST /collections/${watched}/documents`, { guests })
    const agent = await agents.newAgent({
      trigger: {
        type: 'event',
        event: 'document.created',
        filter: `collection.name = "${watched}" and document.data.guests > 6`,
      },
      steps: [addTo(target, { guests: '{{event.data.document.data.guests}}' })],
    })
    const { body } = await startWith(agent.id, { event_id: 'latest' })
    const run = await agents.ended(agent.id, body.id)
    assert.equal(run.status, 'completed', JSON.stringify(run))
    assert.deepEqual(await agents.documents(target), [{ guests: 8 }])
    const again = await startWith(agent.id, { event_id: run.trigger.event_id, dry_run: true })
    assert.deepEqual(statusesOf(await agents.ended(agent.id, again.body.id)), ['would_run'])
    assert.equal((await agents.documents(target)).length, 1)
  })

  test('is refused for an unknown event, and skipped if the event does not match the filter', async () => {
    const watched = await agents.newCollection()
    const trigger = { type: 'event', event: 'document.created', filter: 'document.data.n = 1' }
    const agent = await agents.newAgent({ trigger, steps: [addTo(watched)] })
    for (const event_id of ['latest', 'evt_00000000000000000000000000000000'])
      assert.equal((await startWith(agent.id, { event_id })).status, 404)
    await agents.made(`POST /collections/${watched}/documents`, { n: 2 })
    const other = await agents.newAgent({
      trigger: { type: 'event', event: 'document.created' },
      steps: [addTo(await agents.newCollection({ webhook_on_insert: false }))],
    })
    const first = await startWith(other.id, { event_id: 'latest' })
    const { event_id } = (await agents.ended(other.id, first.body.id)).trigger
    const { body } = await startWith(agent.id, { event_id })
    const run = await agents.ended(agent.id, body.id)
    assert.deepEqual([run.status, run.reason], ['skipped', 'filter'])
  })
})
