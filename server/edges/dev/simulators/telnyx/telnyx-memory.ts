/**
 * Records of the simulated Telnyx: sold numbers and orders. Inserting a sale decides between
 * concurrent orders. A released number can be sold again, but searches do not offer it. Records are
 * grouped in blocks, so that searches stay fast.
 */
import assert from 'node:assert/strict'
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { newId } from '../../../../kernel/values/ids.ts'
import {
  updateRecord,
  findRecord,
  insertRecord,
  listRecords,
} from '../../../../kernel/simulator-records.ts'
import { numberAt, ORDINARY_PER_PREFIX, type Fate, type Prefix } from './telnyx-stock.ts'

const PER_BLOCK = 100
const MINUTE_MS = 60_000

const Sold = Type.Object({
  order_id: Type.String(),
  reference: Type.Union([Type.String(), Type.Null()]),
  connection_id: Type.Union([Type.String(), Type.Null()]),
  fate: Type.Union([
    Type.Literal('at_once'),
    Type.Literal('after_a_minute'),
    Type.Literal('refused_after_a_minute'),
    Type.Literal('awaits_documents'),
  ]),
  is_deleted: Type.Boolean(),
})
const FirstOpen = Type.Object({ block: Type.Integer() })
const Pointer = Type.Object({ e164: Type.String(), sale: Type.Integer() })
type Pointer = Static<typeof Pointer>

export interface SoldNumber extends Static<typeof Sold>, Pointer {
  status: 'pending' | 'success' | 'failure'
  created_at: Date
  updated_at: Date
}

const ORDERS = 'telnyx orders'
const FIRST_OPEN = 'telnyx first open block'
const ordersOf = (reference: string) => `telnyx orders of ${reference}`
/** Returns the block of a number: the numbers that differ only in the last two digits. */
const blockOf = (e164: string) => `telnyx numbers ${e164.slice(0, -2)}`
/** Returns the id of a sale; the first sale of a number has no suffix. */
const saleId = ({ e164, sale }: Pointer) => (sale === 0 ? e164 : `${e164} ${sale}`)

interface Sale {
  e164: string
  reference: string | null
  connection_id: string | null
  fate: Fate
}

/** Sells a number. Returns null if it is sold. */
export async function sellNumber(
  runtime: Runtime,
  { e164, ...sold }: Sale,
): Promise<SoldNumber | null> {
  const last = await findSold(runtime, e164)
  if (last !== null && !last.is_deleted) return null
  const pointer = { e164, sale: last === null ? 0 : last.sale + 1 }
  const order_id = newId(runtime.clock)
  const record = { order_id, ...sold, is_deleted: false }
  const is_ours = await insertRecord(runtime, {
    simulator: blockOf(e164),
    id: saleId(pointer),
    record,
  })
  if (!is_ours) return null
  await insertRecord(runtime, { simulator: ORDERS, id: order_id, record: pointer })
  if (sold.reference !== null) {
    const simulator = ordersOf(sold.reference)
    await insertRecord(runtime, { simulator, id: order_id, record: pointer })
  }
  return findSale(runtime, pointer)
}

/** Returns the latest sale of a number. */
export async function findSold(runtime: Runtime, e164: string): Promise<SoldNumber | null> {
  let last: SoldNumber | null = null
  for (let sale = 0; ; sale += 1) {
    const found = await findSale(runtime, { e164, sale })
    if (found === null) return last
    last = found
    if (!found.is_deleted) return found
  }
}

async function findSale(runtime: Runtime, pointer: Pointer): Promise<SoldNumber | null> {
  const row = await findRecord(runtime, blockOf(pointer.e164), saleId(pointer))
  if (row === undefined) return null
  assert(schemaChecks().Check(Sold, row.record))
  return { ...pointer, ...row.record, ...statusOf(runtime, row.record.fate, row.created_at) }
}

function statusOf({ clock }: Runtime, fate: Fate, created_at: Date) {
  const has_waited = clock.now_ms() - created_at.getTime() >= MINUTE_MS
  const minute_later = new Date(created_at.getTime() + MINUTE_MS)
  const waiting = { status: 'pending' as const, created_at, updated_at: created_at }
  if (fate === 'at_once') return { ...waiting, status: 'success' as const }
  if (fate === 'awaits_documents' || !has_waited) return waiting
  const status = fate === 'after_a_minute' ? ('success' as const) : ('failure' as const)
  return { status, created_at, updated_at: minute_later }
}

export async function findOrdered(runtime: Runtime, order_id: string): Promise<SoldNumber | null> {
  const row = await findRecord(runtime, ORDERS, order_id)
  return row === undefined ? null : pointedAt(runtime, row.record)
}

/**
 * Lists the sold numbers, latest first. `reference` filters by customer_reference; null means no
 * filter.
 */
export async function listSold(runtime: Runtime, reference: string | null): Promise<SoldNumber[]> {
  const rows = await listRecords(runtime, reference === null ? ORDERS : ordersOf(reference))
  const sold: SoldNumber[] = []
  for (const { record } of rows.toReversed()) sold.push(await pointedAt(runtime, record))
  return sold
}

async function pointedAt(runtime: Runtime, record: unknown): Promise<SoldNumber> {
  assert(schemaChecks().Check(Pointer, record))
  const sold = await findSale(runtime, record)
  assert(sold !== null)
  return sold
}

export async function markDeleted(runtime: Runtime, pointer: Pointer): Promise<void> {
  const [simulator, id] = [blockOf(pointer.e164), saleId(pointer)]
  const row = await findRecord(runtime, simulator, id)
  assert(row !== undefined && schemaChecks().Check(Sold, row.record))
  await updateRecord(runtime, { simulator, id, record: { ...row.record, is_deleted: true } })
}

/**
 * Returns the lowest unsold ordinary numbers of a prefix. Sold-out blocks at the start are recorded
 * and skipped.
 */
export async function listFreeNumbers(
  runtime: Runtime,
  prefix: Prefix,
  count: number,
): Promise<string[]> {
  const first = await firstOpenBlock(runtime, prefix)
  const free: string[] = []
  let open = first
  for (let block = first; block * PER_BLOCK < ORDINARY_PER_PREFIX; block += 1) {
    if (free.length >= count) break
    const numbers = Array.from({ length: PER_BLOCK }, (_, at) =>
      numberAt(prefix, block * PER_BLOCK + at),
    )
    const rows = await listRecords(runtime, blockOf(numberAt(prefix, block * PER_BLOCK)))
    const sold = new Set(rows.map(({ id }) => id))
    const unsold = numbers.filter((e164) => !sold.has(e164))
    if (unsold.length === 0 && block === open) open = block + 1
    free.push(...unsold)
  }
  if (open !== first) await keepFirstOpenBlock(runtime, prefix, open)
  return free.slice(0, count)
}

async function firstOpenBlock(runtime: Runtime, { digits }: Prefix): Promise<number> {
  const row = await findRecord(runtime, FIRST_OPEN, digits)
  if (row === undefined) return 0
  assert(schemaChecks().Check(FirstOpen, row.record))
  return row.record.block
}

async function keepFirstOpenBlock(runtime: Runtime, { digits }: Prefix, block: number) {
  const kept = { simulator: FIRST_OPEN, id: digits, record: { block } }
  if (!(await insertRecord(runtime, kept))) await updateRecord(runtime, kept)
}
