/** SQL of unfinished sign-ins. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { SignInsTable } from '../../../kernel/database/tables.ts'
import type { Realm } from '../store.ts'

export type SignInRow = Selectable<SignInsTable>

interface SignInKey {
  realm: Realm
  hash: Buffer
  now: Date
}

export async function insertSignIn(tx: Transaction, row: Insertable<SignInsTable>): Promise<void> {
  await tx.insertInto('sign_ins').values(row).execute()
}

export function findSignIn(
  db: Reader,
  { realm, hash, now }: SignInKey,
): Promise<SignInRow | undefined> {
  return db
    .selectFrom('sign_ins')
    .selectAll()
    .where('realm', '=', realm)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/**
 * Locks the row until the transaction ends, so that the second of two concurrent proofs sees the
 * result of the first.
 */
export function lockSignIn(
  tx: Transaction,
  { realm, hash, now }: SignInKey,
): Promise<SignInRow | undefined> {
  return tx
    .selectFrom('sign_ins')
    .selectAll()
    .where('realm', '=', realm)
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
}

export function findById(db: Reader, id: string, now: Date): Promise<SignInRow | undefined> {
  return db
    .selectFrom('sign_ins')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function setCodeDue(tx: Transaction, id: string, code_due_at: Date): Promise<void> {
  await tx.updateTable('sign_ins').set({ code_due_at }).where('id', '=', id).execute()
}

/** Replaces the code by one that is sent now. */
export async function setCode(
  tx: Transaction,
  { id, now, ...code }: { id: string; now: Date; code_mac: Buffer; code_expires_at: Date },
): Promise<void> {
  await tx
    .updateTable('sign_ins')
    .set({
      ...code,
      code_tries: 0,
      // Another one may wait.
      code_due_at: sql<Date | null>`case when code_due_at > ${now} then code_due_at end`,
    })
    .where('id', '=', id)
    .execute()
}

export async function countCodeTry(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('sign_ins')
    .set({ code_tries: sql<number>`code_tries + 1` })
    .where('id', '=', id)
    .execute()
}

export async function countSecondFactorTry(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('sign_ins')
    .set({ second_tries: sql<number>`second_tries + 1` })
    .where('id', '=', id)
    .execute()
}

export async function setProven(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('sign_ins')
    .set({ proven_at: now, code_mac: null, code_expires_at: null, code_due_at: null })
    .where('id', '=', id)
    .execute()
}

/** Deletes the unfinished sign-ins of an address, because their proofs no longer count. */
export async function deleteSignInsOf(
  tx: Transaction,
  { realm, email }: { realm: Realm; email: string },
): Promise<void> {
  await tx.deleteFrom('sign_ins').where('realm', '=', realm).where('email', '=', email).execute()
}

export async function deleteSignIn(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('sign_ins').where('id', '=', id).execute()
}
