/**
 * Serializes the writes of a collection within this process. A write holds the row lock of its
 * collection, so concurrent writes would only wait for it, each with a database connection, and
 * ten of them would use up the pool. Here they wait without a connection.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { CollectionScope } from '../documents/document-store.ts'

/** Per collection with writes in progress: settles when the last queued write ends. */
const tails = new WeakMap<Runtime, Map<string, Promise<unknown>>>()

/** Runs `write` after all earlier writes of the collection, whether they succeeded or failed. */
export async function runInTurn<T>(
  runtime: Runtime,
  { collection_id }: CollectionScope,
  write: () => Promise<T>,
): Promise<T> {
  const ours = tails.get(runtime) ?? new Map<string, Promise<unknown>>()
  tails.set(runtime, ours)
  const result = (ours.get(collection_id) ?? Promise.resolve()).then(write)
  const end = result.catch(() => {})
  ours.set(collection_id, end)
  try {
    return await result
  } finally {
    if (ours.get(collection_id) === end) ours.delete(collection_id)
  }
}
