/** SQL of changing the address of an account, and of deleting it. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { PersonAddress } from '../store.ts'

export async function setEmail(
  tx: Transaction,
  { person_id, email }: { person_id: string; email: string },
): Promise<void> {
  await tx.updateTable('people').set({ email }).where('id', '=', person_id).execute()
}

/** Deletes the unused sign-in links of an address. */
export async function deleteLinksOf(
  tx: Transaction,
  { realm, email }: PersonAddress,
): Promise<void> {
  await tx
    .deleteFrom('sign_in_links')
    .where('realm', '=', realm)
    .where('email', '=', email)
    .execute()
}

export async function deleteInvitationsTo(tx: Transaction, email: string): Promise<void> {
  await tx.deleteFrom('invitations').where('email', '=', email).execute()
}

/** The projects that a person owns, deleted ones included. */
export async function listOwnedIds(tx: Transaction, person_id: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('members')
    .select('project_id')
    .where('person_id', '=', person_id)
    .where('role', '=', 'owner')
    .execute()
  return rows.map(({ project_id }) => project_id)
}

/** Deletes the memberships of a person, also in deleted projects. */
export async function deleteMemberships(tx: Transaction, person_id: string): Promise<void> {
  await tx.deleteFrom('members').where('person_id', '=', person_id).execute()
}

/** Deletes the account with its sessions, sign-in methods and conversations with the assistant. */
export async function deletePerson(tx: Transaction, person_id: string): Promise<void> {
  await tx.deleteFrom('people').where('id', '=', person_id).execute()
}
