/**
 * The SQL of the billing of plans. Writers lock the project first, then its subscription; a
 * project has at most one pending payment of a plan, and a payment ends once.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { PlanPaymentsTable, PlanSubscriptionsTable } from '../../kernel/database/tables.ts'

export type SubscriptionRow = Selectable<PlanSubscriptionsTable>
export type PaymentRow = Selectable<PlanPaymentsTable>

export function findSubscription(
  db: Reader,
  project_id: string,
): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('plan_subscriptions')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Writes the row of a project, replacing the earlier one. The caller has locked the project. */
export async function saveSubscription(
  tx: Transaction,
  row: Insertable<PlanSubscriptionsTable>,
): Promise<void> {
  const { project_id: _project_id, ...changes } = row
  await tx
    .insertInto('plan_subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(changes))
    .execute()
}

export async function deleteSubscription(tx: Transaction, project_id: string): Promise<void> {
  await tx.deleteFrom('plan_subscriptions').where('project_id', '=', project_id).execute()
}

/**
 * Lists existing projects whose subscription needs work, in the order of their ids: a month that
 * has begun, an attempt that is due, or an owed month that the balance covers by now. Skips those
 * with a pending payment.
 */
export async function listDue(
  db: Reader,
  { month, now, after, limit }: { month: string; now: Date; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select s.project_id from plan_subscriptions as s
      join projects as p on p.id = s.project_id and p.deleted_at is null
      left join ledger_accounts as a on a.project_id = s.project_id and a.kind = 'prepaid'
    where (
      (s.state = 'active' and s.month < ${month}::date and (not s.granted or s.next_plan is not null))
      or (s.state = 'past_due' and (s.next_try_at <= ${now}
        or (s.failure <> 'billing_blocked' and coalesce(a.balance_micro, 0) >= s.price_micro)))
    )
      and not exists (select from plan_payments as f
        where f.project_id = s.project_id and f.state = 'pending')
      and (${after}::uuid is null or s.project_id > ${after}::uuid)
    order by s.project_id limit ${limit}
  `.execute(db)
  return rows.map(({ project_id }) => project_id)
}

export async function insertPayment(
  tx: Transaction,
  row: Insertable<PlanPaymentsTable>,
): Promise<PaymentRow> {
  return tx.insertInto('plan_payments').values(row).returningAll().executeTakeFirstOrThrow()
}

export function findPending(db: Reader, project_id: string): Promise<PaymentRow | undefined> {
  return db
    .selectFrom('plan_payments')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
}

/** Pending payments of all projects that were created at `before` or earlier, oldest first. */
export function listPending(
  db: Reader,
  { before, limit }: { before: Date; limit: number },
): Promise<PaymentRow[]> {
  return db
    .selectFrom('plan_payments')
    .selectAll()
    .where('state', '=', 'pending')
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

export interface PaymentEnd {
  project_id: string
  id: string
  ended_at: Date
  outcome: { state: 'paid'; payment_id: string } | { state: 'failed'; reason: string }
}

/** Ends a pending payment. Returns false if it had already ended. */
export async function endPayment(
  tx: Transaction,
  { project_id, id, ended_at, outcome }: PaymentEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('plan_payments')
    .set({
      state: outcome.state,
      payment_id: outcome.state === 'paid' ? outcome.payment_id : null,
      failure: outcome.state === 'failed' ? outcome.reason : null,
      ended_at,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
