/**
 * Carries out what a person agreed to: once, however many processes try, and whenever they end. Who
 * asked is judged as they are now, the arguments are read again, and the operation checks its own
 * rules and limits. What becomes of it, the reply or the problem, is written with the approval.
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

/** It could not be said now what becomes of it; somebody else may be at it. It is tried again. */
class NotNow extends Error {
  override readonly name = 'NotNow'
}

/** Returns once it has ended. Throws when it has to be tried again. */
export async function carryOut(runtime: Runtime, key: store.ApprovalKey): Promise<void> {
  const row = await store.find(runtime.db, key)
  if (row?.status !== 'approved') return
  if (row.begun_at) return judgeBegun(runtime, row, row.begun_at)
  const ready = await makeReady(runtime, row)
  if (ready instanceof Problem) await end(runtime, row, failed(runtime, row, ready))
  else await ways[wayOf(ready.prepared.operation)](runtime, row, ready)
}

/** Writes that it failed, whatever was tried, because it has been tried for long enough. */
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

/** The operation remembers its reply in the transaction of its effect, and the end is part of that. */
async function keyed(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  const { prepared } = ready
  const keep = async (tx: Transaction, reply: string) => {
    const ending = executed(runtime, prepared, reply)
    if (!(await store.end(tx, row, ending))) throw new NotNow('It has ended.')
  }
  const ending = await outcomeOf(runtime, row, { ...ready, keep })
  // Written already, unless the reply is that of an earlier request with the same key.
  await end(runtime, row, ending)
}

/** Everything that the operation writes is part of the transaction that ends the approval. */
function whole(runtime: Runtime, row: store.ApprovalRow, ready: Ready): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const mine = await store.lockApproved(tx, row)
    if (!mine) throw new NotNow('Somebody else is at it.')
    const db = joinedTo(tx)
    const caller = { ...ready.caller, db, runtime: { ...runtime, db } }
    await store.end(tx, row, await outcomeOf(runtime, row, { ...ready, caller }))
  })
}

/** The first thing that the operation writes is kept together with the mark that it was begun. */
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

/** A database whose first transaction to be kept has something written with it. */
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

/** What was begun is not begun again. After a while nobody is at it any more. */
async function judgeBegun(runtime: Runtime, row: store.ApprovalRow, begun_at: Date): Promise<void> {
  const since_ms = runtime.clock.now_ms() - begun_at.getTime()
  if (since_ms < limits.approval_begun_s * 1000) throw new NotNow('Somebody else is at it.')
  await end(runtime, row, failed(runtime, row, unsure('the service stopped in the middle of it')))
}

/** The reply or the problem. What may pass by itself is thrown on. */
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

/** What a reply shows once is not kept. */
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
