/**
 * Inserts the new documents of concurrent requests with one statement and one commit: small sets
 * wait while a statement runs, and share the next. The statement waits for no lock, so no project
 * waits for another.
 */
import {
  isDatabaseUnavailable,
  isDatabaseBusy,
  type Database,
} from '../../../../kernel/database/database.ts'
import { batchCalls } from '../../../../kernel/process/batch-calls.ts'
import { insertSets, type NewSet } from './insert-store.ts'

/** Maximum weight of the sets of a statement. */
const WEIGHT_MAX = 100
/** Maximum weight of a set that shares a statement. */
const SHARED_WEIGHT_MAX = 20
/** The weight of a set is its number of documents, or its bytes divided by this if that is more. */
const BYTES_PER_WEIGHT = 5_000

function weightOf({ documents, bytes }: NewSet): number {
  return Math.max(documents.length, bytes / BYTES_PER_WEIGHT)
}

/** A set with unique values does not share, because a taken value fails the whole statement. */
function mayShare(set: NewSet): boolean {
  const has_unique = set.documents.some(({ prepared }) => prepared.keys.some((key) => key.digest))
  return !has_unique && weightOf(set) <= SHARED_WEIGHT_MAX
}

type Insert = (set: NewSet) => Promise<boolean>

const inserts = new WeakMap<Database, Insert>()

/**
 * Returns false, writing nothing, if the collection was deleted, changed or is locked, if a limit
 * would be exceeded, or if a unique value is taken. At most one set of a collection at a time.
 */
export async function insertSet(db: Database, set: NewSet): Promise<boolean> {
  if (!mayShare(set)) return (await insertSets(db, [set]))?.has(set.collection_id) ?? false
  const options = { items_max: WEIGHT_MAX, weigh: weightOf }
  const insert = inserts.get(db) ?? batchCalls((sets) => insertTogether(db, sets), options)
  inserts.set(db, insert)
  return insert(set)
}

async function insertTogether(db: Database, sets: readonly NewSet[]): Promise<boolean[]> {
  try {
    const written = await insertSets(db, sets)
    return sets.map(({ collection_id }) => written !== null && written.has(collection_id))
  } catch (error) {
    if (sets.length === 1 || isDatabaseUnavailable(error) || isDatabaseBusy(error)) throw error
    // One set caused the error, so each is written by itself.
    return sets.map(() => false)
  }
}
