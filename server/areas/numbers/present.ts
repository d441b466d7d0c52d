/** Presents a phone number: names each field of the reply. */
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

export function presentOrdered(row: NumberRow): OrderedNumber {
  return { ...present(row), from_stock: row.from_stock }
}
