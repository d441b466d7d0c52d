/**
 * Dry run: finds out whether an operation would succeed, so that people are asked only about
 * possible operations. A `transactional` operation runs in a transaction that is rolled back. An
 * `idempotent` one runs up to its first write, which precedes any external effect. An
 * `at_most_once` one is not tried.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { joinedTo } from '../../../kernel/database/joined.ts'
import { wayOf, type Prepared } from './runner.ts'

class Undone extends Error {}

/** Throws the Problem that the operation would reply with. */
export async function rehearse(caller: Caller, prepared: Prepared): Promise<void> {
  const way = wayOf(prepared.operation)
  if (way === 'begun') return
  try {
    if (way === 'keyed') await tryOn(untilItWrites(caller.db), { caller, prepared })
    else await caller.db.transact((tx) => tryOn(joinedTo(tx), { caller, prepared }))
  } catch (error) {
    if (error instanceof Undone) return
    // An internal error may be transient, so it does not refuse the proposal.
    if (!(error instanceof Problem)) caller.runtime.log.warn({ err: error }, 'a rehearsal failed')
    else throw error
  }
}

interface Piece {
  caller: Caller
  prepared: Prepared
}

/** Always throws, so that the transaction rolls back. */
async function tryOn(db: Database, { caller, prepared }: Piece): Promise<never> {
  const runtime = { ...caller.runtime, db }
  await prepared.rehearse({ ...caller, db, runtime })
  throw new Undone('It could be carried out.')
}

function untilItWrites(db: Database): Database {
  return {
    selectFrom: db.selectFrom.bind(db),
    getExecutor: db.getExecutor.bind(db),
    executeQuery: db.executeQuery.bind(db),
    with: db.with.bind(db),
    transact: async () => {
      throw new Undone('It could be begun.')
    },
    close: async () => {},
  }
}
