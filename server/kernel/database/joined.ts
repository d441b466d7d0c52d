/**
 * A Database whose transactions are savepoints of an open transaction, so that code that opens
 * transactions can run within it. A failed part is rolled back alone. Parts run one after the
 * other, because they share a connection.
 */
import { CompiledQuery } from 'kysely'
import type { Runtime } from '../runtime.ts'
import { afterCommit, type Database, type Transaction } from './database.ts'
import { lastStatementOf } from './last-statement.ts'

export function joinedTo(tx: Transaction): Database {
  let last: Promise<unknown> = Promise.resolve()
  async function part<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await run(tx, 'savepoint part')
    try {
      const result = await work(tx)
      const last = await lastStatementOf(tx, result)
      if (last) await tx.executeQuery(last)
      await run(tx, 'release savepoint part')
      return result
    } catch (error) {
      await run(tx, 'rollback to savepoint part')
      throw error
    }
  }
  return {
    selectFrom: tx.selectFrom.bind(tx),
    getExecutor: tx.getExecutor.bind(tx),
    executeQuery: tx.executeQuery.bind(tx),
    with: tx.with.bind(tx),
    transact(work) {
      const mine = last.then(() => part(work))
      last = mine.catch(() => {})
      return mine
    },
    close: async () => {},
  }
}

interface Joined {
  /** The runtime outside of the transaction. */
  runtime: Runtime
  tx: Transaction
}

const joined = new WeakMap<Runtime, Joined>()

/** Returns a runtime whose transactions are savepoints of an open transaction. */
export function joinRuntime(runtime: Runtime, tx: Transaction): Runtime {
  const inside = { ...runtime, db: joinedTo(tx) }
  joined.set(inside, { runtime, tx })
  return inside
}

/**
 * Calls `work` with a runtime that outlives the transaction: after the commit for a runtime that was
 * joined to one, at once for any other.
 */
export function afterJoined(runtime: Runtime, work: (runtime: Runtime) => void): void {
  const found = joined.get(runtime)
  if (found) afterCommit(found.tx, () => work(found.runtime))
  else work(runtime)
}

async function run(tx: Transaction, text: string): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(text))
}
