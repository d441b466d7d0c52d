/**
 * Runs work with the same key in sequence within this process. Transactions that need the lock of a
 * project wait here, where they hold no database connection.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { createKeyedQueue } from '../../../kernel/limits/keyed-queue.ts'

const queue = createKeyedQueue()

/** Runs `work` after all earlier work under this name. */
export const runInSequence = queue.run

export function transactInSequence<T>(
  { db, project }: Caller,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return runInSequence(`project ${project.id}`, () => db.transact(work))
}
