/**
 * An address may sign in if it has an account, is named as the owner of a project, or is invited.
 * There is no open registration.
 */
import type { Reader } from '../../../kernel/database/database.ts'
import { findPerson, type Address } from '../store.ts'
import { isAwaited, isInvited } from '../team/team-store.ts'

export async function isEntitled(db: Reader, address: Address, now: Date): Promise<boolean> {
  const { email } = address
  if (email === '') return false
  if (await findPerson(db, address)) return true
  return (await isAwaited(db, email)) || (await isInvited(db, { email, now }))
}
