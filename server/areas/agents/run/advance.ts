/**
 * Advances a run step by step. The result of each step is stored before the next step begins, so after
 * a crash another process continues after the last stored step.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import type { ApprovalPolicy, Definition } from '../schema.ts'
import * as agents from '../store.ts'
import { resumeStep } from './steps/approval.ts'
import { buildCaller } from './caller.ts'
import { findNextChoice, toStep } from './model/choices.ts'
import { CannotPay, think } from './model/think.ts'
import { LimitReached } from './steps/limits.ts'
import { enqueuePauseMails } from './mail.ts'
import { problemOf, type StoredProblem } from './steps/result.ts'
import { startQueued } from './start.ts'
import { runStep, type StepWork } from './steps/step.ts'
import * as store from './store.ts'

/** Returns whether the run has ended. Throws if the job has to retry. */
export async function advanceRun(
  runtime: Runtime,
  key: store.RunKey,
  signal: AbortSignal,
): Promise<boolean> {
  const queued = await store.findRun(runtime.db, key)
  if (!queued || queued.ended_at !== null) return true
  if (queued.status === 'queued') {
    const started = await startQueued(runtime, queued)
    if (started !== 'running') return started === 'ended'
  } else if (queued.status === 'running') {
    await restartTimeout(runtime, key)
  }
  const versioned = await findVersion(runtime, key)
  if (!versioned) return false
  for (;;) {
    if (signal.aborted) throw new Error('The lease of the run was lost.')
    const result = await advanceOnce(runtime, key, versioned)
    if (result === 'next') continue
    if (result === 'waits') return false
    await endRun(runtime, queued, result)
    return true
  }
}

/** The agent of a run, and the definition with which the run started. */
interface StartedVersion {
  agent: agents.AgentRow
  definition: Definition
}

async function findVersion({ db }: Runtime, key: store.RunKey): Promise<StartedVersion | null> {
  const run = await store.findRun(db, key)
  const agent = run && (await agents.find(db, { project_id: key.project_id, id: run.agent_id }))
  if (!agent || run.version === null) return null
  const text = await agents.findDefinition(db, { ...agent, version: run.version })
  return { agent, definition: JSON.parse(String(text)) }
}

/** Starts the timeout anew: the time without a process does not count. */
async function restartTimeout({ db, clock }: Runtime, key: store.RunKey): Promise<void> {
  await db.transact((tx) => store.updateRun(tx, key, { resumed_at: clock.now() }))
}

export interface Ending {
  status: 'completed' | 'failed' | 'timed_out' | 'limit_reached' | 'skipped'
  problem: StoredProblem | null
  reason?: string
  /** The last words of a language model. */
  output_summary?: string
}

/** Runs the next step. Returns how the run ends if no step is left, or if it cannot continue. */
async function advanceOnce(
  runtime: Runtime,
  key: store.RunKey,
  { agent, definition }: StartedVersion,
): Promise<'next' | 'waits' | Ending> {
  const run = await store.findRun(runtime.db, key)
  if (!run || run.ended_at !== null) return 'waits'
  const done = await store.listSteps(runtime.db, key)
  const waiting = done.find(({ status }) => status === 'waiting_approval')
  const before = waiting ? done.filter(({ seq }) => seq < waiting.seq) : done
  const seq = before.length + 1
  const next =
    definition.actions.length > 0 ? findChosen(definition, before) : findStep(definition, done)
  if ('status' in next) return next
  if (isTimedOut(runtime, run, definition)) return { status: 'timed_out', problem: null }
  try {
    const caller = await buildCaller(runtime, { agent, run })
    const policy = await findPolicy(runtime, run)
    const work = { caller, run, definition, seq, done, policy }
    if (next.step === null) return await think(work)
    const step: StepWork = { ...work, ...next }
    return waiting ? await resumeStep(step, waiting) : await runStep(step)
  } catch (error) {
    if (error instanceof Problem) return failed(problemOf(error))
    if (error instanceof LimitReached)
      return { status: 'limit_reached', problem: null, reason: error.reason }
    if (error instanceof CannotPay) return unpaid(done, error)
    throw error
  }
}

