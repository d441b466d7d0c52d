/**
 * Steps that wait for a person. The id of the approval is stored before the approval exists, so
 * after a crash in between, another process creates the approval with this id.
 */
import { Problem } from '../../../../contract/errors.ts'
import { newId } from '../../../../kernel/values/ids.ts'
import { findOutcome, findRunner, propose } from '../../../approvals/service.ts'
import { costOf, outputOf, problemOf, type StepResult, type StoredProblem } from './result.ts'
import type { StepWork } from './step.ts'
import * as store from '../store.ts'
import { addCost } from '../usage-store.ts'

/** Stores that the step waits, then creates its approval. */
export async function proposeStep(
  work: StepWork,
  given: Record<string, unknown>,
): Promise<StepResult> {
  const { caller, run, step, seq } = work
  const { runtime } = caller
  const approval_id = newId(runtime.clock)
  const waits = await runtime.db.transact(async (tx) => {
    if (!(await store.lockOpenRun(tx, run))) return false
    await store.insertStep(tx, {
      project_id: run.project_id,
      run_id: run.id,
      seq,
      type: work.chosen === undefined ? 'rule' : 'action',
      action: step.action,
      status: 'waiting_approval',
      input: JSON.stringify(given),
      approval_id,
      started_at: runtime.clock.now(),
    })
    await store.updateRun(tx, run, { status: 'waiting_approval', resumed_at: null })
    return true
  })
  return waits ? ask(work, { id: approval_id, given }) : 'waits'
}

async function ask(
  work: StepWork,
  { id, given }: { id: string; given: unknown },
): Promise<StepResult> {
  const { caller, step } = work
  try {
    await propose(caller, { operation: step.action, given, source: 'agent', id })
    return 'waits'
  } catch (error) {
    if (!(error instanceof Problem) || findRunner(caller.runtime).isOpen(error)) throw error
    const problem = JSON.stringify(problemOf(error))
    return endStep(work, { status: 'failed', problem })
  }
}

/** Stores the outcome of the decided approval, or creates the approval if it does not exist. */
export async function resumeStep(work: StepWork, waiting: store.StepRow): Promise<StepResult> {
  const { caller } = work
  const id = waiting.approval_id!
  const { project_id } = waiting
  const outcome = await findOutcome(caller.runtime, { project_id, id })
  if (!outcome) return ask(work, { id, given: JSON.parse(waiting.input!) })
  const input = outcome.arguments
  switch (outcome.status) {
    case 'executed':
      return endStep(work, {
        status: 'done',
        input,
        output: outputOf(outcome.reply ?? ''),
        cost_micro: costOf(outcome.reply ?? ''),
      })
    case 'failed':
      return endStep(work, { status: 'failed', input, problem: toStoredProblem(outcome.problem) })
    case 'rejected':
      return endStep(work, { status: 'rejected', input, problem: rejectionProblem(outcome.note) })
    default:
      return 'waits'
  }
}

function toStoredProblem(problem: string | null): string {
  const { type, user_message, detail } = Object(JSON.parse(problem ?? 'null'))
  const slug = String(type).split('/').at(-1) ?? 'internal_error'
  const brief: StoredProblem = { slug, user_message: String(user_message), detail: String(detail) }
  return JSON.stringify(brief)
}

/** The note of the person becomes the message of the step. */
function rejectionProblem(note: string | null): string {
  const user_message = note ?? 'A person rejected this step, or did not decide in time.'
  const brief: StoredProblem = { slug: 'forbidden', user_message, detail: user_message }
  return JSON.stringify(brief)
}

async function endStep(
  { caller, run, seq }: StepWork,
  change: Parameters<typeof store.updateStep>[2],
): Promise<StepResult> {
  const { db, clock } = caller.runtime
  return db.transact(async (tx) => {
    if (!(await store.lockOpenRun(tx, run))) return 'waits'
    const now = clock.now()
    const { project_id, id: run_id } = run
    await store.updateStep(tx, { project_id, run_id, seq }, { ...change, ended_at: now })
    if (change.cost_micro) await addCost(tx, run, BigInt(change.cost_micro))
    await store.updateRun(tx, run, { status: 'running', resumed_at: now })
    return 'next'
  })
}
