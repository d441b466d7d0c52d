/**
 * Dry run: finds out whether an operation would succeed, so that people are asked only about
 * possible operations. An operation of mode `transactional` runs in a transaction that is rolled
 * back. One of mode `idempotent` runs up to its first write, which precedes any external effect.
 * One of mode `at_most_once` is not run.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { joinedTo } from '../../../kernel/database/joined.ts'
import { executionModeOf, type PreparedOperation } from './runner.ts'

class Rollback extends Error {}

/** Throws the Problem that the operation would reply with. */
export async function dryRun(caller: Caller, prepared: PreparedOperation): Promise<void> {
  const mode = executionModeOf(prepared.operation)
  if (mode === 'at_most_once') return
  try {
    if (mode === 'idempotent')
      await runAndRollBack(stoppedAtFirstWrite(caller.db), { caller, prepared })
    else await caller.db.transact((tx) => runAndRollBack(joinedTo(tx), { caller, prepared }))
  } catch (error) {
    if (error instanceof Rollback) return
    // An internal error may be transient, so it does not refuse the proposal.
    if (!(error instanceof Problem))
      caller.runtime.log.warn({ err: error }, 'a dry run of an approval failed')
    else throw error
  }
}

interface DryRunInput {
  caller: Caller
  prepared: PreparedOperation
}

/** Always throws, so that the transaction rolls back. */
async function runAndRollBack(db: Database, { caller, prepared }: DryRunInput): Promise<never> {
  const runtime = { ...caller.runtime, db }
  await prepared.dryRun({ ...caller, db, runtime })
  throw new Rollback('It would succeed.')
}

function stoppedAtFirstWrite(db: Database): Database {
  return {
    selectFrom: db.selectFrom.bind(db),
    getExecutor: db.getExecutor.bind(db),
    executeQuery: db.executeQuery.bind(db),
    with: db.with.bind(db),
    transact: async () => {
      throw new Rollback('It reached its first write.')
    },
    close: async () => {},
  }
}
