/** The SQL of payment accounts. */
import type { Selectable } from 'kysely'
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

/** Connects an account, or replaces the one of this mode. */
export async function put(tx: Transaction, row: AccountRow): Promise<void> {
  const { id, provider, connected_at } = row
  await tx
    .insertInto('payment_accounts')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'test']).doUpdateSet({ id, provider, connected_at }),
    )
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
