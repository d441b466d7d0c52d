/**
 * The SQL of carrier orders and of search reservations. An order is found by its Idempotency-Key
 * and settled under its row lock.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { NumberOrdersTable, NumberReservationsTable } from '../../../kernel/database/tables.ts'

export type OrderRow = Selectable<NumberOrdersTable>
export type Reservation = Insertable<NumberReservationsTable>

// A literal, because PostgreSQL could not use the partial index with a parameter.
const isPlaced = sql<boolean>`state = 'placed'`

/** Inserts an order. Returns false while another order of the same number is open. */
export async function insertOrder(
  tx: Transaction,
  row: Insertable<NumberOrdersTable>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('number_orders')
    .values(row)
    .onConflict((conflict) => conflict.column('e164').where(isPlaced).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Returns the newest order of an Idempotency-Key that matters to a retry. Excludes orders that
 * ended without a result.
 */
export function findOrderOfKey(
  db: Reader,
  { project_id, key, since }: { project_id: string; key: string; since: Date },
): Promise<OrderRow | undefined> {
  return db
    .selectFrom('number_orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('idempotency_key', '=', key)
    .where('created_at', '>', since)
    .where('state', 'in', ['placed', 'done'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Reads an order and locks its row until the transaction ends. */
export function lockOrder(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
): Promise<OrderRow> {
  return tx
    .selectFrom('number_orders')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function setOrderState(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
  state: OrderRow['state'],
): Promise<void> {
  await tx
    .updateTable('number_orders')
    .set({ state })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export async function countOpenOrders(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('number_orders')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where(isPlaced)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Lists the open orders of a project, oldest first. Their number is limited by that of numbers. */
export function listOpenOrders(db: Reader, project_id: string) {
  return db
    .selectFrom('number_orders')
    .select(['e164', 'type', 'created_at'])
    .where('project_id', '=', project_id)
    .where(isPlaced)
    .orderBy('created_at')
    .execute()
}

/** Returns the project with an open order of a number. */
export async function findOrderingProject(db: Reader, e164: string): Promise<string | null> {
  const row = await db
    .selectFrom('number_orders')
    .select('project_id')
    .where('e164', '=', e164)
    .where(isPlaced)
    .executeTakeFirst()
  return row?.project_id ?? null
}

export interface OrderSpan {
  state: 'placed' | 'lost'
  from: Date
  to: Date
  /** The last order seen; the page continues after it. */
  after: string | null
  limit: number
}

/** Returns orders of any project in a state, placed in a time span, oldest first. */
export function listOrders(
  db: Reader,
  { state, from, to, after, limit }: OrderSpan,
): Promise<OrderRow[]> {
  return db
    .selectFrom('number_orders')
    .selectAll()
    .where(sql<boolean>`state in ('placed', 'lost')`)
    .where('state', '=', state)
    .where('created_at', '>', from)
    .where('created_at', '<=', to)
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Why a number is unavailable to a project. `sold`: it is sold or being ordered. `shown`: it is
 * reserved for another project.
 */
export type TakenReason = 'sold' | 'shown'

/** Returns which of these numbers are unavailable, with the reason. */
export async function findTaken(
  db: Reader,
  { project_id, e164s, now }: { project_id: string; e164s: readonly string[]; now: Date },
): Promise<Map<string, TakenReason>> {
  const rows = await db
    .selectFrom('numbers')
    .select(['e164', sql.lit<TakenReason>('sold').as('why')])
    .where('e164', 'in', e164s)
    .where('released_at', 'is', null)
    .where('test', '=', false)
    .union(
      db
        .selectFrom('number_orders')
        .select(['e164', sql.lit<TakenReason>('sold').as('why')])
        .where('e164', 'in', e164s)
        .where(isPlaced),
    )
    .union(
      db
        .selectFrom('number_reservations')
        .select(['e164', sql.lit<TakenReason>('shown').as('why')])
        .where('e164', 'in', e164s)
        .where('project_id', '<>', project_id)
        .where('expires_at', '>', now),
    )
    .execute()
  const taken = new Map<string, TakenReason>()
  for (const { e164, why } of rows) if (taken.get(e164) !== 'sold') taken.set(e164, why)
  return taken
}

/**
 * Reserves numbers for a project and returns those it got; reservations of other projects stay. A
 * repeated search does not extend a reservation, so that searching cannot block a number. Deletes
 * expired reservations, and keeps only the newest of the project.
 */
export async function reserve(
  tx: Transaction,
  rows: readonly Reservation[],
  { now, project_id, own_max }: { now: Date; project_id: string; own_max: number },
): Promise<Set<string>> {
  await sql`
    delete from number_reservations where e164 in (
      select e164 from number_reservations where expires_at <= ${now} for update skip locked
    )`.execute(tx)
  const kept = await tx
    .insertInto('number_reservations')
    // A fixed order prevents deadlocks between concurrent searches.
    .values(rows.toSorted((one, other) => (one.e164 < other.e164 ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .column('e164')
        .doUpdateSet((row) => ({ project_id: row.ref('excluded.project_id') }))
        .whereRef('number_reservations.project_id', '=', 'excluded.project_id'),
    )
    .returning('e164')
    .execute()
  await sql`
    delete from number_reservations where e164 in (
      select e164 from number_reservations where project_id = ${project_id}
      order by expires_at desc, e164 offset ${own_max})`.execute(tx)
  return new Set(kept.map(({ e164 }) => e164))
}

export interface Shown {
  type: OrderRow['type']
  /** The prefix of the numbers, such as +3120. */
  prefix: string
  now: Date
}

/** Returns the number of current reservations of this type and prefix, over all projects. */
export async function countReserved(db: Reader, { type, prefix, now }: Shown): Promise<number> {
  const { count } = await db
    .selectFrom('number_reservations')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('type', '=', type)
    .where('expires_at', '>', now)
    .where(sql<boolean>`starts_with(e164, ${prefix})`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findReservation(
  db: Reader,
  { project_id, e164, now }: { project_id: string; e164: string; now: Date },
) {
  return db
    .selectFrom('number_reservations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('e164', '=', e164)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteReservation(tx: Transaction, e164: string): Promise<void> {
  await tx.deleteFrom('number_reservations').where('e164', '=', e164).execute()
}
