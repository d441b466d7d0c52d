/** What a person reads who decides about documents that are deleted or overwritten. */
import type { Caller } from '../../../contract/caller.ts'
import type { Loss } from '../../../contract/operation.ts'
import { limits } from '../../../contract/limits.ts'
import { joinFirstValues } from '../../../kernel/values/first-values.ts'
import { countDocuments, requireReach } from '../collections/collections.ts'
import { ownSources, type BatchInput } from '../schema.ts'
import { findCollection } from '../store.ts'
import { findDocuments, findSources, scopeOf } from './document-store.ts'

const NAMED_MAX = 5

/**
 * Names a document by its first values, such as `Gevulde koek, 1.85 (cakes)`; one that outsiders wrote only
 * by its collection, because models read this. Returns null if it does not exist.
 */
export async function nameDocument(
  caller: Caller,
  name: string,
  id: string,
): Promise<string | null> {
  const { found, named } = await findNames(caller, name, [id])
  return found === 0 ? null : `${named[0] ?? countDocuments(found)} (${name})`
}

/** Returns the number of existing documents, and the names of the first ones whose words are the team's. */
async function findNames(
  caller: Caller,
  name: string,
  ids: readonly string[],
): Promise<{ found: number; named: string[] }> {
  requireReach(caller, name)
  const collection = await findCollection(caller.db, { project_id: caller.project.id, name })
  if (!collection) return { found: 0, named: [] }
  const place = scopeOf(collection)
  const sources = await findSources(caller.db, { ...place, ids })
  if (sources.length === 0) return { found: 0, named: [] }
  const telling = sources.filter(({ source }) => ownSources.includes(source)).slice(0, NAMED_MAX)
  const shown = caller.scopes.has('data:read') ? telling.map(({ id }) => id) : []
  const documents = await findDocuments(caller.db, { ...place, ids: shown })
  // In one order, because the answer of a person is bound to these words.
  const inOrder = documents.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const named = inOrder.map(({ data }) => joinFirstValues(data)).filter((words) => words !== '')
  return { found: sources.length, named }
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
  const { named } = await findNames(caller, name, ids)
  const said = `It deletes ${countDocuments(ids.length)} in ${name}`
  if (named.length === 0) return `${said}.`
  return `${said}${named.length < ids.length ? ', among them' : ''}: ${named.join('; ')}.`
}
