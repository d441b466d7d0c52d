/** Tests of agents through the API: triggers, steps, approvals, limits and the end of loops. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { decide } from '../../../test/fixtures/mcp/approvals.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { listLoggedMails } from '../../providers/mail/mail.ts'
import { scopeNames } from '../../contract/scopes.ts'

const fixture = await openTestRuntime()
const email = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, email)
const key = await fixture.newKey({ project_id })

async function newCollection(): Promise<string> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  const body = { name, webhook_on_insert: true }
  const made = await fixture.call('POST /collections', { key, body })
  assert.equal(made.status, 201, made.text)
  return name
}

const manual = { type: 'manual' }
const log = (name: string, data: object = {}) => ({
  action: 'documents.create',
  input: { name, body: data },
})

async function newAgent(body: object) {
  const made = await fixture.call('POST /agents', { key, body: { name: 'Helper', ...body } })
  assert.equal(made.status, 201, made.text)
  return made.body
}

async function start(id: string, input: object = {}) {
  const made = await fixture.call(`POST /agents/${id}/run`, { key, body: { input } })
  assert.equal(made.status, 201, made.text)
  return made.body
}

async function runOf(id: string, run_id: string) {
  return (await fixture.look(`GET /agents/${id}/runs/${run_id}`, project_id)).body
}

async function runsOf(id: string): Promise<any[]> {
  return (await fixture.look(`GET /agents/${id}/runs`, project_id)).body.data
}

async function ended(id: string, run_id: string) {
  await eventually(async () => (await runOf(id, run_id)).ended_at !== null)
  return runOf(id, run_id)
}

async function documents(name: string): Promise<any[]> {
  const { body } = await fixture.look(`GET /collections/${name}/documents`, project_id)
  return body.data.map(({ data }: { data: unknown }) => data)
}

describe('POST /agents', () => {
  test('creates an agent, and each change makes a new version', async () => {
    const name = await newCollection()
    const agent = await newAgent({ trigger: manual, steps: [log(name)] })
    assert.deepEqual(
      [agent.status, agent.version, agent.overlap, agent.test, agent.created_by],
      ['active', 1, 'queue', true, 'Key of a test'],
    )
    const changed = await fixture.call(`PATCH /agents/${agent.id}`, { key, body: { name: 'New' } })
    assert.deepEqual([changed.body.version, changed.body.name], [2, 'New'])
    assert.deepEqual(changed.body.steps, agent.steps)
    const gone = await fixture.call(`DELETE /agents/${agent.id}`, { key })
    assert.equal(gone.status, 204)
    assert.equal((await fixture.call(`GET /agents/${agent.id}`, { key })).status, 404)
  })

  test('refuses a schedule, an event, a filter, an action and a template that do not exist', async () => {
    for (const [path, body] of [
      ['/trigger/cron', { trigger: { type: 'schedule', cron: '61 * * * *' }, steps: [log('a')] }],
      ['/trigger/timezone', { trigger: { type: 'schedule', cron: '0 8 * * *', timezone: 'Mars' } }],
      ['/trigger/event', { trigger: { type: 'event', event: 'cake.baked' } }],
      [
        '/trigger/filter',
        { trigger: { type: 'event', event: 'document.created', filter: 'a ==' } },
      ],
      // The event has no such field, and compares an object with a text.
      // It has nothing below a text.
      ...['collection.nam = "a"', 'collection = "a"', 'collection.name.first = "a"'].map(
        (filter) =>
          [
            '/trigger/filter',
            { trigger: { type: 'event', event: 'document.created', filter } },
          ] as const,
      ),
      ['/steps/0/action', { steps: [{ action: 'agents.create', input: {} }] }],
      ['/steps/0/action', { steps: [{ action: 'cakes.bake', input: {} }] }],
      // It calls an outside service.
      ['/steps/0/action', { steps: [{ action: 'company.put', input: {} }] }],
      ['/steps/0/input', { steps: [log('a', { x: '{{secrets.x}}' })] }],
      ['/steps/0/when', { steps: [{ ...log('a'), when: 'a or' }] }],
    ] as const) {
      const given = { name: 'Helper', trigger: manual, steps: [log('a')], ...body }
      const refused = await fixture.call('POST /agents', { key, body: given })
      assert.equal(refused.status, 422, refused.text)
      assert.deepEqual(
        refused.body.errors.map((one: { path: string }) => one.path),
        [path],
      )
    }
  })

  test('says that its event is not sent, or is of the other mode, and how to change it', async () => {
    const name = `c-${crypto.randomUUID().slice(0, 12)}`
    await fixture.call('POST /collections', { key, body: { name, public_write: true } })
    const filter = `collection.name = "${name}"`
    const trigger = { type: 'event', event: 'document.created', filter }
    const agent = await newAgent({ trigger, steps: [log(name)] })
    assert.match(agent.warnings[0], new RegExp(`is false: ${name}\\. .*form is live`))
    const on_data = { ...trigger, filter: 'document.data.guests > 6' }
    const further = await newAgent({ trigger: on_data, steps: [log(name)] })
    assert.match(further.warnings[0], new RegExp(`is false: .*${name}`))
    await fixture.call(`DELETE /agents/${further.id}`, { key })
    const body = { webhook_on_insert: true, public_write: false }
    await fixture.call(`PATCH /collections/${name}`, { key, body })
    const shown = await fixture.call(`GET /agents/${agent.id}`, { key })
    assert.equal(shown.body.warnings, undefined)
    await fixture.call(`DELETE /agents/${agent.id}`, { key })
  })

  test('refuses an agent whose steps need a scope that the key does not have', async () => {
    const scopes = scopeNames.filter((scope) => scope !== 'data:write')
    const limited = await fixture.newKey({ project_id, scopes })
    const body = { name: 'Helper', trigger: manual, steps: [log('a')] }
    const refused = await fixture.call('POST /agents', { key: limited, body })
    assert.deepEqual([refused.status, refused.body.type.split('/').at(-1)], [403, 'missing_scope'])
  })
})

describe('a run', () => {
  test('fills in templates, skips steps whose condition is false, and stores every step', async () => {
    const name = await newCollection()
    const agent = await newAgent({
      trigger: manual,
      steps: [
        { name: 'first', ...log(name, { guests: '{{input.guests}}', note: 'for {{input.who}}' }) },
        { ...log(name, { never: true }), when: 'input.guests > 6' },
        log(name, { copy_of: '{{steps.first.reply.id}}' }),
      ],
    })
    const made = await start(agent.id, { guests: 4, who: '{{project.name}}' })
    const run = await ended(agent.id, made.id)
    assert.deepEqual([run.status, run.agent_version], ['completed', 1], JSON.stringify(run))
    assert.deepEqual(
      run.steps.map((step: { status: string }) => step.status),
      ['done', 'skipped', 'done'],
    )
    const [copy, original] = await documents(name)
    assert.deepEqual(original, { guests: 4, note: 'for {{project.name}}' })
    assert.equal(copy.copy_of, run.steps[0].output.id)
  })

  test('fails at the first step that fails, and five failures in a row pause the agent and mail the owner', async () => {
    const agent = await newAgent({ trigger: manual, steps: [log('not-there'), log('nor-this')] })
    for (let count = 0; count < 5; count += 1) {
      const { id } = await start(agent.id)
      const run = await ended(agent.id, id)
      assert.deepEqual([run.status, run.problem.slug], ['failed', 'not_found'])
      assert.equal(run.steps.length, 1)
    }
    const { body } = await fixture.call(`GET /agents/${agent.id}`, { key })
    assert.deepEqual([body.status, body.paused_reason], ['paused', 'failures'])
    const mail = await eventually(() =>
      listLoggedMails(fixture.runtime).find(({ subject }) => subject.includes('is paused')),
    )
    assert.equal(mail.to, email)
    const refused = await fixture.call(`POST /agents/${agent.id}/run`, { key, body: {} })
    assert.equal(refused.status, 409)
    const enabled = await fixture.call(`POST /agents/${agent.id}/enable`, { key })
    assert.deepEqual([enabled.body.status, enabled.body.paused_reason], ['active', null])
  })

  test('ends as limit_reached beyond the runs of a day', async () => {
    const name = await newCollection()
    const agent = await newAgent({
      trigger: manual,
      steps: [log(name)],
      limits: { max_runs_per_day: 1 },
    })
    assert.equal((await ended(agent.id, (await start(agent.id)).id)).status, 'completed')
    const second = await ended(agent.id, (await start(agent.id)).id)
    assert.deepEqual([second.status, second.reason], ['limit_reached', 'runs_per_day'])
    assert.equal((await documents(name)).length, 1)
  })
})

describe('an event', () => {
  test('starts the agents whose filter matches it', async () => {
    const [watched, other, target] = [
      await newCollection(),
      await newCollection(),
      await newCollection(),
    ]
    const agent = await newAgent({
      trigger: {
        type: 'event',
        event: 'document.created',
        filter: `collection.name = "${watched}" and document.data.guests >= 6`,
      },
      steps: [log(target, { who: '{{event.data.document.data.who}}' })],
    })
    for (const [collection, guests] of [
      [watched, 2],
      [other, 8],
      [watched, 8],
    ] as const) {
      const body = { who: `party of ${guests}`, guests }
      await fixture.call(`POST /collections/${collection}/documents`, { key, body })
    }
    await eventually(async () => (await documents(target)).length > 0)
    assert.deepEqual(await documents(target), [{ who: 'party of 8' }])
    await eventually(async () => (await runsOf(agent.id)).every((run) => run.ended_at !== null))
    const [run, ...rest] = await runsOf(agent.id)
    assert.deepEqual([rest, run.status, run.trigger.type], [[], 'completed', 'event'])
    assert.match(run.trigger.event_id, /^evt_/)
  })

  test('caused by an agent does not start this agent, and starts at most three agents in a row', async () => {
    const name = await newCollection()
    const filter = `collection.name = "${name}"`
    const trigger = { type: 'event', event: 'document.created', filter }
    const agents = await Promise.all(
      Array.from({ length: 4 }, () => newAgent({ trigger, steps: [log(name, { by: 'agent' })] })),
    )
    await fixture.call(`POST /collections/${name}/documents`, { key, body: { by: 'person' } })
    // Four start by the person, each starts the three others, each of those two, and none further.
    const expected = 4 + 4 * 3 + 4 * 3 * 2
    await eventually(async () => {
      const { body } = await fixture.look(
        `GET /collections/${name}/documents?limit=1&count=true`,
        project_id,
      )
      assert.ok(body.count <= expected + 1)
      return body.count === expected + 1
    })
    const runs = await Promise.all(agents.map(({ id }) => runsOf(id)))
    assert.equal(runs.flat().length, Math.min(expected, 4 * 20))
    for (const { id } of agents) await fixture.call(`DELETE /agents/${id}`, { key })
  })
})

describe('a schedule', () => {
  test('starts the agent at its times in its zone, and not while it is disabled', async () => {
    const name = await newCollection()
    const trigger = { type: 'schedule', cron: '0 8 * * *', timezone: 'Europe/Amsterdam' }
    const agent = await newAgent({ trigger, steps: [log(name, { day: '{{today}}' })] })
    const next = new Date(agent.next_run_at)
    const local = next.toLocaleTimeString('en-GB', { timeZone: 'Europe/Amsterdam' })
    assert.equal(local, '08:00:00')
    fixture.passes('24 hours')
    await eventually(async () => (await documents(name)).length === 1)
    await fixture.call(`POST /agents/${agent.id}/disable`, {
      key: await fixture.newKey({ project_id }),
    })
    fixture.passes('24 hours')
    const { body } = await fixture.look(`GET /agents/${agent.id}`, project_id)
    assert.deepEqual([body.status, body.next_run_at], ['disabled', null])
    assert.equal((await documents(name)).length, 1)
  })
})

describe('a step that deletes, costs money or contacts an outside person', () => {
  async function waiting(step: object) {
    const agent = await newAgent({ trigger: manual, steps: [step] })
    const { id } = await start(agent.id)
    await eventually(async () => (await runOf(agent.id, id)).status === 'waiting_approval')
    const approval_id: string = (await runOf(agent.id, id)).steps[0].approval_id
    await eventually(async () => (await approval(approval_id)).status === 200)
    return { agent, run_id: id, approval_id }
  }
  const approval = (id: string) => fixture.look(`GET /approvals/${id}`, project_id)
  const person = () => signIn(fixture, email)

  test('waits for a person, and is executed once they approve', async () => {
    const name = await newCollection()
    const step = { action: 'collections.delete', input: { name: '{{input.name}}' } }
    const agent = await newAgent({ trigger: manual, steps: [step] })
    const { id: run_id } = await start(agent.id, { name })
    await eventually(async () => (await runOf(agent.id, run_id)).status === 'waiting_approval')
    const { approval_id } = (await runOf(agent.id, run_id)).steps[0]
    await eventually(async () => (await approval(approval_id)).status === 200)
    const { body } = await approval(approval_id)
    assert.deepEqual([body.asked_by, body.arguments], ['Helper', { name }])
    const said = { project_id, id: approval_id, verb: 'approve' as const }
    const decided = await decide(fixture, await person(), said)
    assert.equal(decided.body.status, 'executed', JSON.stringify(decided.body))
    fixture.passes('1 minute')
    assert.equal((await ended(agent.id, run_id)).status, 'completed')
    assert.equal((await fixture.look(`GET /collections/${name}`, project_id)).status, 404)
  })

  test('fails the run with the note of the person who rejects the step', async () => {
    const name = await newCollection()
    const { agent, run_id, approval_id } = await waiting({
      action: 'collections.delete',
      input: { name },
    })
    const said = { project_id, id: approval_id, verb: 'reject' as const, note: 'Keep it.' }
    await decide(fixture, await person(), said)
    fixture.passes('1 minute')
    const run = await ended(agent.id, run_id)
    assert.deepEqual([run.status, run.steps[0].status], ['failed', 'rejected'])
    assert.equal(run.steps[0].problem.user_message, 'Keep it.')
  })

  test('is not executed once the run is canceled', async () => {
    const name = await newCollection()
    const { agent, run_id, approval_id } = await waiting({
      action: 'collections.delete',
      input: { name },
    })
    const canceled = await fixture.call(`POST /agents/${agent.id}/runs/${run_id}/cancel`, {
      key: await fixture.newKey({ project_id }),
    })
    assert.equal(canceled.body.status, 'canceled')
    const { body } = await approval(approval_id)
    assert.deepEqual([body.status, body.decided_by], ['rejected', null])
    assert.ok(body.decided_at < body.expires_at, 'It was withdrawn now.')
    const late = await decide(fixture, await person(), {
      project_id,
      id: approval_id,
      verb: 'approve',
    })
    assert.match(late.body.user_message, /was withdrawn/)
    assert.equal((await fixture.look(`GET /collections/${name}`, project_id)).status, 200)
  })
})
