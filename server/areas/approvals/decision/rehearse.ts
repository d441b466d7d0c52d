/**
 * Whether an operation could be carried out now, tried without doing it, so that nobody is asked to
 * agree to something that cannot be. What only writes is run in a transaction that is undone. What
 * has an Idempotency-Key is run as far as its first write, which comes before anything that cannot
 * be taken back. Whatever else reaches outside is not tried at all.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { joinedTo } from '../../../kernel/database/joined.ts'
import { wayOf, type Prepared } from './runner.ts'

class Undone extends Error {}

/** Throws the Problem that the operation would answer. */
export async function rehearse(caller: Caller, prepared: Prepared): Promise<void> {
  const way = wayOf(prepared.operation)
  if (way === 'begun') return
  try {
    if (way === 'keyed') await tryOn(untilItWrites(caller.db), { caller, prepared })
    else await caller.db.transact((tx) => tryOn(joinedTo(tx), { caller, prepared }))
  } catch (error) {
    if (error instanceof Undone) return
    // What fails by itself may not fail later; whether it does is told then.
    if (!(error instanceof Problem)) caller.runtime.log.warn({ err: error }, 'a rehearsal failed')
    else throw error
  }
}

interface Piece {
  caller: Caller
  prepared: Prepared
}

/** Never returns, so that nothing is kept. */
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
