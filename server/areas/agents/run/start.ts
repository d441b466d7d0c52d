/**
 * Decides whether a queued run starts, by the status of the agent, the filter, the overlap policy and
 * the limit of runs a day, and starts it.
 */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import type { Definition } from '../schema.ts'
import * as agents from '../store.ts'
import { loadEvent, startsAgent } from './event.ts'
import * as store from './store.ts'
import { countStarted, DAY_MS } from './usage-store.ts'

/** `waits`: another run of the agent has to end first. `ended`: the run is not queued any more. */
export type Started = 'running' | 'waits' | 'ended'

export function startQueued(runtime: Runtime, run: store.RunRow): Promise<Started> {
  return runtime.db.transact(async (tx) => {
    const agent = await agents.lock(tx, { project_id: run.project_id, id: run.agent_id })
    const locked = await store.lockOpenRun(tx, run)
    if (!agent || locked?.status !== 'queued') return 'ended'
    return startLocked(tx, runtime, { agent, run: locked })
  })
}

interface AgentAndRun {
  agent: agents.AgentRow
  run: store.RunRow
}

async function startLocked(
  tx: Transaction,
  runtime: Runtime,
  { agent, run }: AgentAndRun,
): Promise<Started> {
  const definition: Definition = JSON.parse(agent.definition)
  const now = runtime.clock.now()
  const end = async (status: Ended['status'], reason: string): Promise<Started> => {
    await store.updateRun(tx, run, { status, reason, context: null, ended_at: now })
    return 'ended'
  }
  if (agent.status !== 'active' && !run.dry_run) return end('skipped', 'agent_paused')
  const { project_id, event_id } = run
  const event =
    event_id === null ? null : await loadEvent(tx, runtime, { project_id, id: event_id })
  if (event_id !== null && event === null) return end('skipped', 'event_deleted')
  if (event && !startsAgent(agent, event, now)) {
    // Events insert runs by their type alone, so a run that does not match the filter is deleted;
    // only one that a request asked for is kept as skipped.
    if (run.trigger_type !== 'event') return end('skipped', 'filter')
    await store.deleteRun(tx, run)
    return 'ended'
  }
  if (!run.dry_run) {
    const obstacle = await findObstacle(tx, { run, definition, now })
    if (obstacle === 'waits') return 'waits'
    if (obstacle) return end(obstacle.status, obstacle.reason)
  }
  const context = JSON.stringify({
    input: {},
    ...(run.context !== null && JSON.parse(run.context)),
    ...(event && { event }),
    ...(await describeProject(tx, run)),
    ...timesOf(definition, now),
  })
  const times = { started_at: now, resumed_at: now }
  await store.updateRun(tx, run, { status: 'running', version: agent.version, context, ...times })
  return 'running'
}

type Ended = { status: 'skipped' | 'limit_reached'; reason: string }

/** Returns null if the overlap policy and the limit of runs a day allow the run. */
async function findObstacle(
  tx: Transaction,
  { run, definition, now }: { run: store.RunRow; definition: Definition; now: Date },
): Promise<'waits' | Ended | null> {
  if (await store.hasActiveRun(tx, run)) {
    return definition.overlap === 'queue' ? 'waits' : { status: 'skipped', reason: 'overlap' }
  }
  const since = new Date(now.getTime() - DAY_MS)
  const started = await countStarted(tx, { ...run, since, dry_run: false })
  if (started < definition.limits.max_runs_per_day) return null
  return { status: 'limit_reached', reason: 'runs_per_day' }
}

async function describeProject(db: Reader, { project_id }: store.RunRow) {
  const project = await projects.find(db, project_id)
  return { project: { name: project?.name ?? '' } }
}

function timesOf({ trigger }: Definition, now: Date) {
  const timezone = (trigger.type === 'schedule' ? trigger.timezone : undefined) ?? 'UTC'
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone)
  const today = local.toPlainDate()
  return {
    now: now.toISOString(),
    today: today.toString(),
    today_start: local.startOfDay().toInstant().toString(),
    yesterday: today.subtract({ days: 1 }).toString(),
    week_ago: today.subtract({ days: 7 }).toString(),
    month_ago: today.subtract({ days: 31 }).toString(),
  }
}
