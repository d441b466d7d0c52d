/**
 * Adds a statement to the end of the transactions of a piece of work, without a call in the code that
 * opens them. The statement shares the round trip of the commit (`database.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery } from 'kysely'
import type { Transaction } from './database.ts'

/**
 * Returns the last statement of a transaction whose work has succeeded with `result`; null for none. A
 * statement that fails rolls the transaction back.
 */
export type LastStatement = (
  tx: Transaction,
  result: unknown,
) => CompiledQuery | null | Promise<CompiledQuery | null>

const current = new AsyncLocalStorage<LastStatement>()

/** Runs `work`; each of its transactions asks `choose` for its last statement. */
export function withLastStatement<T>(choose: LastStatement, work: () => Promise<T>): Promise<T> {
  return current.run(choose, work)
}

export function lastStatementOf(tx: Transaction, result: unknown): ReturnType<LastStatement> {
  return current.getStore()?.(tx, result) ?? null
}
