/** SQL of creating accounts: invitations of the operator, and accepted terms. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { AcceptedTermsTable, SignUpInvitationsTable } from '../../../kernel/database/tables.ts'

export type SignUpInvitationRow = Selectable<SignUpInvitationsTable>

/** Inserts an invitation. One to an address replaces an earlier one to it. */
export async function insertInvitation(
  tx: Transaction,
  row: Insertable<SignUpInvitationsTable>,
): Promise<void> {
  if (row.email) await tx.deleteFrom('sign_up_invitations').where('email', '=', row.email).execute()
  await tx.insertInto('sign_up_invitations').values(row).execute()
}

export function listInvitations(db: Reader, now: Date): Promise<SignUpInvitationRow[]> {
  return db
    .selectFrom('sign_up_invitations')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
}

export async function countInvitations(db: Reader, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('sign_up_invitations')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findInvitation(
  db: Reader,
  { hash, now }: { hash: Buffer; now: Date },
): Promise<SignUpInvitationRow | undefined> {
  return db
    .selectFrom('sign_up_invitations')
    .selectAll()
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

interface Asked {
  email: string
  /** The invitation whose link was opened; null without one. */
  invitation_id: string | null
  now: Date
}

/** The invitation that the address may use: the opened link, or an invitation to this address. */
export function findUsableInvitation(
  db: Reader,
  { email, invitation_id, now }: Asked,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('sign_up_invitations')
    .select('id')
    .where('expires_at', '>', now)
    .where((either) =>
      either.or([
        either('email', '=', email),
        either.and([either('id', '=', invitation_id), either('email', 'is', null)]),
      ]),
    )
    .orderBy('email')
    .limit(1)
    .executeTakeFirst()
}

/** Uses up an invitation. Exactly one of two concurrent callers gets it. */
export async function deleteInvitation(tx: Transaction, id: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('sign_up_invitations')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the invitation to an address, which needs none any more. */
export async function deleteSignUpInvitationTo(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom('sign_up_invitations').where('email', '=', email).execute()
}

export async function insertAcceptedTerms(
  tx: Transaction,
  row: Insertable<AcceptedTermsTable>,
): Promise<void> {
  await tx
    .insertInto('accepted_terms')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
