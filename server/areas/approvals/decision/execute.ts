/**
 * Executes an approved operation exactly once, whichever process executes it. Checks the
 * requester's current permissions, validates the arguments again, and lets the operation apply its
 * rules and limits. Stores the reply or the problem with the approval.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem, problemDocument } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { withoutShownOnce } from '../../../contract/schema/shown-once.ts'
import type { Database, Transaction } from '../../../kernel/database/database.ts'
import { announceRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { joinRuntime } from '../../../kernel/database/joined.ts'
import {
  executionRequestId,
  findRunner,
  executionModeOf,
  type StoreReply,
  type PreparedOperation,
} from './runner.ts'
import * as store from '../store.ts'
import { hashInputBefore } from '../input.ts'
import { isPassing, readInput } from '../subject.ts'
import { findAttempt, orUnknownOutcome, RetryLater, unknownOutcome } from './unknown-outcome.ts'

/** Resolves once the approval has ended. Throws if the job has to retry. */
export async function executeApproval(runtime: Runtime, key: store.ApprovalKey): Promise<void> {
  const row = await store.find(runtime.db, key)
  if (row?.status !== 'approved') return
  if (row.begun_at) return endInterrupted(runtime, row, row.begun_at)
  const ready = await prepareExecution(runtime, row)
  if (ready instanceof Problem) await endUnbegun(runtime, row, ready)
  else await executors[executionModeOf(ready.prepared.operation)](runtime, row, ready)
  announceRecords(runtime, row.project_id, 'approvals')
}

/** Marks the approval as failed after the last retry. */
export async function failApproval(runtime: Runtime, key: store.ApprovalKey): Promise<void> {
  await end(
    runtime,
    key,
    failed(runtime, key, unknownOutcome('every attempt to execute it failed')),
  )
}

interface Ready {
  prepared: PreparedOperation
  caller: Caller
}

async function prepareExecution(
  runtime: Runtime,
  row: store.ApprovalRow,
): Promise<Ready | Problem> {
  const runner = findRunner(runtime)
  const asker = { runtime, project: { id: row.project_id } }
  let prepared: PreparedOperation | null = null
  try {
    const given: unknown = JSON.parse(row.arguments)
    prepared = runner.prepare(row.operation, given)
    const { operation } = prepared
    const caller = await runner.recognise(row)
    await runner.allow(operation, caller)
    const { input_hash, cost } = await readInput(caller, { operation, given })
    const is_same =
      input_hash.equals(row.input_hash) ||
      hashInputBefore({ operation, given }, cost).equals(row.input_hash)
    // An attempt that started may have had its effect, and only repeating it tells.
    const goes_on = is_same || (await findAttempt(prepared, asker)) !== null
    return goes_on ? { prepared, caller } : createChangedProblem()
  } catch (error) {
    if (!(error instanceof Problem) || isPassing(error)) throw error
    return orUnknownOutcome(error, prepared, asker)
  }
}

/**
 * Ends an approval that this process could not begin. Another process may have begun it since it was
 * read.
 */
async function endUnbegun(
  runtime: Runtime,
  row: store.ApprovalRow,
  problem: Problem,
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const mine = await store.lockApproved(tx, row)
    if (mine?.begun_at) throw new RetryLater('Another process has begun it.')
    if (mine) await store.storeOutcome(tx, row, failed(runtime, row, problem))
  })
}

/** It changed after the decision, such as while a process that had ended was away. */
function createChangedProblem(): Problem {
  const user_message = 'What this changes is different now, so nothing was done.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Read what there is now, tell the user, and ask for it again if it is still wanted.',
  })
}

const executors = { idempotent, transactional, at_most_once: atMostOnce }

/** Stores the idempotent reply, the effect and the end of the approval in one transaction. */
async function idempotent(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  const { prepared } = ready
  const keep = async (tx: Transaction, reply: string) => {
    const outcome = executed(runtime, prepared, reply)
    if (!(await store.storeOutcome(tx, row, outcome)))
      throw new RetryLater('The approval has ended.')
  }
  const outcome = await outcomeOf(runtime, row, { ...ready, keep })
  // No-op if `keep` ran. An idempotent replay does not call `keep`, so the approval ends here.
  await end(runtime, row, outcome)
}

