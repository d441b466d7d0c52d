/**
 * `npm run bench -- agents`: runs of agents per second, the time of a step, many schedules that are
 * due at the same time, and the cost of runs that wait for a person. Server and database share the
 * machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { buildApp, startWork } from '../../server/app.ts'
import { defaultLimits } from '../../server/areas/agents/agent-limits.ts'
import { resumeRuns, runSchedules } from '../../server/areas/agents/run/jobs.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { readConfig } from '../../server/kernel/config/config.ts'
import { openRuntime } from '../../server/kernel/open-runtime.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { rounded, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('agents', options)
const PROJECTS = 20
const RUNS = 200
const SCHEDULES = 1000
const WAITING = 1000
const PASSES = 20

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const settings = { HOMEPORT_DATA_DIR: folder, HOMEPORT_LOG_LEVEL: 'error', HOMEPORT_PORT: '0' }
const opened = await openRuntime(readConfig(settings, folder))
const { runtime } = opened
const app = buildApp(runtime, null)
await app.ready()
const client = new pg.Client(opened.connection)
await client.connect()

async function newProject(): Promise<string> {
  const shape = { shape: 'single', plan: 'reachable', owner_email: null } as const
  const made = await projects.create(runtime, { name: 'bench', ...shape })
  return 'project_id' in made ? made.project_id : ''
}
const project_ids: string[] = []
for (let n = 0; n < PROJECTS; n += 1) project_ids.push(await newProject())

/** Until all agents are written, so that no pass of the schedules starts some of them. */
const FAR = new Date('2999-01-01')

const reading = { action: 'collections.list', input: {} }

/** Adds agents, equally many to each project, that are due at `due`. */
async function addAgents(count: number, steps: number, due: Date | null): Promise<void> {
  const definition = {
    name: 'Reader',
    instructions: '',
    trigger: { type: 'schedule', cron: '0 0 1 1 *', timezone: 'UTC' },
    steps: Array.from({ length: steps }, () => reading),
    actions: [],
    model: null,
    overlap: 'queue',
    limits: defaultLimits,
  }
  await client.query(
    `with made as (
       insert into agents (project_id, id, name, version, definition, scopes, next_run_at, status,
         mode, created_by, created_at)
       select ($1::uuid[])[1 + n % cardinality($1::uuid[])], uuidv7(), 'Reader', 1, $2, 'data:read',
         $3, 'active', 'test', 'bench', now()
       from generate_series(1, $4::int) as n returning *)
     insert into agent_versions (project_id, agent_id, version, definition, saved_by, saved_at)
     select project_id, id, 1, definition, 'bench', now() from made`,
    [project_ids, JSON.stringify(definition), due, count],
  )
  await client.query('analyze agents, agent_versions')
}

async function countEnded(): Promise<number> {
  const { rows } = await client.query(
    `select count(*) filter (where status = 'completed')::int as count,
       count(*) filter (where ended_at is not null and status <> 'completed')::int as others
     from agent_runs`,
  )
  if (rows[0].others > 0) throw new Error(`${rows[0].others} runs did not complete.`)
  return rows[0].count
}

/** Deletes all agents with their runs, except those that wait for a person. */
async function clear(): Promise<void> {
  await client.query("delete from agents where name = 'Reader'")
}

interface Passed {
  /** From the time at which they were due. */
  first_start_s: number
  last_start_s: number
  ended_s: number
  runs_per_second: number
}

/** Lets agents be due, starts their schedules, and waits for their runs. */
async function runDue(count: number, steps: number): Promise<Passed> {
  await addAgents(count, steps, FAR)
  const due = new Date()
  await client.query("update agents set next_run_at = $1 where name = 'Reader'", [due])
  await runSchedules.run(runtime)
  while ((await countEnded()) < count) await delay(100)
  const { rows } = await client.query(
    `select min(started_at) as first, max(started_at) as last, max(ended_at) as ended
     from agent_runs where status = 'completed'`,
  )
  const { first, last, ended } = rows[0]
  const after = (time: Date, since: Date) => (time.getTime() - since.getTime()) / 1000
  await clear()
  return {
    first_start_s: after(first, due),
    last_start_s: after(last, due),
    ended_s: after(ended, due),
    runs_per_second: count / after(ended, first),
  }
}

