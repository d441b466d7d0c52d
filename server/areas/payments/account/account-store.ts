/** The SQL of payment accounts. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PaymentAccountsTable } from '../../../kernel/database/tables.ts'

export type AccountRow = Selectable<PaymentAccountsTable>

export function find(
  db: Reader,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('payment_accounts')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .executeTakeFirst()
}

/** The account of a callback, whose address has the id only. */
export function findById(db: Reader, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom('payment_accounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Connects an account, or replaces the one of this mode. */
export async function put(tx: Transaction, row: Insertable<PaymentAccountsTable>): Promise<void> {
  const { project_id: _project, test: _test, ...changes } = row
  await tx
    .insertInto('payment_accounts')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'test']).doUpdateSet(changes))
    .execute()
}

/** Accounts of any project at external providers that were not read since `before`. */
export function listUnchecked(db: Reader, before: Date, limit: number): Promise<AccountRow[]> {
  return db
    .selectFrom('payment_accounts')
    .selectAll()
    .where(sql<boolean>`sealed_key is not null`)
    .where('checked_at', '<', before)
    .orderBy('checked_at')
    .limit(limit)
    .execute()
}

export async function keepState(
  tx: Transaction,
  { id, state, checked_at }: Pick<AccountRow, 'id' | 'checked_at'> & { state: object },
): Promise<void> {
  await tx
    .updateTable('payment_accounts')
    .set({ state: JSON.stringify(state), checked_at })
    .where('id', '=', id)
    .execute()
}

export async function remove(
  tx: Transaction,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<void> {
  await tx
    .deleteFrom('payment_accounts')
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .execute()
}
