/**
 * Runs one step and stores its result. An operation that only writes runs in the transaction that
 * stores its result. An operation with an Idempotency-Key gets one derived from the run and the step.
 * An operation that costs money, contacts an outside person, deletes or loses data waits for an
 * approval.
 */
import type { Caller } from '../../../../contract/caller.ts'
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { withoutShownOnce } from '../../../../contract/schema/shown-once.ts'
import { joinRuntime } from '../../../../kernel/database/joined.ts'
import type { Transaction } from '../../../../kernel/database/database.ts'
import {
  executionModeOf,
  findRunner,
  orUnknownOutcome,
  type PreparedOperation,
  dryRun,
} from '../../../approvals/service.ts'
import { parseFilter } from '../../../data/service.ts'
import { NOTIFY_OWNER, findOperation } from '../../definition/check.ts'
import { matches } from '../../definition/match.ts'
import { fillTemplates, InsertedTooLarge, toText } from '../../definition/template.ts'
import { isApprovedInAdvance } from '../../policy.ts'
import type { AgentStep, ApprovalPolicy, Definition } from '../../schema.ts'
import { proposeStep } from './approval.ts'
import { requireLimits } from './limits.ts'
import { drawChart } from '../chart.ts'
import { enqueueNotice } from '../mail.ts'
import { costOf, outputOf, problemOf, type StepResult, type StoredProblem } from './result.ts'
import * as store from '../store.ts'
import { addCost } from '../usage-store.ts'

export interface StepWork {
  caller: Caller
  run: store.RunRow
  definition: Definition
  step: AgentStep
  seq: number
  /** The arguments that a language model chose, null for a call of no action; absent in rule mode. */
  chosen?: Record<string, unknown> | null
  /** What a person approved in advance. */
  policy: ApprovalPolicy
  /** The steps stored so far. */
  done: readonly store.StepRow[]
}

export async function runStep(work: StepWork): Promise<StepResult> {
  const { caller, run, step } = work
  const context = contextOf(work)
  if (!isDue(work, context)) return storeStep(work, { status: 'skipped' })
  await requireLimits(work, findOperation(caller, step.action))
  let input: Record<string, unknown> = {}
  let prepared: PreparedOperation | null = null
  try {
    input = inputOf(work, context)
    if (step.action === NOTIFY_OWNER) return await notifyOwner(work, input)
    const given = withIdempotencyKey(work, input)
    prepared = findRunner(caller.runtime).prepare(step.action, given)
    await findRunner(caller.runtime).allow(prepared.operation, caller)
    const loss = await prepared.findLoss(caller)
    const { effect, method } = prepared.operation
    const is_risky = effect === 'money' || effect === 'outside' || method === 'DELETE'
    const needs_person = is_risky || loss !== null || step.approval === 'owner'
    const waits = needs_person && !(await isApprovedInAdvance(work, prepared.operation))
    if (run.dry_run && effect !== 'read') {
      const status = await tryStep(caller, prepared, waits)
      return await storeStep(work, { status, input: given })
    }
    if (waits) return await proposeStep(work, given)
    return await execute(work, { prepared, given })
  } catch (error) {
    if (!(error instanceof Problem) || findRunner(caller.runtime).isOpen(error)) throw error
    const problem = problemOf(await orUnknownOutcome(error, prepared, caller))
    return storeStep(work, { status: 'failed', input, problem })
  }
}

/** The values for conditions and templates. */
function contextOf({ run, definition, done }: StepWork): Record<string, unknown> {
  const steps = done.map(({ seq, status, output }) => {
    const name = definition.steps[seq - 1]?.name ?? String(seq)
    return [name, { status, reply: output === null ? null : JSON.parse(output) }]
  })
  return { ...JSON.parse(run.context ?? '{}'), steps: Object.fromEntries(steps) }
}

function isDue({ caller, step }: StepWork, context: Record<string, unknown>): boolean {
  if (step.when === undefined) return true
  const moment = { now_ms: caller.runtime.clock.now_ms(), timezone: 'UTC' }
  return matches(parseFilter({ text: step.when, parameter: 'when', moment }), context, 'UTC')
}

/** Fixed arguments take precedence over those that a language model chose, which are no templates. */
function inputOf({ caller, step, chosen }: StepWork, context: Record<string, unknown>) {
  if (chosen === null) {
    const user_message = 'This agent has no such action.'
    throw new Problem('not_found', user_message, { user_message })
  }
  const { unwrap } = findRunner(caller.runtime)
  const fixed = unwrap(step.action, fillInput(step.input, context))
  return { ...unwrap(step.action, chosen ?? {}), ...fixed }
}

