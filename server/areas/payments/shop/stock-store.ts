/** The SQL of the pieces that unpaid orders hold. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

export interface Pieces {
  product_id: string
  quantity: number
}

export type Reserved = ReadonlyMap<string, number>

/**
 * Adds to the pieces that orders hold, and returns the new totals. Locks the rows until the transaction
 * ends, in the order of the ids, so that concurrent orders do not deadlock. `pieces` has each product
 * once.
 */
export async function reserve(
  tx: Transaction,
  project_id: string,
  pieces: readonly Pieces[],
): Promise<Reserved> {
  const sorted = pieces.toSorted((one, other) => (one.product_id < other.product_id ? -1 : 1))
  const { rows } = await sql<{ document_id: string; reserved: number }>`
    insert into product_stock (project_id, document_id, reserved)
    select ${project_id}::uuid, id, pieces
    from unnest(${sorted.map(({ product_id }) => product_id)}::uuid[],
      ${sorted.map(({ quantity }) => quantity)}::integer[]) with ordinality as given (id, pieces, place)
    order by place
    on conflict (project_id, document_id)
      do update set reserved = product_stock.reserved + excluded.reserved
    returning document_id, reserved
  `.execute(tx)
  return new Map(rows.map(({ document_id, reserved }) => [document_id, reserved]))
}

/** Undoes `reserve`. Returns the pieces that other orders hold. */
export async function release(
  tx: Transaction,
  project_id: string,
  pieces: readonly Pieces[],
): Promise<Reserved> {
  // Locks the rows in the order of the ids; an update alone would lock them in any order.
  await reserve(tx, project_id, withZeroQuantities(pieces))
  const { rows } = await sql<{ document_id: string; reserved: number }>`
    update product_stock set reserved = reserved - given.pieces
    from unnest(${pieces.map(({ product_id }) => product_id)}::uuid[],
      ${pieces.map(({ quantity }) => quantity)}::integer[]) as given (id, pieces)
    where project_id = ${project_id} and document_id = given.id
    returning document_id, reserved
  `.execute(tx)
  return new Map(rows.map(({ document_id, reserved }) => [document_id, reserved]))
}

/** Locks the rows without changing them. Returns the pieces that orders hold. */
export function lock(
  tx: Transaction,
  project_id: string,
  pieces: readonly Pieces[],
): Promise<Reserved> {
  return reserve(tx, project_id, withZeroQuantities(pieces))
}

function withZeroQuantities(pieces: readonly Pieces[]): Pieces[] {
  return pieces.map(({ product_id }) => ({ product_id, quantity: 0 }))
}

export async function listReserved(
  db: Reader,
  project_id: string,
  ids: readonly string[],
): Promise<Reserved> {
  const rows = await db
    .selectFrom('product_stock')
    .select(['document_id', 'reserved'])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`document_id = any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ document_id, reserved }) => [document_id, reserved]))
}
