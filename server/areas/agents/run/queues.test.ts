/** Tests of the limits of queued runs, and that the queue of one project does not delay another. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { manual, openAgents } from '../../../../test/fixtures/agents/agents.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { runSchedules } from './jobs.ts'
import { listToResume } from './store.ts'

const fixture = await openTestRuntime({ work: false })
const agents = await openAgents(fixture, 'owner@bakery.example')
const other = await openAgents(fixture, 'owner@florist.example')
const { db, clock } = fixture.runtime
const steps = [{ action: 'collections.list', input: {} }]

/** Inserts runs of an agent: queued ones or, with `started`, completed dry runs. */
async function fill(
  { id, project_id }: { id: string; project_id: string },
  { count, started = false }: { count: number; started?: boolean },
): Promise<void> {
  const now = clock.now()
  await db.transact((tx) =>
    sql`insert into agent_runs (project_id, id, agent_id, status, trigger_type, dry_run, origins,
        created_at, started_at, ended_at)
      select ${project_id}::uuid, gen_random_uuid(), ${id}::uuid,
        ${started ? 'completed' : 'queued'}, 'manual', ${started}, '{}', ${now}::timestamptz,
        ${started ? now : null}::timestamptz, ${started ? now : null}::timestamptz
      from generate_series(1, ${count}::int)`.execute(tx),
  )
}

const countRuns = async (agent_id: string) => {
  const rows = await db
    .selectFrom('agent_runs')
    .select('id')
    .where('agent_id', '=', agent_id)
    .execute()
  return rows.length
}

describe('an agent whose queue is full', () => {
  test('does not start for further events', async () => {
    const name = await agents.newCollection()
    const trigger = { type: 'event', event: 'document.created' }
    const full = await agents.newAgent({ trigger, steps })
    const free = await agents.newAgent({ trigger, steps })
    await fill(
      { ...full, project_id: agents.project_id },
      { count: limits.agent_queued_runs_max - 1 },
    )
    for (const n of [1, 2]) await agents.made(`POST /collections/${name}/documents`, { n })
    assert.equal(await countRuns(full.id), limits.agent_queued_runs_max)
    assert.equal(await countRuns(free.id), 2)
  })

  test('does not start by its schedule', async () => {
    const trigger = { type: 'schedule', cron: '0 8 * * *' }
    const full = await agents.newAgent({ trigger, steps })
    const free = await agents.newAgent({ trigger, steps })
    await fill({ ...full, project_id: agents.project_id }, { count: limits.agent_queued_runs_max })
    fixture.passes('24 hours')
    await runSchedules.run(fixture.runtime)
    assert.equal(await countRuns(full.id), limits.agent_queued_runs_max)
    assert.equal(await countRuns(free.id), 1)
    const { body } = await fixture.look(`GET /agents/${full.id}`, agents.project_id)
    assert(new Date(body.next_run_at) > clock.now())
  })

  test('refuses further requests with 409', async () => {
    const agent = await agents.newAgent({ trigger: manual, steps })
    await fill({ ...agent, project_id: agents.project_id }, { count: limits.agent_queued_runs_max })
    const { key } = agents
    const { status, text } = await fixture.call(`POST /agents/${agent.id}/run`, { key, body: {} })
    assert.equal(status, 409, text)
  })
})

test('an agent refuses dry runs beyond the daily limit with 409', async () => {
  const agent = await agents.newAgent({ trigger: manual, steps })
  const count = limits.agent_dry_runs_per_day_max
  await fill({ ...agent, project_id: agents.project_id }, { count, started: true })
  const { key } = agents
  const start = (body: object) => fixture.call(`POST /agents/${agent.id}/run`, { key, body })
  assert.equal((await start({ dry_run: true })).status, 409)
  assert.equal((await start({})).status, 201)
  fixture.passes('25 hours')
  assert.equal((await start({ dry_run: true })).status, 201)
})

test('a long queue of one project does not delay the runs of another', async () => {
  const busy = [agents, other].toSorted((one, two) => (one.project_id < two.project_id ? -1 : 1))
  for (const [index, count] of [200, 1].entries()) {
    const { project_id } = busy[index]!
    const agent = await busy[index]!.newAgent({ trigger: manual, steps })
    await fill({ ...agent, project_id }, { count })
  }
  const keys = await listToResume(db, { now: clock.now(), resumed_before: clock.now(), count: 100 })
  assert.ok(keys.some(({ project_id }) => project_id === busy[1]!.project_id))
})
