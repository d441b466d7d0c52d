/** Presents a phone number: names each field of the reply. */
import type { Transaction } from '../../kernel/database/database.ts'
import * as callPlans from '../call-plans/service.ts'
import type { OrderedNumber, PhoneNumber } from './schema.ts'
import type { NumberRow } from './store.ts'

export function present(row: NumberRow): PhoneNumber {
  return {
    id: row.id,
    e164: row.e164,
    type: row.type,
    status: row.status,
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}

/** A number with what keeps its calls from being answered. */
export async function presentOrdered(tx: Transaction, row: NumberRow): Promise<OrderedNumber> {
  const warnings = await callPlans.findSilence(tx, row.project_id, row.id)
  const silent = warnings.length > 0 && { warnings }
  return { ...present(row), from_stock: row.from_stock, ...silent }
}
