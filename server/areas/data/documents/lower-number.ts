/** Lowers a number in a document within the transaction of another area. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isObject } from '../../json-schema/service.ts'
import * as store from '../store.ts'
import { findDocuments } from './document-store.ts'
import { writeChanges } from './write/write.ts'

export interface Lowering {
  project_id: string
  collection_id: string
  id: string
  field: string
  by: number
}

/**
 * Lowers the number by at most `by`, never below zero. Returns by how much; null if the document or
 * the number is missing. Also null, without a change, if the schema refuses the lower number.
 */
export async function lowerNumber(
  tx: Transaction,
  runtime: Runtime,
  { project_id, collection_id, id, field, by }: Lowering,
): Promise<number | null> {
  const place = { project_id, collection_id }
  const collection = await store.lockCollection(tx, { project_id, id: collection_id })
  const [row] = collection ? await findDocuments(tx, { ...place, ids: [id] }) : []
  const before = row && isObject(row.data) ? row.data[field] : undefined
  if (typeof before !== 'number') return null
  const lowered = Math.max(0, Math.min(by, before))
  if (lowered === 0) return 0
  const data = { [field]: before - lowered }
  const changes = [{ op: 'patch' as const, id, data, version: null }]
  const [result] = await writeChanges(tx, runtime, { place, changes, author: null })
  if (result && 'refusal' in result) {
    const { detail } = result.refusal
    runtime.log.warn({ collection_id, document_id: id, detail }, 'a number was not lowered')
    return null
  }
  return lowered
}
