/** SQL of the passkeys of users of apps. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { AppPasskeysTable } from '../../../kernel/database/tables.ts'
import type { OfApp } from './user-store.ts'

export type PasskeyRow = Selectable<AppPasskeysTable>

export function listPasskeys(
  db: Reader,
  { project_id, app_id, user_id }: OfApp & { user_id: string },
): Promise<PasskeyRow[]> {
  return db
    .selectFrom('app_passkeys')
    .selectAll()
    .where((of) => of.and({ project_id, app_id, user_id }))
    .orderBy('id')
    .execute()
}

/** Locks the row, so that the second of two concurrent answers reads the new counter. */
export function lockPasskey(
  tx: Transaction,
  { project_id, app_id }: OfApp,
  credential_id: Buffer,
): Promise<PasskeyRow | undefined> {
  return tx
    .selectFrom('app_passkeys')
    .selectAll()
    .where((of) => of.and({ project_id, app_id, credential_id }))
    .forUpdate()
    .executeTakeFirst()
}

/** Returns false if the app knows the credential id. */
export async function insertPasskey(
  tx: Transaction,
  row: Insertable<AppPasskeysTable>,
): Promise<boolean> {
  const made = await tx
    .insertInto('app_passkeys')
    .values(row)
    .onConflict((conflict) => conflict.constraint('app_passkeys_credential').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

export async function setPasskeyUsed(
  tx: Transaction,
  { project_id, app_id, id }: OfApp & { id: string },
  used: Pick<PasskeyRow, 'counter' | 'synced' | 'used_at'>,
): Promise<void> {
  await tx
    .updateTable('app_passkeys')
    .set(used)
    .where((of) => of.and({ project_id, app_id, id }))
    .execute()
}

export async function deletePasskey(
  tx: Transaction,
  { project_id, app_id, user_id, id }: OfApp & { user_id: string; id: string },
): Promise<boolean> {
  const gone = await tx
    .deleteFrom('app_passkeys')
    .where((of) => of.and({ project_id, app_id, user_id, id }))
    .returning('id')
    .executeTakeFirst()
  return gone !== undefined
}
