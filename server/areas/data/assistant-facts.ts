/**
 * Keeps the knowledge of the assistant in step with collections marked `assistant_facts`, in the
 * transaction that writes the documents.
 */
import type { Transaction } from '../../kernel/database/database.ts'
import * as assistant from '../assistant/service.ts'
import type { DocumentRow } from './documents/document-store.ts'
import type { TrackedDocument } from './documents/write/write-state.ts'
import type { CollectionRow } from './store.ts'

type IndexedDocument = Pick<DocumentRow, 'id' | 'data'>

/**
 * Adds created and updated documents to the knowledge of the assistant and removes deleted ones.
 */
export async function indexWritten(
  tx: Transaction,
  row: CollectionRow,
  tracked: Iterable<TrackedDocument>,
): Promise<void> {
  if (!row.assistant_facts) return
  const all = [...tracked]
  const written = all.flatMap(({ now, prepared }) => (now && prepared ? [now] : []))
  const deleted = all.flatMap(({ before, now }) => (before && !now ? [before.id] : []))
  await assistant.unindexDocuments(tx, row.project_id, deleted)
  if (written.length > 0) await indexDocuments(tx, row, written)
}

/** Adds or removes all documents of a collection when its mark or title changes. */
export async function reindexCollection(
  tx: Transaction,
  { before, after }: { before: CollectionRow; after: CollectionRow },
  readAll: () => AsyncIterable<readonly IndexedDocument[]>,
): Promise<void> {
  if (before.assistant_facts === after.assistant_facts && before.title === after.title) return
  await unindexCollection(tx, before)
  if (!after.assistant_facts) return
  for await (const rows of readAll()) await indexDocuments(tx, after, rows)
}

export async function unindexCollection(tx: Transaction, row: CollectionRow): Promise<void> {
  if (row.assistant_facts) await assistant.unindexCollection(tx, row.project_id, row.id)
}

function indexDocuments(
  tx: Transaction,
  row: CollectionRow,
  documents: readonly IndexedDocument[],
): Promise<void> {
  const { project_id, id, title } = row
  return assistant.indexDocuments(tx, { project_id, collection: { id, title } }, documents)
}
