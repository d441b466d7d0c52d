/**
 * The stock of products. The order of a visitor holds its pieces until it is paid, which lowers the stock
 * of the documents, or until it ends unpaid, which releases them. Each happens once, under the lock of the
 * order.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as data from '../../data/service.ts'
import type { OrderRow } from '../orders/order-store.ts'
import type { Step } from '../orders/transitions.ts'
import { readProduct } from './product.ts'
import * as store from './stock-store.ts'

const STOCK_FIELD = 'stock'

export interface Settled {
  stock: 'returned' | 'sold'
  /** Pieces that were paid but are out of stock: paid after their release, or the owner lowered the stock. */
  missing: number
}

/** Applies a step of a locked order to the stock. Returns null if the stock is not concerned. */
export async function settleStock(
  tx: Transaction,
  runtime: Runtime,
  { row, to }: { row: OrderRow; to: Step['to'] },
): Promise<Settled | null> {
  const pieces = piecesOf(row)
  const { project_id, stock } = row
  if (stock === null || stock === 'sold') return null
  if (to === 'paid') {
    const held = stock === 'held'
    const others = await (held ? store.release : store.lock)(tx, project_id, pieces)
    const missing = await sell(tx, runtime, { project_id, pieces, kept: held ? null : others })
    return { stock: 'sold', missing }
  }
  const has_ended = to === 'failed' || to === 'expired' || to === 'canceled'
  if (stock !== 'held' || !has_ended) return null
  await store.release(tx, project_id, pieces)
  return { stock: 'returned', missing: 0 }
}

function piecesOf({ items }: Pick<OrderRow, 'items'>): store.Pieces[] {
  return items.flatMap(({ product_id, quantity }) =>
    product_id === undefined ? [] : [{ product_id, quantity }],
  )
}

interface Sale {
  project_id: string
  pieces: readonly store.Pieces[]
  /** Pieces that stay for other orders; null if this order held its own. */
  kept: store.Reserved | null
}

/** Lowers the stock of the documents and returns how many pieces are missing. */
async function sell(
  tx: Transaction,
  runtime: Runtime,
  { project_id, pieces, kept }: Sale,
): Promise<number> {
  const ids = pieces.map(({ product_id }) => product_id)
  const documents = await data.findProductDocuments(tx, project_id, ids)
  let missing = 0
  // In the order of collections, so that concurrent sales do not deadlock on the collections.
  for (const document of documents.toSorted(byPlace)) {
    const { id, collection_id } = document
    const quantity = pieces.find(({ product_id }) => product_id === id)?.quantity ?? 0
    const read = readProduct(document)
    const stock = 'product' in read ? read.product.stock : null
    if (stock === null) continue
    const free = kept === null ? quantity : Math.max(0, stock - (kept.get(id) ?? 0))
    const by = Math.min(quantity, free)
    const place = { project_id, collection_id, id, field: STOCK_FIELD, by }
    const lowered = by === 0 ? 0 : ((await data.lowerNumber(tx, runtime, place)) ?? 0)
    missing += quantity - lowered
  }
  return missing
}

type Placed = Pick<data.ProductDocument, 'collection_id' | 'id'>

function byPlace(one: Placed, other: Placed): number {
  return `${one.collection_id} ${one.id}` < `${other.collection_id} ${other.id}` ? -1 : 1
}