/** Adds runs whose first step waits for the approval of a person. */
async function addWaiting(): Promise<void> {
  await client.query(
    `with agent as (
       insert into agents (project_id, id, name, version, definition, scopes, status, mode,
         created_by, created_at)
       values ($1, uuidv7(), 'Waiting', 1, '{}', '', 'active', 'test', 'bench', now()) returning *),
     runs as (
       insert into agent_runs (project_id, id, agent_id, version, status, trigger_type, origins,
         context, created_at, started_at)
       select a.project_id, uuidv7(), a.id, 1, 'waiting_approval', 'manual', '{}', '{}', now(), now()
       from agent as a, generate_series(1, $2::int) returning *),
     steps as (
       insert into agent_steps (project_id, run_id, seq, action, status, input, approval_id,
         started_at)
       select project_id, id, 1, 'documents.delete', 'waiting_approval', '{}', uuidv7(), now()
       from runs returning *)
     insert into approvals (project_id, id, operation, scope, effect, about, arguments, input_hash,
       asked_hash, source, asked_by, asked_as, mode, created_at, expires_at)
     select project_id, approval_id, action, 'data:write', 'deletes', 'Deletes', '{}', '', '',
       'agent', run_id, 'Waiting', 'test', now(), now() + interval '3 days' from steps`,
    [project_ids[0], WAITING],
  )
  await client.query('analyze agent_runs, agent_steps, approvals')
}

/** The time of a pass that looks for runs to resume, in ms. */
async function resumePass(): Promise<number> {
  const begun = performance.now()
  await resumeRuns.run(runtime)
  return performance.now() - begun
}

async function resumePasses(): Promise<number[]> {
  await resumePass()
  const times: number[] = []
  for (let n = 0; n < PASSES; n += 1) times.push(await resumePass())
  return times
}

const of = (figure: keyof Passed, passed: readonly Passed[]) =>
  spread(passed.map((one) => one[figure]))

const work = startWork(runtime)
const short: Passed[] = []
const long: Passed[] = []
const many: Passed[] = []
for (let round = -1; round < options.rounds; round += 1) {
  const one = await runDue(RUNS, 1)
  const eleven = await runDue(RUNS, 11)
  // The first round is the warm-up.
  if (round < 0) continue
  short.push(one)
  long.push(eleven)
  many.push(await runDue(SCHEDULES, 1))
}
const none_waits = await resumePasses()
await addWaiting()
const waits = await resumePasses()
const besides = await runDue(RUNS, 1)
const step_ms = long.map(({ ended_s }, at) => {
  const ten_steps_s = ended_s - short[at]!.ended_s
  return (ten_steps_s * 1000) / (RUNS * 10)
})
finish({
  generator: 'schedules that are due at the same time',
  tables: [
    {
      title: 'Runs in rule mode',
      about:
        `${RUNS.toLocaleString('en')} agents of ${PROJECTS} projects are due at the same time, with one step and with ` +
        'eleven. Each step lists the collections of its project, and its result is stored before the next one ' +
        'begins.',
      columns: ['what', 'figure'],
      rows: [
        ['runs of one step, a second', of('runs_per_second', short)],
        ['runs of eleven steps, a second', of('runs_per_second', long)],
        ['a further step, in ms, operation included', spread(step_ms)],
      ],
    },
    {
      title: `${SCHEDULES.toLocaleString('en')} schedules due at the same time`,
      about: 'Seconds from the pass that starts them, which takes place each 30 s.',
      columns: ['what', 's'],
      rows: [
        ['the first run starts', of('first_start_s', many)],
        ['the last run starts', of('last_start_s', many)],
        ['the last run ends', of('ended_s', many)],
      ],
    },
    {
      title: `${WAITING.toLocaleString('en')} runs that wait for a person`,
      about: 'A pass that looks for runs to resume takes place each 15 s.',
      columns: ['what', 'none waits', `${WAITING.toLocaleString('en')} wait`],
      rows: [
        ['a pass, in ms', spread(none_waits), spread(waits)],
        [
          'runs of one step, a second',
          of('runs_per_second', short),
          rounded(besides.runs_per_second),
        ],
      ],
    },
  ],
})
await work.stop()
await app.close()
await client.end()
await opened.close()
rmSync(folder, { recursive: true, force: true })
