/**
 * Keeps the knowledge of the assistant in step with collections marked `assistant_facts`, in the
 * transaction that writes the documents.
 */
import type { Transaction } from '../../kernel/database/database.ts'
import * as assistant from '../assistant/service.ts'
import type { DocumentRow } from './document-store.ts'
import type { TrackedDocument } from './write-state.ts'
import type { CollectionRow } from './store.ts'

type Learned = Pick<DocumentRow, 'id' | 'data'>

/**
 * Adds created and updated documents to the knowledge of the assistant and removes deleted ones.
 */
export async function learnWritten(
  tx: Transaction,
  row: CollectionRow,
  held: Iterable<TrackedDocument>,
): Promise<void> {
  if (!row.assistant_facts) return
  const all = [...held]
  const written = all.flatMap(({ now, prepared }) => (now && prepared ? [now] : []))
  const deleted = all.flatMap(({ before, now }) => (before && !now ? [before.id] : []))
  await assistant.unindexDocuments(tx, row.project_id, deleted)
  if (written.length > 0) await learn(tx, row, written)
}

/** Adds or removes all documents of a collection when its mark or title changes. */
export async function learnChanged(
  tx: Transaction,
  { before, after }: { before: CollectionRow; after: CollectionRow },
  readAll: () => AsyncIterable<readonly Learned[]>,
): Promise<void> {
  if (before.assistant_facts === after.assistant_facts && before.title === after.title) return
  await forgetAll(tx, before)
  if (!after.assistant_facts) return
  for await (const rows of readAll()) await learn(tx, after, rows)
}

export async function forgetAll(tx: Transaction, row: CollectionRow): Promise<void> {
  if (row.assistant_facts) await assistant.unindexCollection(tx, row.project_id, row.id)
}

function learn(tx: Transaction, row: CollectionRow, documents: readonly Learned[]): Promise<void> {
  const { project_id, id, title } = row
  return assistant.indexDocuments(tx, { project_id, collection: { id, title } }, documents)
}
