/** The runs of an agent as clients see them, and their start and cancellation by request. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import { withdraw } from '../../approvals/service.ts'
import { requireAgentMode } from '../agent-mode.ts'
import { maySeeSteps, requireScopes } from '../definition/rights.ts'
import * as agents from '../store.ts'
import { findPastEvent } from './event.ts'
import { advanceRunJob } from './jobs.ts'
import type { ListedRun, Run, RunInput, RunList, RunQuery } from './schema.ts'
import * as store from './store.ts'
import { countQueued, countStarted, DAY_MS } from './usage-store.ts'

export async function startRun(caller: Caller, id: string, asked: RunInput): Promise<Run> {
  const { input, event_id, dry_run = false } = asked
  const { runtime, project, db } = caller
  const key = { project_id: project.id, id }
  const past = event_id === undefined ? null : await findEventFor(caller, id, event_id)
  const { row, agent } = await db.transact(async (tx) => {
    const agent = await agents.lock(tx, key)
    if (!agent) throw unknownAgent()
    requireAgentMode(caller, agent)
    requireScopes(caller, JSON.parse(agent.definition))
    if (agent.status !== 'active' && !dry_run) throw switchedOff()
    await requireRoom(tx, runtime, { project_id: project.id, agent_id: id, dry_run })
    const row = await store.insertRun(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      agent_id: id,
      status: 'queued',
      trigger_type: 'manual',
      event_id: past,
      dry_run,
      origins: [],
      context: JSON.stringify({ input: input ?? {} }),
      created_at: runtime.clock.now(),
    })
    await enqueue(tx, runtime, advanceRunJob, {
      project_id: project.id,
      payload: { project_id: project.id, id: row.id },
      dedupe_key: row.id,
    })
    return { row, agent }
  })
  return { ...present(row, agent), output_summary: null, steps: [] }
}

/**
 * Throws conflict if the queue of the agent is full, or if it had too many dry runs. The caller holds
 * the lock of the agent.
 */
async function requireRoom(
  tx: Transaction,
  { clock }: Runtime,
  of: { project_id: string; agent_id: string; dry_run: boolean },
): Promise<void> {
  if ((await countQueued(tx, of)) >= limits.agent_queued_runs_max)
    throw conflict('Too many runs of this agent wait to start. Try again when some have started.')
  const since = new Date(clock.now_ms() - DAY_MS)
  if (of.dry_run && (await countStarted(tx, { ...of, since })) >= limits.agent_dry_runs_per_day_max)
    throw conflict('This agent had too many dry runs in the last 24 hours. Try again later.')
}

function conflict(user_message: string): Problem {
  return new Problem('conflict', user_message, { user_message })
}

async function findEventFor(caller: Caller, id: string, event_id: string): Promise<string> {
  return findPastEvent(caller, await findAgent(caller, id), event_id)
}

export async function listRuns(caller: Caller, id: string, query: RunQuery): Promise<RunList> {
  const { project, db } = caller
  const { status = null, ...page } = query
  const agent = await findAgent(caller, id)
  const { data, next_cursor } = await readPage(caller, {
    list: ['agent runs', id, ...(status === null ? [] : [status])].join(' '),
    query: page,
    read: (count, after) =>
      store.listRuns(db, { project_id: project.id, agent_id: id, status, count, after }),
  })
  return { data: data.map((row) => present(row, agent)), next_cursor }
}

interface RunParams {
  id: string
  run_id: string
}

export async function findRun(caller: Caller, { id, run_id }: RunParams): Promise<Run> {
  const agent = await findAgent(caller, id)
  const key = { project_id: caller.project.id, id: run_id }
  const row = await store.findRun(caller.db, key)
  if (row?.agent_id !== id) throw unknownRun()
  const steps = await store.listSteps(caller.db, key)
  const isVisible = await areStepsVisible(caller, row)
  return {
    ...present(row, agent),
    output_summary: isVisible ? row.output_summary : null,
    steps: steps.map((step) => presentStep(step, isVisible)),
  }
}

async function areStepsVisible(caller: Caller, run: store.RunRow): Promise<boolean> {
  const { project_id, agent_id: id, version } = run
  if (version === null) return false
  const text = await agents.findDefinition(caller.db, { project_id, id, version })
  return maySeeSteps(caller, JSON.parse(String(text)))
}

/** A pending approval of the run is withdrawn; one that is being executed is not undone. */
export async function cancelRun(caller: Caller, { id, run_id }: RunParams): Promise<Run> {
  const { runtime, db, project } = caller
  requireAgentMode(caller, await findAgent(caller, id))
  const key = { project_id: project.id, id: run_id }
  const ended_at = runtime.clock.now()
  const is_canceled = await db.transact(async (tx) => {
    const row = await store.lockOpenRun(tx, key)
    if (row?.agent_id !== id) return false
    for (const { seq, status, approval_id } of await store.listSteps(tx, key)) {
      if (status !== 'waiting_approval') continue
      const rejected = { status: 'rejected' as const, ended_at }
      await store.updateStep(tx, { project_id: project.id, run_id, seq }, rejected)
      if (approval_id) await withdraw(tx, runtime, { project_id: project.id, id: approval_id })
    }
    const change = { status: 'canceled', reason: 'canceled', context: null, ended_at } as const
    await store.updateRun(tx, key, change)
    return true
  })
  if (!is_canceled) throw await notOpen(caller, { id, run_id })
  return findRun(caller, { id, run_id })
}

async function notOpen(caller: Caller, { id, run_id }: RunParams): Promise<Problem> {
  const row = await store.findRun(caller.db, { project_id: caller.project.id, id: run_id })
  if (row?.agent_id !== id) return unknownRun()
  return conflict('This run has already ended.')
}

export async function findAgent({ db, project }: Caller, id: string): Promise<agents.AgentRow> {
  const agent = await agents.find(db, { project_id: project.id, id })
  if (!agent) throw unknownAgent()
  return agent
}

function present(row: store.RunRow, { mode }: agents.AgentRow): ListedRun {
  return {
    id: row.id,
    agent_id: row.agent_id,
    agent_version: row.version,
    status: row.status,
    trigger: { type: row.trigger_type, event_id: row.event_id },
    dry_run: row.dry_run,
    reason: row.reason,
    problem: parse(row.problem),
    cost_eur: euroFromMicro(row.cost_micro),
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    test: mode === 'test',
  }
}

function presentStep(row: store.StepRow, isVisible: boolean): Run['steps'][number] {
  return {
    seq: row.seq,
    type: row.type,
    action: row.action,
    status: row.status,
    input: isVisible ? parse(row.input) : null,
    output: isVisible ? parse(row.output) : null,
    problem: parse(row.problem),
    approval_id: row.approval_id,
    usage: row.usage,
    cost_eur: euroFromMicro(row.cost_micro),
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function parse(text: string | null) {
  return text === null ? null : JSON.parse(text)
}

function unknownAgent(): Problem {
  return new Problem('not_found', 'There is no agent with this id.')
}

function unknownRun(): Problem {
  return new Problem('not_found', 'There is no run with this id.')
}

function switchedOff(): Problem {
  const user_message = 'This agent is switched off or paused. Switch it on first.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Ask the user whether to enable the agent, with POST /agents/{id}/enable.',
  })
}
