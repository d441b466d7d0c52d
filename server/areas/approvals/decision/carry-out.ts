/**
 * Executes an approved operation exactly once, whichever process gets to it. The requester's
 * current permissions are checked, the arguments are validated again, and the operation applies its
 * rules and limits. The reply or the problem is stored with the approval.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem, problemDocument } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { withoutShownOnce } from '../../../contract/shown-once.ts'
import type { Database, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { joinedTo } from '../../../kernel/database/joined.ts'
import { requestOf, runnerOf, wayOf, type Keep, type Prepared } from './runner.ts'
import * as store from '../store.ts'

/**
 * The outcome is not known yet, for example because another process is executing it. The job
 * retries.
 */
class NotNow extends Error {
  override readonly name = 'NotNow'
}

/** Resolves once the approval has ended. Throws if the job has to retry. */
export async function carryOut(runtime: Runtime, key: store.ApprovalKey): Promise<void> {
  const row = await store.find(runtime.db, key)
  if (row?.status !== 'approved') return
  if (row.begun_at) return judgeBegun(runtime, row, row.begun_at)
  const ready = await makeReady(runtime, row)
  if (ready instanceof Problem) await end(runtime, row, failed(runtime, row, ready))
  else await ways[wayOf(ready.prepared.operation)](runtime, row, ready)
}

/** Marks the approval as failed after the last retry. */
export async function giveUp(runtime: Runtime, key: store.ApprovalKey): Promise<void> {
  await end(
    runtime,
    key,
    failed(runtime, key, unsure('it could not be carried out for a long time')),
  )
}

interface Ready {
  prepared: Prepared
  caller: Caller
}

async function makeReady(runtime: Runtime, row: store.ApprovalRow): Promise<Ready | Problem> {
  const runner = runnerOf(runtime)
  try {
    const caller = await runner.recognise(row)
    const prepared = runner.prepare(row.operation, JSON.parse(row.arguments))
    await runner.allow(prepared.operation, caller)
    return { prepared, caller }
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

const ways = { keyed, whole, begun }

/** Stores the idempotent reply, the effect and the end of the approval in one transaction. */
async function keyed(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  const { prepared } = ready
  const keep = async (tx: Transaction, reply: string) => {
    const ending = executed(runtime, prepared, reply)
    if (!(await store.end(tx, row, ending))) throw new NotNow('It has ended.')
  }
  const ending = await outcomeOf(runtime, row, { ...ready, keep })
  // No-op if `keep` ran. An idempotent replay does not call `keep`, so the approval ends here.
  await end(runtime, row, ending)
}

/** Runs the operation in the transaction that ends the approval. */
function whole(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const mine = await store.lockApproved(tx, row)
    if (!mine) throw new NotNow('Somebody else is at it.')
    const db = joinedTo(tx)
    const caller = { ...ready.caller, db, runtime: { ...runtime, db } }
    await store.end(tx, row, await outcomeOf(runtime, row, { ...ready, caller }))
  })
}

/**
 * Sets `begun_at` in the transaction of the operation's first write, so no retry repeats its
 * effect.
 */
async function begun(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  const marking = marked(ready.caller.db, async (tx) => {
    if (await store.begin(tx, row, runtime.clock.now())) return
    throw new NotNow('Somebody else began it.')
  })
  const caller = { ...ready.caller, db: marking.db }
  try {
    await end(runtime, row, await outcomeOf(runtime, row, { ...ready, caller }))
  } catch (error) {
    if (!marking.isMarked()) throw error
    runtime.log.error({ err: error, approval_id: row.id }, 'what was begun did not end well')
    await end(runtime, row, failed(runtime, row, unsure('it failed after it was begun')))
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
 * An operation that has begun is not repeated. After `approval_begun_s` its outcome is unknown and
 * the approval fails.
 */
async function judgeBegun(runtime: Runtime, row: store.ApprovalRow, begun_at: Date): Promise<void> {
  const since_ms = runtime.clock.now_ms() - begun_at.getTime()
  if (since_ms < limits.approval_begun_s * 1000) throw new NotNow('Somebody else is at it.')
  await end(runtime, row, failed(runtime, row, unsure('the service stopped in the middle of it')))
}

/**
 * Runs the operation and returns its reply or problem as the ending. Throws on transient errors.
 */
async function outcomeOf(
  runtime: Runtime,
  row: store.ApprovalRow,
  { prepared, caller, keep }: Ready & { keep?: Keep },
): Promise<store.Ending> {
  try {
    return executed(runtime, prepared, await prepared.run(caller, keep))
  } catch (error) {
    if (!(error instanceof Problem) || runnerOf(runtime).isOpen(error)) throw error
    return failed(runtime, row, error)
  }
}

/** The stored reply omits fields that are shown only once. */
function executed(runtime: Runtime, { operation }: Prepared, text: string): store.Ending {
  const reply = text && JSON.stringify(withoutShownOnce(operation.reply, JSON.parse(text)))
  return { status: 'executed', reply, problem: null, ended_at: runtime.clock.now() }
}

function failed(runtime: Runtime, { id }: store.ApprovalKey, problem: Problem): store.Ending {
  const docs_url = `${runtime.config.public_url}/docs`
  const document = problemDocument(problem, {
    request_id: requestOf(id),
    docs_url,
    phrasing: runnerOf(runtime).phrasing,
  })
  const text = JSON.stringify(document)
  return { status: 'failed', reply: null, problem: text, ended_at: runtime.clock.now() }
}

function unsure(why: string): Problem {
  return new Problem('internal_error', `Nobody knows whether this was done: ${why}.`, {
    user_message: `We cannot tell whether this was done, because ${why}. Please look before you ask for it again.`,
    next_step: 'Read what there is now, tell the user, and ask again only if it was not done.',
  })
}

async function end(runtime: Runtime, key: store.ApprovalKey, ending: store.Ending): Promise<void> {
  await runtime.db.transact((tx) => store.end(tx, key, ending))
}