/** Runs the operation in the transaction that ends the approval. */
function transactional(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const mine = await store.lockApproved(tx, row)
    if (!mine) throw new RetryLater('Another process is executing it.')
    const inside = joinRuntime(runtime, tx)
    const caller = { ...ready.caller, db: inside.db, runtime: inside }
    await store.storeOutcome(tx, row, await outcomeOf(runtime, row, { ...ready, caller }))
  })
}

/**
 * Sets `begun_at` in the transaction of the operation's first write, so no retry repeats its
 * effect.
 */
async function atMostOnce(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  const marking = marked(ready.caller.db, async (tx) => {
    if (await store.markBegun(tx, row, runtime.clock.now())) return
    throw new RetryLater('Another process has begun it.')
  })
  const caller = { ...ready.caller, db: marking.db }
  try {
    await end(runtime, row, await outcomeOf(runtime, row, { ...ready, caller }))
  } catch (error) {
    if (!marking.isMarked()) throw error
    runtime.log.error(
      { err: error, approval_id: row.id },
      'an approved operation failed after its first write',
    )
    await end(runtime, row, failed(runtime, row, unknownOutcome('it failed after its first write')))
  }
}

/** Wraps a database: its first committed transaction also runs `mark`. */
function marked(db: Database, mark: (tx: Transaction) => Promise<void>) {
  let first: Promise<unknown> | null = null
  let is_marked = false
  async function transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (first) {
      await first.catch(() => {})
      return transact(work)
    }
    if (is_marked) return db.transact(work)
    const mine = db.transact(async (tx) => {
      await mark(tx)
      return work(tx)
    })
    first = mine
    try {
      const result = await mine
      is_marked = true
      return result
    } finally {
      first = null
    }
  }
  const marking: Database = {
    selectFrom: db.selectFrom.bind(db),
    getExecutor: db.getExecutor.bind(db),
    executeQuery: db.executeQuery.bind(db),
    with: db.with.bind(db),
    transact,
    close: async () => {},
  }
  return { db: marking, isMarked: () => is_marked }
}

/**
 * Ends an approval whose operation has begun, without repeating the operation. After
 * `approval_begun_s` the outcome counts as unknown and the approval fails.
 */
async function endInterrupted(
  runtime: Runtime,
  row: store.ApprovalRow,
  begun_at: Date,
): Promise<void> {
  const since_ms = runtime.clock.now_ms() - begun_at.getTime()
  if (since_ms < limits.approval_begun_s * 1000)
    throw new RetryLater('Another process is executing it.')
  await end(
    runtime,
    row,
    failed(runtime, row, unknownOutcome('the service stopped during its execution')),
  )
}

/**
 * Runs the operation and returns its reply or problem as the outcome. Throws on transient errors.
 */
async function outcomeOf(
  runtime: Runtime,
  row: store.ApprovalRow,
  { prepared, caller, keep }: Ready & { keep?: StoreReply },
): Promise<store.ApprovalOutcome> {
  try {
    return executed(runtime, prepared, await prepared.run(caller, keep))
  } catch (error) {
    if (!(error instanceof Problem) || findRunner(runtime).isOpen(error)) throw error
    return failed(runtime, row, error)
  }
}

/** The stored reply omits fields that are shown only once. */
function executed(
  runtime: Runtime,
  { operation }: PreparedOperation,
  text: string,
): store.ApprovalOutcome {
  const reply = text && JSON.stringify(withoutShownOnce(operation.reply, JSON.parse(text)))
  return { status: 'executed', reply, problem: null, ended_at: runtime.clock.now() }
}

function failed(
  runtime: Runtime,
  { id }: store.ApprovalKey,
  problem: Problem,
): store.ApprovalOutcome {
  const docs_url = `${runtime.config.public_url}/docs`
  const document = problemDocument(problem, {
    request_id: executionRequestId(id),
    docs_url,
    phrasing: findRunner(runtime).phrasing,
  })
  const text = JSON.stringify(document)
  return { status: 'failed', reply: null, problem: text, ended_at: runtime.clock.now() }
}

async function end(
  runtime: Runtime,
  key: store.ApprovalKey,
  outcome: store.ApprovalOutcome,
): Promise<void> {
  await runtime.db.transact((tx) => store.storeOutcome(tx, key, outcome))
}
