/** SQL of passkeys. Every query names the realm, or a person found in it. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PasskeysTable } from '../../../kernel/database/tables.ts'
import type { PersonRow, Realm } from '../store.ts'

export type PasskeyRow = Selectable<PasskeysTable>

export function listPasskeys(db: Reader, person_id: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', '=', person_id)
    .orderBy('id')
    .execute()
}

/**
 * Locks the row until the transaction ends, so that the second of two concurrent assertions reads
 * the new counter.
 */
export function lockPasskey(
  tx: Transaction,
  { realm, credential_id }: { realm: Realm; credential_id: Buffer },
): Promise<PasskeyRow | undefined> {
  return tx
    .selectFrom('passkeys')
    .selectAll()
    .where('realm', '=', realm)
    .where('credential_id', '=', credential_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Locks the person's row, which serializes limit checks. */
export function lockPerson(tx: Transaction, person_id: string): Promise<PersonRow | undefined> {
  return tx
    .selectFrom('people')
    .selectAll()
    .where('id', '=', person_id)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns false if the credential id exists in the realm. */
export async function insertPasskey(
  tx: Transaction,
  row: Insertable<PasskeysTable>,
): Promise<boolean> {
  const made = await tx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.constraint('passkeys_credential').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

interface PasskeyKey {
  person_id: string
  id: string
}

export async function setPasskeyUsed(
  tx: Transaction,
  { person_id, id, ...used }: PasskeyKey & { counter: bigint; synced: boolean; used_at: Date },
): Promise<void> {
  await tx
    .updateTable('passkeys')
    .set(used)
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .execute()
}

export async function setPasskeyName(
  tx: Transaction,
  { person_id, id, name }: PasskeyKey & { name: string },
): Promise<boolean> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function deletePasskey(
  tx: Transaction,
  { person_id, id }: PasskeyKey,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the number of deleted passkeys. */
export async function deletePasskeys(tx: Transaction, person_id: string): Promise<number> {
  const rows = await tx
    .deleteFrom('passkeys')
    .where('person_id', '=', person_id)
    .returning('id')
    .execute()
  return rows.length
}
