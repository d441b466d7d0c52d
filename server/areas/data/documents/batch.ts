/** Batches: up to 500 creates, replaces, patches and deletes of one collection, in order. */
import type { Caller } from '../../../contract/caller.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import { findCollection } from '../collections/collections.ts'
import { checkDocument, type DocumentRefusal } from './document-check.ts'
import { scopeOf } from './document-store.ts'
import { originOf, problemOf } from './documents.ts'
import { authorOf } from '../history/author.ts'
import type { Rules } from '../collections/rules.ts'
import type { BatchInput, BatchOperation, BatchReply } from '../schema.ts'
import type { DocumentChange, ChangeResult } from './write/write-state.ts'
import { writeInTurn } from './write/write.ts'

/** Executes all operations or none; with `each_alone`, each operation by itself. */
export async function batch(
  caller: Caller,
  name: string,
  { operations, each_alone = false }: BatchInput,
): Promise<BatchReply> {
  const collection = await findCollection(caller, name)
  const { row, rules } = collection
  const place = scopeOf(row)
  const origin = originOf(caller)
  const pause = createPause()
  const changes: DocumentChange[] = []
  for (const operation of operations) {
    changes.push(changeOf(operation, rules, origin))
    const paused = pause()
    if (paused) await paused
  }
  const all_or_nothing = !each_alone
  const writing = {
    place,
    changes,
    all_or_nothing,
    author: authorOf(caller),
    checked_against: collection,
  }
  const changeResults = await writeInTurn(caller.runtime, writing)
  if (!each_alone) refuseAny(changeResults)
  const results = operations.map((operation, index) => resultOf(operation, changeResults[index]))
  return { results }
}

function changeOf(
  operation: BatchOperation,
  rules: Rules,
  { source, test }: ReturnType<typeof originOf>,
): DocumentChange {
  if (operation.op !== 'create') return { ...operation, version: operation.version ?? null }
  const { data } = operation
  // Checked here because the write holds the row lock of the collection.
  const prepared = checkDocument(rules, data)
  if ('refusal' in prepared) return { op: 'create', data, source, test }
  return { op: 'create', data, source, test, prepared }
}

type Result = BatchReply['results'][number]

function resultOf(operation: BatchOperation, changed: ChangeResult | undefined): Result {
  const id = 'id' in operation ? operation.id : null
  const result = { op: operation.op, id, version: null, error: null }
  if (!changed) throw new Error('Every operation has a result.')
  if ('document' in changed) {
    return { ...result, id: changed.document.id, version: changed.document.version }
  }
  return 'deleted' in changed ? result : { ...result, error: errorOf(changed.refusal) }
}

function errorOf({ slug, detail, errors }: DocumentRefusal): Result['error'] {
  return { type: slug, detail, ...(errors && { errors }) }
}

/** Throws if any operation was refused: the problem of the first, with the errors of all. */
function refuseAny(changeResults: readonly ChangeResult[]): void {
  const refused = changeResults.flatMap((changed, index) =>
    'refusal' in changed ? [{ index, refusal: changed.refusal }] : [],
  )
  const [first] = refused
  if (!first) return
  const errors = refused.flatMap(({ index, refusal }) => faultsOf(index, refusal))
  const others = refused.length > 1 ? `, and ${refused.length - 1} more were refused` : ''
  const said = first.refusal.detail.replace(/\.$/, '')
  const detail = `Nothing was changed. Operation ${first.index}: ${said}${others}.`
  throw problemOf({ ...first.refusal, detail, errors: errors.slice(0, ERRORS_TOLD_MAX) })
}

const ERRORS_TOLD_MAX = 100

function faultsOf(index: number, { errors, detail }: DocumentRefusal) {
  const at = `/operations/${index}`
  if (!errors) return [{ path: at, message: detail }]
  return errors.map(({ path, message }) => ({ path: `${at}/data${path}`, message }))
}
