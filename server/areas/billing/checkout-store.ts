/**
 * The SQL of top-ups that are paid on the provider's payment page (checkouts). A checkout ends
 * once.
 */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { BillingCheckoutsTable } from '../../kernel/database/tables.ts'

export type CheckoutRow = Selectable<BillingCheckoutsTable>

export type NewCheckout = Insertable<BillingCheckoutsTable>

export function insert(tx: Transaction, row: NewCheckout): Promise<CheckoutRow> {
  return tx.insertInto('billing_checkouts').values(row).returningAll().executeTakeFirstOrThrow()
}

export function find(
  db: Reader,
  { project_id, id }: { project_id: string; id: string },
): Promise<CheckoutRow | undefined> {
  return db
    .selectFrom('billing_checkouts')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first. */
export function list(
  db: Reader,
  { project_id, limit }: { project_id: string; limit: number },
): Promise<CheckoutRow[]> {
  return db
    .selectFrom('billing_checkouts')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function countOpen(db: Reader, project_id: string): Promise<number> {
  const { open } = await db
    .selectFrom('billing_checkouts')
    .select(({ fn }) => fn.countAll<bigint>().as('open'))
    .where('project_id', '=', project_id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** Open checkouts of all projects, oldest first. */
export function listOpen(db: Reader, limit: number): Promise<CheckoutRow[]> {
  return db
    .selectFrom('billing_checkouts')
    .selectAll()
    .where('state', '=', 'open')
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/**
 * Ends an open checkout. Returns false if it had already ended, so of concurrent callers one
 * succeeds.
 */
export async function end(
  tx: Transaction,
  {
    project_id,
    id,
    state,
    now,
  }: { project_id: string; id: string; state: 'paid' | 'expired'; now: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('billing_checkouts')
    .set({ state, ended_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
