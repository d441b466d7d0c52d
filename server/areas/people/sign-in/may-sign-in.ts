/**
 * An address may sign in if it has an account, is named as the owner of a project, or is invited.
 * There is no open registration.
 */
import type { Reader } from '../../../kernel/database/database.ts'
import { findPerson, type PersonAddress } from '../store.ts'
import { isProjectOwner, isInvited } from '../team/team-store.ts'

export async function maySignIn(db: Reader, address: PersonAddress, now: Date): Promise<boolean> {
  const { email } = address
  if (email === '') return false
  if (await findPerson(db, address)) return true
  return (await isProjectOwner(db, email)) || (await isInvited(db, { email, now }))
}
