/**
 * Work under one name is done one after the other, within this process. Transactions that hold the
 * lock of a project wait here, where waiting takes no connection to the database from others.
 */
import type { Caller } from '../../contract/caller.ts'
import type { Transaction } from '../../kernel/database.ts'

const last = new Map<string, Promise<unknown>>()

export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const mine = (last.get(name) ?? Promise.resolve()).then(work, work)
  last.set(name, mine)
  try {
    return await mine
  } finally {
    if (last.get(name) === mine) last.delete(name)
  }
}

export function transactInTurn<T>(
  { db, project }: Caller,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return inTurn(`project ${project.id}`, () => db.transact(work))
}
