/** Tests of the limits of one agent: actions, emails, cost and time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addTo, manual, openAgents } from '../../../test/fixtures/agents/agents.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { decide } from '../../../test/fixtures/mcp/approvals.ts'
import { signIn } from '../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const email = 'owner@bakery.example'
const agents = await openAgents(fixture, email)
const { project_id, key } = agents

const mail = { action: 'notify.owner', input: { subject: 'Hello', text: 'It works.' } }

async function runWith(steps: readonly object[], limits: object): Promise<any> {
  const agent = await agents.newAgent({ trigger: manual, steps, limits })
  return agents.ended(agent.id, (await agents.start(agent.id)).id)
}

test('a message to the owner whose text is one template of a record has its fields', async () => {
  const text = { action: 'notify.owner', input: { subject: 'Order', text: '{{input}}' } }
  const agent = await agents.newAgent({ trigger: manual, steps: [text] })
  const run = await agents.ended(agent.id, (await agents.start(agent.id, { cakes: 3 })).id)
  assert.equal(run.status, 'completed', JSON.stringify(run.problem))
})

describe('a limit of an agent', () => {
  test('can be changed alone; the others keep their values', async () => {
    const name = await agents.newCollection()
    const limits = { max_actions_per_run: 3 }
    const agent = await agents.newAgent({ trigger: manual, steps: [addTo(name)], limits })
    assert.equal(agent.limits.max_runs_per_day, 100)
    const body = { limits: { max_emails_per_day: 2 } }
    const changed = await fixture.call(`PATCH /agents/${agent.id}`, { key, body })
    const { max_actions_per_run, max_emails_per_day } = changed.body.limits
    assert.deepEqual([max_actions_per_run, max_emails_per_day], [3, 2])
  })

  test('on actions ends the run before the next step; skipped steps do not count', async () => {
    const name = await agents.newCollection()
    const skipped = { ...addTo(name), when: 'input.never = true' }
    const steps = [skipped, addTo(name), addTo(name)]
    const run = await runWith(steps, { max_actions_per_run: 1 })
    assert.deepEqual([run.status, run.reason], ['limit_reached', 'actions_per_run'])
    assert.equal((await agents.documents(name)).length, 1)
  })

  test('on emails counts the mails of all runs in 24 hours', async () => {
    const limits = { max_emails_per_day: 2 }
    const agent = await agents.newAgent({ trigger: manual, steps: [mail], limits })
    const statuses: string[] = []
    for (let count = 0; count < 3; count += 1)
      statuses.push((await agents.ended(agent.id, (await agents.start(agent.id)).id)).status)
    assert.deepEqual(statuses, ['completed', 'completed', 'limit_reached'])
    fixture.passes('25 hours')
    const next = await fixture.call(`POST /agents/${agent.id}/run`, {
      key: await fixture.newKey({ project_id }),
      body: {},
    })
    assert.equal((await agents.ended(agent.id, next.body.id)).status, 'completed')
  })

  test('on cost ends the run before a step that costs money, and before no other step', async () => {
    const name = await agents.newCollection()
    const sms = { action: 'messages.send', input: { to: '+447700900000', text: 'Hello.' } }
    const run = await runWith([addTo(name), sms], { max_cost_eur_per_run: 0 })
    assert.deepEqual([run.status, run.reason, run.cost_eur], ['limit_reached', 'cost_per_run', 0])
    assert.equal((await agents.documents(name)).length, 1)
    const other = await runWith([sms], { max_cost_eur_per_month: 0 })
    assert.equal(other.reason, 'cost_per_month')
  })

  test('on time does not count the wait for a person', async () => {
    const name = await agents.newCollection()
    const steps = [{ action: 'collections.delete', input: { name } }, mail]
    const limits = { timeout_seconds: 60 }
    const agent = await agents.newAgent({ trigger: manual, steps, limits })
    const { id: run_id } = await agents.start(agent.id)
    await eventually(async () => (await agents.runOf(agent.id, run_id)).steps.length > 0)
    const { approval_id } = (await agents.runOf(agent.id, run_id)).steps[0]
    const place = `GET /approvals/${approval_id}`
    await eventually(async () => (await fixture.look(place, project_id)).status === 200)
    fixture.passes('2 hours')
    const said = { project_id, id: approval_id, verb: 'approve' as const }
    await decide(fixture, await signIn(fixture, email), said)
    fixture.passes('1 minute')
    assert.equal((await agents.ended(agent.id, run_id)).status, 'completed')
  })
})
