/** Notifies the change feeds of this process after a commit. */
import { afterCommit, type Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'

export function changesTopic(collection_id: string): string {
  return `changes ${collection_id}`
}

export function announceChanges(
  tx: Transaction,
  { wakeups }: Runtime,
  collection_id: string,
): void {
  afterCommit(tx, () => wakeups.announce(changesTopic(collection_id)))
}
