/**
 * A person approves, rejects or edits a pending approval. The first decision wins. It applies only
 * if `input_hash` (operation, arguments, cost, target, loss) is still the one that the person saw. Approving also
 * enqueues a job that executes the operation if this process ends first.
 */
import { errorCatalogue, type ErrorSlug } from '../../../contract/error-catalogue.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { executeApproval } from './execute.ts'
import { executeApprovalJob } from './execute-job.ts'
import { findTarget } from '../input.ts'
import { findStatusAt, isExpired, present } from '../present.ts'
import { dryRun } from './dry-run.ts'
import { findChanges } from './refresh.ts'
import { findRunner } from './runner.ts'
import type { Approval, ApprovalDecision, ApprovalEdit } from '../schema.ts'
import { requireMayDecide, requireWithin, type Decider } from '../visibility.ts'
import * as store from '../store.ts'
import { readInput } from '../subject.ts'

/** Delay of the fallback job. By then, this process has normally executed the approval. */
const LATER_MS = 30_000

/** Approves and executes at once. Every rule and limit is checked again. */
export async function approve(
  decider: Decider,
  id: string,
  said: ApprovalDecision,
): Promise<Approval> {
  const { runtime, project_id } = decider
  const key = { project_id, id }
  const known = await store.find(runtime.db, key)
  if (!known) throw unknown()
  // First, because finding changes can be expensive. The transaction checks it again.
  requireOpen(known, decider, said.input_hash)
  const now = await findChanges(runtime, known)
  const changed = await runtime.db.transact(async (tx) => {
    const row = await openFor(tx, decider, { id, input_hash: said.input_hash })
    if (now !== null) {
      await store.changePending(tx, key, now)
      return now.cost === row.cost
        ? 'What this changes is different now.'
        : 'The cost has changed since approval was requested.'
    }
    await store.changePending(tx, key, { status: 'approved', ...decisionOf(decider, said) })
    const run_at = new Date(runtime.clock.now_ms() + LATER_MS)
    await enqueue(tx, runtime, executeApprovalJob, { project_id, payload: key, run_at })
    return null
  })
  if (changed !== null) throw changedMeanwhile(changed)
  await executeApproval(runtime, key).catch((error: unknown) => {
    runtime.log.warn(
      { err: error, approval_id: id },
      'the execution of an approval is retried by its job',
    )
  })
  return show(decider, id)
}

export async function reject(
  decider: Decider,
  id: string,
  said: ApprovalDecision,
): Promise<Approval> {
  const { runtime, project_id } = decider
  await runtime.db.transact(async (tx) => {
    await openFor(tx, decider, { id, input_hash: said.input_hash })
    const ended_at = runtime.clock.now()
    const decision = { status: 'rejected' as const, ...decisionOf(decider, said), ended_at }
    await store.changePending(tx, { project_id, id }, decision)
  })
  return show(decider, id)
}

/** Errors of a dry run that `edit` returns unchanged; other errors below 500 become `conflict`. */
export const editErrors = [
  'not_found',
  'conflict',
  'confirmation_required',
  'forbidden',
  'validation_failed',
] as const

const isEditError = (slug: ErrorSlug) => editErrors.some((one) => one === slug)

/** Replaces the arguments after the same validation as a proposal. The approval stays pending. */
export async function editArguments(
  decider: Decider,
  id: string,
  said: ApprovalEdit,
): Promise<Approval> {
  const { runtime, project_id, access } = decider
  const runner = findRunner(runtime)
  const before = await store.find(runtime.db, { project_id, id })
  if (!before) throw unknown()
  requireMayDecide(before, decider)
  const prepared = runner.prepare(before.operation, said.arguments)
  const asked = { operation: prepared.operation, given: said.arguments }
  const target = findTarget(asked)
  if (target !== before.target) requireWithin(target, access)
  const caller = await conflictIfRefused(async () => {
    const asker = await runner.recognise(before)
    await runner.allow(prepared.operation, asker)
    await dryRun(asker, prepared)
    return asker
  })
  const input = await readInput(caller, asked)
  await runtime.db.transact(async (tx) => {
    await openFor(tx, decider, { id, input_hash: said.input_hash })
    await store.changePending(
      tx,
      { project_id, id },
      {
        arguments: JSON.stringify(said.arguments),
        target,
        ...input,
        edited_at: runtime.clock.now(),
      },
    )
  })
  return show(decider, id)
}

/**
 * Replaces the operation's Problem by a conflict with the same explanation: some Problems are meant
 * for the requester, such as that its key is revoked, and would mislead the person who decides.
 */
async function conflictIfRefused<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (cause) {
    if (!(cause instanceof Problem) || cause.status >= 500 || isEditError(cause.slug)) throw cause
    const { user, next } = errorCatalogue[cause.slug]
    const { user_message = user, next_step = next, errors } = cause.extra
    const detail = `These arguments cannot be carried out: ${cause.detail}`
    throw new Problem('conflict', detail, {
      cause,
      user_message,
      next_step,
      ...(errors && { errors }),
    })
  }
}

/**
 * Locks a pending approval that this person may decide on. Throws a Problem if it was decided, or
 * if `input_hash` differs.
 */
async function openFor(
  tx: Transaction,
  decider: Decider,
  { id, input_hash }: { id: string; input_hash: string },
): Promise<store.ApprovalRow> {
  const { project_id } = decider
  const row = await store.lock(tx, { project_id, id })
  if (!row) throw unknown()
  requireOpen(row, decider, input_hash)
  return row
}

function requireOpen(row: store.ApprovalRow, decider: Decider, input_hash: string): void {
  requireMayDecide(row, decider)
  const status = findStatusAt(row, decider.runtime.clock.now())
  if (status !== 'pending') throw decidedAlready(row, status)
  if (row.input_hash.toString('hex') !== input_hash) {
    throw changedMeanwhile('This approval was changed since you read it.')
  }
}

function decisionOf({ runtime, person }: Decider, { note }: ApprovalDecision) {
  return {
    decided_at: runtime.clock.now(),
    decided_by: person.id,
    decided_email: person.email,
    note: note?.trim() || null,
  }
}

async function show({ runtime, project_id }: Decider, id: string): Promise<Approval> {
  const row = await store.find(runtime.db, { project_id, id })
  if (!row) throw unknown()
  return present(runtime, row)
}

function unknown(): Problem {
  return new Problem('not_found', 'There is no approval with this id.')
}

function decidedAlready(row: store.ApprovalRow, status: store.ApprovalStatus): Problem {
  const words = status === 'rejected' ? 'rejected' : 'approved'
  const undecided = isExpired(row, status)
    ? 'This approval expired before a decision, so nothing was done.'
    : 'This request was withdrawn, so nothing was done.'
  const user_message =
    row.decided_email === null ? undecided : `${row.decided_email} already ${words} this.`
  return new Problem('conflict', user_message, { user_message })
}

function changedMeanwhile(user_message: string): Problem {
  const detail = `${user_message} Review it again before you decide.`
  return new Problem('conflict', detail, { user_message: detail })
}
