/** Tests of agents whose language model chooses among actions, with a scripted model over HTTP. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { manual, openAgents } from '../../../../../test/fixtures/agents/agents.ts'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { openStreamingModel } from '../../../../../test/fixtures/external/streaming-model.ts'
import { liveFixture } from '../../../../../test/fixtures/live-projects.ts'
import { decide } from '../../../../../test/fixtures/mcp/approvals.ts'
import { signIn } from '../../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { limits } from '../../../../contract/limits.ts'
import { microFromEuro } from '../../../../kernel/values/money.ts'
import * as billing from '../../../billing/service.ts'

const model = await openStreamingModel()
const fixture = await openTestRuntime({ settings: model.settings })
const { runtime } = fixture
const email = 'owner@bakery.example'
const agents = await openAgents(fixture, email)
const { key, made, project_id } = agents
const instructions = 'Keep the log of the bakery.'

beforeEach(() => {
  model.clear()
  model.requests.length = 0
})

const newAgent = (actions: object[], more: object = {}, mode: 'live' | 'test' = 'test') =>
  agents.newAgent({ trigger: manual, instructions, actions, ...more }, mode)
const call = (action: string, input: unknown) => ({ tool: action.replaceAll('.', '_'), input })
const runNow = async (id: string, mode: 'live' | 'test' = 'test') =>
  agents.ended(id, (await made(`POST /agents/${id}/run`, {}, mode)).id)

describe('a language model', () => {
  test('chooses among the actions, cannot change fixed arguments, and ends with a sentence', async () => {
    const [name, other] = [await agents.newCollection(), await agents.newCollection()]
    const agent = await newAgent([{ action: 'documents.create', config: { name } }])
    model.script(
      { calls: [call('documents.create', { name: other, body: { n: '{{project.name}}' } })] },
      { text: 'I wrote it down.' },
    )
    const run = await runNow(agent.id)
    assert.deepEqual([run.status, run.output_summary], ['completed', 'I wrote it down.'])
    assert.deepEqual(
      run.steps.map(({ type, status }: any) => [type, status]),
      [
        ['model', 'done'],
        ['action', 'done'],
        ['model', 'done'],
      ],
    )
    assert.deepEqual(run.steps[0].usage, {
      input_tokens: 1000,
      output_tokens: 200,
      estimated: false,
    })
    assert.deepEqual(await agents.documents(name), [{ n: '{{project.name}}' }])
    assert.deepEqual(await agents.documents(other), [])
    const [first, second] = model.requests
    assert.deepEqual(first?.tools, ['documents_create'])
    assert.match(first!.messages[0]!.content, /Keep the log/)
    assert.doesNotMatch(
      JSON.parse(first!.text).tools[0].function.parameters.required.join(),
      /name/,
    )
    assert.match(
      second!.messages.findLast(({ role }) => role === 'tool')!.content,
      /<data-\w+>.*"id"/,
    )
  })

  test('reads the sentence of the person who rejects its action, and continues', async () => {
    const name = await agents.newCollection()
    const agent = await newAgent([{ action: 'collections.delete' }])
    model.script({ calls: [call('collections.delete', { name })] }, { text: 'I keep it.' })
    const { id } = await agents.start(agent.id)
    const step = await eventually(async () => (await agents.runOf(agent.id, id)).steps[1])
    const place = `GET /approvals/${step.approval_id}`
    await eventually(async () => (await fixture.look(place, project_id)).status === 200)
    const said = { project_id, id: step.approval_id, verb: 'reject' as const, note: 'Not in May.' }
    await decide(fixture, await signIn(fixture, email), said)
    fixture.passes('1 minute')
    assert.equal((await agents.ended(agent.id, id)).status, 'completed')
    assert.match(model.requests[1]!.text, /Not in May\./)
    assert.equal((await fixture.look(`GET /collections/${name}`, project_id)).status, 200)
  })

  test('is refused an action that the agent does not have, and invalid arguments', async () => {
    const name = await agents.newCollection()
    const agent = await newAgent([{ action: 'documents.list', config: { name } }])
    model.script(
      { calls: [call('collections.delete', { name }), call('documents.list', { limit: 'all' })] },
      { text: 'Never mind.' },
    )
    const run = await runNow(agent.id)
    assert.equal(run.status, 'completed')
    assert.deepEqual(
      run.steps.map(({ status }: any) => status),
      ['done', 'failed', 'failed', 'done'],
    )
  })

  test('may put its arguments into body, and cannot change fixed ones so', async () => {
    const name = await agents.newCollection()
    const other = await agents.newCollection()
    const agent = await newAgent([{ action: 'documents.list', config: { name } }])
    const wrapped = { body: { name: other, limit: 2 } }
    model.script({ calls: [call('documents.list', wrapped)] }, { text: 'Done.' })
    const run = await runNow(agent.id)
    const [, step] = run.steps
    assert.deepEqual([step.status, step.input], ['done', { name, limit: 2 }], JSON.stringify(run))
  })

  test('ends as limit_reached after its requests, so that it cannot go on for ever', async () => {
    const agent = await newAgent([{ action: 'collections.list' }], {
      limits: { max_steps_per_run: 2 },
    })
    model.script(...Array.from({ length: 3 }, () => ({ calls: [call('collections.list', {})] })))
    const run = await runNow(agent.id)
    assert.deepEqual([run.status, run.reason], ['limit_reached', 'steps_per_run'])
    assert.equal(model.requests.length, 2)
  })
})

describe('a request to the model', () => {
  test('is held before and settled after, and none is made beyond a cost limit', async () => {
    await liveFixture(fixture).topUp(project_id, 1)
    const before = await billing.readSpendableBalance(runtime.db, project_id)
    const actions = [{ action: 'collections.list' }]
    const agent = await newAgent(actions, {}, 'live')
    model.script({ calls: [call('collections.list', {})] }, { text: 'Done.' })
    const run = await runNow(agent.id, 'live')
    assert.equal(run.status, 'completed', JSON.stringify(run))
    assert.ok(run.cost_eur > 0)
    assert.equal(run.cost_eur, run.steps[0].cost_eur + run.steps[2].cost_eur)
    const after = await billing.readSpendableBalance(runtime.db, project_id)
    assert.equal(before - after, microFromEuro(run.cost_eur))
    model.requests.length = 0
    const capped = await newAgent(actions, { limits: { max_cost_eur_per_run: 0.001 } }, 'live')
    const stopped = await runNow(capped.id, 'live')
    assert.deepEqual([stopped.status, stopped.reason], ['limit_reached', 'cost_per_run'])
    assert.equal(model.requests.length, 0)
  })

  test('skips the run in test mode once the free calls of the day are used', async () => {
    const other = await openAgents(fixture, 'other@bakery.example')
    const agent = await other.newAgent({
      trigger: manual,
      instructions,
      actions: [{ action: 'collections.list' }],
    })
    const day = billing.toDay(runtime.clock.now(), runtime.config.billing_timezone)
    const used = {
      project_id: other.project_id,
      day,
      replies: limits.test_replies_free_per_day,
    }
    await runtime.db.transact((tx) =>
      tx.insertInto('assistant_test_replies').values(used).execute(),
    )
    const run = await other.ended(agent.id, (await other.start(agent.id)).id)
    assert.deepEqual([run.status, run.reason], ['skipped', 'test_free_calls_used'])
    assert.equal(model.requests.length, 0)
  })
})

describe('an answer that was cut off', () => {
  test('fails the run if it has no whole call', async () => {
    const agent = await newAgent([{ action: 'collections.list' }])
    model.script({ calls: [call('collections.list', '{"limit":')], cut: true })
    const run = await runNow(agent.id)
    assert.deepEqual([run.status, run.steps[0].status], ['failed', 'failed'], JSON.stringify(run))
    assert.match(run.problem.user_message, /too long/)
  })
})

describe('an agent with actions', () => {
  test('is refused together with steps, without instructions, and with an unknown model', async () => {
    for (const [path, body] of [
      ['/actions', { steps: [{ action: 'notify.owner', input: {} }] }],
      ['/instructions', { instructions: ' ' }],
      ['/model', { model: 'huge' }],
      ['/actions/0/action', { actions: [{ action: 'agents.create' }] }],
      ['/actions/0/config', { actions: [{ action: 'orders.list', config: { a: '{{env.x}}' } }] }],
    ] as const) {
      const actions = [{ action: 'orders.list' }]
      const given = { name: 'Helper', trigger: manual, instructions, actions, ...body }
      const refused = await fixture.call('POST /agents', { key, body: given })
      assert.deepEqual([refused.status, refused.body.errors?.[0].path], [422, path], refused.text)
    }
  })
})
