/** The payments of the built-in payment provider, which moves no money. */
import { sql, type Selectable } from 'kysely'
import type { Database, Reader } from './database/database.ts'
import type { BuiltinPaymentsTable } from './database/tables.ts'

type BuiltinPayment = Selectable<BuiltinPaymentsTable>
type PaymentState = BuiltinPayment['state']

interface PaymentKey {
  project_id: string
  /** The id of the payment. */
  reference: string
}

interface Refund extends PaymentKey {
  refund_id: string
  amount_cents: bigint
}

interface NewBuiltinPayment {
  project_id: string
  id: string
  amount_cents: bigint
  created_at: Date
}

/** Does nothing if the payment exists. */
export async function insertPayment(db: Database, payment: NewBuiltinPayment): Promise<void> {
  const row = { state: 'open', refunded_cents: 0n, charged_back: false, refund_ids: [] } as const
  await db.transact((tx) =>
    tx
      .insertInto('builtin_payments')
      .values({ ...payment, ...row, refund_ids: [] })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

export function findPayment(
  db: Reader,
  { project_id, reference }: PaymentKey,
): Promise<BuiltinPayment | undefined> {
  return db
    .selectFrom('builtin_payments')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', reference)
    .executeTakeFirst()
}

/** Changes the state of a payment if it is one of `from`. */
export async function changeState(
  db: Database,
  { project_id, reference }: PaymentKey,
  { from, to }: { from: readonly PaymentState[]; to: PaymentState },
): Promise<void> {
  await db.transact((tx) =>
    tx
      .updateTable('builtin_payments')
      .set({ state: to })
      .where('project_id', '=', project_id)
      .where('id', '=', reference)
      .where('state', 'in', from)
      .execute(),
  )
}

export async function chargeBack(db: Database, { project_id, reference }: PaymentKey) {
  await db.transact((tx) =>
    tx
      .updateTable('builtin_payments')
      .set({ charged_back: true })
      .where('project_id', '=', project_id)
      .where('id', '=', reference)
      .where('state', '=', 'paid')
      .execute(),
  )
}

/** Returns false if the payment cannot return so much. A refund is made once for each id. */
export async function addRefund(
  db: Database,
  { project_id, reference, refund_id, amount_cents }: Refund,
): Promise<boolean> {
  const { rows } = await db.transact((tx) =>
    sql`
      update builtin_payments set
        refunded_cents = case when ${refund_id}::uuid = any(refund_ids) then refunded_cents
          else refunded_cents + ${amount_cents} end,
        refund_ids = case when ${refund_id}::uuid = any(refund_ids) then refund_ids
          else refund_ids || ${refund_id}::uuid end
      where project_id = ${project_id} and id = ${reference} and state = 'paid'
        and (${refund_id}::uuid = any(refund_ids)
          or refunded_cents + ${amount_cents} <= amount_cents)
      returning id`.execute(tx),
  )
  return rows.length > 0
}
