/**
 * Work under one name is done one after the other, within this process. Transactions that hold the
 * lock of a project wait here, where waiting takes no connection to the database from others.
 */
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { createKeyedQueue } from '../../kernel/limits/keyed-queue.ts'

const queue = createKeyedQueue()

/** Runs `work` after all earlier work under this name. */
export const inTurn = queue.run

export function transactInTurn<T>(
  { db, project }: Caller,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTurn(`project ${project.id}`, () => db.transact(work))
}
