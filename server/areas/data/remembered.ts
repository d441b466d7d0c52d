/**
 * Collections as this process saw them last, by project and name, which spares lists a journey to
 * ask. Nobody is told when they change, and it does no harm: a collection keeps its name for as long
 * as it is there, its documents go in the transaction in which it goes, and the keys of an index in
 * that in which the index goes. So a page full of documents, found by keys, says that the collection
 * and the index were there. Where less is found, the collection is looked at as it is.
 */
import { LRUCache } from 'lru-cache'
import type { Runtime } from '../../kernel/runtime.ts'
import type { CollectionRow } from './store.ts'

/** What decides how documents are found; their number is only what to expect. */
export type Remembered = Pick<
  CollectionRow,
  'project_id' | 'id' | 'schema' | 'indexes' | 'unique_fields' | 'document_count'
>

const REMEMBERED_MAX = 5000
const SCHEMA_CHARACTERS_MAX = 32_000_000
const remembered = new WeakMap<Runtime, LRUCache<string, Remembered>>()

type Named = Pick<CollectionRow, 'project_id' | 'name'>

function keyOf({ project_id, name }: Named): string {
  return `${project_id} ${name}`
}

function newCache(): LRUCache<string, Remembered> {
  return new LRUCache({
    max: REMEMBERED_MAX,
    maxSize: SCHEMA_CHARACTERS_MAX,
    sizeCalculation: ({ schema }) => Math.max(1, schema.length),
  })
}

/** `row`: undefined when there is none. */
export function remember(runtime: Runtime, named: Named, row: CollectionRow | undefined): void {
  const ours = remembered.get(runtime) ?? newCache()
  remembered.set(runtime, ours)
  if (!row) {
    ours.delete(keyOf(named))
    return
  }
  const { project_id, id, schema, indexes, unique_fields, document_count } = row
  ours.set(keyOf(named), { project_id, id, schema, indexes, unique_fields, document_count })
}

export function recall(runtime: Runtime, named: Named): Remembered | null {
  return remembered.get(runtime)?.get(keyOf(named)) ?? null
}
