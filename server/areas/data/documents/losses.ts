/** What a person reads who decides about documents that are deleted or overwritten. */
import type { Caller } from '../../../contract/caller.ts'
import type { Loss } from '../../../contract/operation.ts'
import { limits } from '../../../contract/limits.ts'
import { joinFirstValues } from '../../../kernel/values/first-values.ts'
import { countDocuments, requireReach } from '../collections/collections.ts'
import type { BatchInput } from '../schema.ts'
import { findCollection } from '../store.ts'
import { findDocuments, findSources, scopeOf } from './document-store.ts'

/** Documents with these sources have the words of the team; agents also copy what others wrote. */
const ours: readonly string[] = ['api', 'portal']
const NAMED_MAX = 5

/**
 * Names documents by their first values, such as `Gevulde koek, 1.85`; those that outsiders wrote by
 * their number alone, because models read this. Returns null if there are none.
 */
export async function nameDocuments(
  caller: Caller,
  name: string,
  ids: readonly string[],
): Promise<string | null> {
  requireReach(caller, name)
  const collection = await findCollection(caller.db, { project_id: caller.project.id, name })
  if (!collection) return null
  const place = scopeOf(collection)
  const found = await findSources(caller.db, { ...place, ids })
  if (found.length === 0) return null
  const telling = found.filter(({ source }) => ours.includes(source)).slice(0, NAMED_MAX)
  const shown = caller.scopes.has('data:read') ? telling.map(({ id }) => id) : []
  const documents = await findDocuments(caller.db, { ...place, ids: shown })
  // In one order, because the answer of a person is bound to these words.
  const inOrder = documents.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const named = inOrder.map(({ data }) => joinFirstValues(data)).filter((words) => words !== '')
  const more = found.length - named.length
  const others = named.length === 0 ? countDocuments(more) : `${more} more`
  return `${[...named, ...(more > 0 ? [others] : [])].join('; ')} (${name})`
}

/** Deleting loses documents, and so does overwriting fields of many at once. */
export async function findBatchLoss(
  caller: Caller,
  name: string,
  { operations }: BatchInput,
): Promise<Loss | null> {
  const deleted = operations.flatMap((one) => (one.op === 'delete' ? [one.id] : []))
  const overwritten = operations.filter(({ op }) => op === 'replace' || op === 'patch').length
  const sentences = [
    ...(deleted.length > 0 ? [await tellDeleted(caller, name, deleted)] : []),
    ...(overwritten > limits.overwritten_documents_max
      ? [`It overwrites fields of ${countDocuments(overwritten)} in ${name}.`]
      : []),
  ]
  return sentences.length > 0 ? { about: sentences.join(' '), instead: null } : null
}

async function tellDeleted(caller: Caller, name: string, ids: string[]): Promise<string> {
  const words = await nameDocuments(caller, name, ids)
  const said = `It deletes ${countDocuments(ids.length)}`
  const unnamed = words === null || words.startsWith(countDocuments(ids.length))
  return unnamed ? `${said} in ${name}.` : `${said}: ${words}.`
}