/** Throws a Problem if the inserted values are too large. */
function fillInput(input: object, context: Record<string, unknown>): Record<string, unknown> {
  try {
    return { ...Object(fillTemplates(input, context, limits.agent_inserted_characters_max)) }
  } catch (error) {
    if (!(error instanceof InsertedTooLarge)) throw error
    const user_message = 'The values that the templates insert are too large together.'
    throw new Problem('validation_failed', user_message, { user_message })
  }
}

function withIdempotencyKey({ caller, run, step, seq }: StepWork, input: Record<string, unknown>) {
  const operation = findOperation(caller, step.action)
  if (!operation) {
    const user_message = `Agents cannot use the operation ${step.action}.`
    throw new Problem('not_found', user_message, { user_message })
  }
  if (operation.headers?.idempotency_key !== 'required') return input
  return { ...input, idempotency_key: `agent-${run.id}-${seq}` }
}

interface Execution {
  prepared: PreparedOperation
  given: Record<string, unknown>
}

async function execute(work: StepWork, { prepared, given }: Execution): Promise<StepResult> {
  const { caller, run } = work
  const { effect } = prepared.operation
  const costs = effect === 'money'
  if (effect === 'read' || executionModeOf(prepared.operation) !== 'transactional') {
    const output = textOf(prepared, await prepared.run(caller))
    return storeStep(work, { status: 'done', input: given, output, costs })
  }
  return caller.runtime.db.transact(async (tx) => {
    if (!(await store.lockOpenRun(tx, run))) return 'waits'
    const runtime = joinRuntime(caller.runtime, tx)
    const as = { ...caller, db: runtime.db, runtime }
    const output = textOf(prepared, await prepared.run(as))
    await insertStep(tx, work, { status: 'done', input: given, output, costs })
    return 'next'
  })
}

function textOf({ operation }: PreparedOperation, text: string): string | null {
  return outputOf(text && JSON.stringify(withoutShownOnce(operation.reply, JSON.parse(text))))
}

function notifyOwner(work: StepWork, input: Record<string, unknown>): Promise<StepResult> {
  const { caller, run, definition } = work
  const { runtime, project } = caller
  const { chart } = input
  // A text that is one template has the type of its value.
  const [subject, text] = [toText(input['subject']), toText(input['text'])]
  if (subject.trim() === '' || text.trim() === '') {
    const user_message = 'The message to the owner needs a subject and a text.'
    throw new Problem('validation_failed', user_message, { user_message })
  }
  const said = text.slice(0, 20_000)
  const whole = chart === undefined ? said : `${said}\n\n${drawChart(chart)}`
  if (run.dry_run) return storeStep(work, { status: 'would_run', input })
  return runtime.db.transact(async (tx) => {
    if (!(await store.lockOpenRun(tx, run))) return 'waits'
    await enqueueNotice(tx, runtime, { project, name: definition.name, subject, text: whole })
    await insertStep(tx, work, { status: 'done', input, output: null })
    return 'next'
  })
}

interface EndedStep {
  status: 'done' | 'failed' | 'skipped' | DryStatus
  input?: Record<string, unknown>
  output?: string | null
  problem?: StoredProblem
  /** Whether the step costs what its reply says. */
  costs?: boolean
}

async function storeStep(work: StepWork, ended: EndedStep): Promise<StepResult> {
  const { db } = work.caller.runtime
  return db.transact(async (tx) => {
    if (!(await store.lockOpenRun(tx, work.run))) return 'waits'
    await insertStep(tx, work, ended)
    return 'next'
  })
}

/** If another process stored the step first, the primary key makes this transaction fail and roll back. */
async function insertStep(
  tx: Transaction,
  { caller, run, step, seq, chosen }: StepWork,
  { status, input, output = null, problem, costs = false }: EndedStep,
): Promise<void> {
  const now = caller.runtime.clock.now()
  const cost_micro = costs ? costOf(output ?? '') : 0n
  if (cost_micro > 0n) await addCost(tx, run, cost_micro)
  await store.insertStep(tx, {
    project_id: run.project_id,
    run_id: run.id,
    seq,
    type: chosen === undefined ? 'rule' : 'action',
    action: step.action,
    status,
    cost_micro,
    input: input ? outputOf(JSON.stringify(input)) : null,
    output,
    problem: problem ? JSON.stringify(problem) : null,
    started_at: now,
    ended_at: now,
  })
}

type DryStatus = 'would_run' | 'would_wait'

/**
 * A step of a dry run that does more than read. It is only tried: in a transaction that is rolled
 * back, up to its first write, or not at all (see `dryRun`). Nothing is sent, and no person is asked.
 * Throws the Problem that the operation would reply with.
 */
async function tryStep(
  caller: Caller,
  prepared: PreparedOperation,
  needs_person: boolean,
): Promise<DryStatus> {
  await dryRun(caller, prepared)
  return needs_person ? 'would_wait' : 'would_run'
}