/** Read before each step, because a person can change it while the run works or waits. */
async function findPolicy(
  { db }: Runtime,
  { project_id, agent_id: id, version }: store.RunRow,
): Promise<ApprovalPolicy> {
  const agent = await agents.find(db, { project_id, id })
  return agent?.version === version ? JSON.parse(agent.auto_approvals) : []
}

type NextStep = Pick<StepWork, 'step' | 'chosen'> | { step: null } | Ending

/** The next fixed step, or how the run ends. */
function findStep(definition: Definition, done: readonly store.StepRow[]): NextStep {
  const waiting = done.find(({ status }) => status === 'waiting_approval')
  const failure = findFailure(definition, done)
  if (failure) return failed(JSON.parse(failure.problem ?? 'null'))
  const step = definition.steps[waiting ? waiting.seq - 1 : done.length]
  return step ? { step } : { status: 'completed', problem: null }
}

/** The next step that the language model chose, null for its next request, or the end of the run. */
function findChosen(definition: Definition, before: readonly store.StepRow[]): NextStep {
  const failure = before.find(({ type, status }) => type === 'model' && status === 'failed')
  if (failure) return failed(JSON.parse(failure.problem ?? 'null'))
  const next = findNextChoice(before)
  if (next.kind === 'call') return toStep(definition, next.call)
  if (next.kind === 'ask') return { step: null }
  const output_summary = cutText(next.text, SUMMARY_CHARACTERS_MAX)
  return { status: 'completed', problem: null, output_summary }
}

const SUMMARY_CHARACTERS_MAX = 4_000

/** A run that could pay nothing is skipped; one that did something before has reached a limit. */
function unpaid(done: readonly store.StepRow[], { reason }: CannotPay): Ending {
  return { status: done.length === 0 ? 'skipped' : 'limit_reached', problem: null, reason }
}

/** The step that ends the run: a failed one, or a rejected one that does not let it continue. */
function findFailure(
  { steps }: Definition,
  done: readonly store.StepRow[],
): store.StepRow | undefined {
  return done.find(
    ({ status, seq }) =>
      status === 'failed' || (status === 'rejected' && steps[seq - 1]?.on_rejection !== 'continue'),
  )
}

function failed(problem: Ending['problem']): Ending {
  return { status: 'failed', problem }
}

function isTimedOut(
  { clock }: Runtime,
  { resumed_at }: store.RunRow,
  { limits: { timeout_seconds } }: Definition,
): boolean {
  if (resumed_at === null) return false
  return clock.now_ms() - resumed_at.getTime() > timeout_seconds * 1000
}

/** Ends a run, and pauses its agent after too many failures in a row. */
async function endRun(runtime: Runtime, run: store.RunRow, ending: Ending): Promise<void> {
  const ended_at = runtime.clock.now()
  const { project_id, agent_id: id } = run
  await runtime.db.transact(async (tx) => {
    const agent = await agents.lock(tx, { project_id, id })
    const problem = ending.problem && JSON.stringify(ending.problem)
    const { status, reason = null, output_summary = null } = ending
    const change = { status, reason, problem, output_summary, context: null, ended_at }
    const ended = await store.updateRun(tx, run, change)
    if (!ended || !agent || run.dry_run) return
    const failures = failuresAfter(agent, status)
    const pauses = agent.status === 'active' && failures >= limits.agent_failures_in_a_row_max
    if (failures === agent.failures) return
    await agents.update(tx, agent, {
      failures,
      ...(pauses && { status: 'paused', paused_reason: 'failures', next_run_at: null }),
    })
    const project = pauses ? await projects.find(tx, project_id) : undefined
    if (project) await enqueuePauseMails(tx, runtime, { project, name: agent.name, failures })
  })
}

/** A run that reaches a limit counts neither as a failure nor as a success. */
function failuresAfter({ failures }: agents.AgentRow, status: Ending['status']): number {
  if (status === 'limit_reached' || status === 'skipped') return failures
  return status === 'completed' ? 0 : failures + 1
}

/** Ends a run as failed after the last retry of its job. */
export async function giveUp(runtime: Runtime, key: store.RunKey): Promise<void> {
  const user_message = 'Something went wrong on our side, so the run was stopped.'
  const run = await store.findRun(runtime.db, key)
  if (run)
    await endRun(
      runtime,
      run,
      failed({ slug: 'internal_error', user_message, detail: user_message }),
    )
}
