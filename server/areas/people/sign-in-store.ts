/** The SQL of sign-ins that have begun. */
import type { Insertable } from 'kysely'
import type { Transaction } from '../../kernel/database.ts'
import type { SignInsTable } from '../../kernel/tables.ts'

export async function insertSignIn(tx: Transaction, row: Insertable<SignInsTable>): Promise<void> {
  await tx.insertInto('sign_ins').values(row).execute()
}
