/** Who may create an account: everyone, addresses that the operator invited, or nobody. */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { SignInRow } from '../sign-in/sign-in-store.ts'
import { findPerson } from '../store.ts'
import * as store from './sign-up-store.ts'

/** Whether an address may get an account now. */
export async function maySignUp(
  db: Reader,
  runtime: Runtime,
  { email, invitation_id }: Pick<SignInRow, 'email' | 'invitation_id'>,
): Promise<boolean> {
  const { mode } = runtime.config.sign_up
  if (mode !== 'invite') return mode === 'open'
  const now = runtime.clock.now()
  return (await store.findUsableInvitation(db, { email, invitation_id, now })) !== undefined
}

/**
 * Uses up the invitation of a sign-up whose address was proven. Returns false if the address may have no
 * account: its invitation was used by somebody else, withdrawn or has expired.
 */
export async function admitSignUp(
  tx: Transaction,
  runtime: Runtime,
  { realm, email, invitation_id }: Pick<SignInRow, 'realm' | 'email' | 'invitation_id'>,
): Promise<boolean> {
  const { mode } = runtime.config.sign_up
  if (await findPerson(tx, { realm, email })) return true
  const now = runtime.clock.now()
  const usable = await store.findUsableInvitation(tx, { email, invitation_id, now })
  const used = usable !== undefined && (await store.deleteInvitation(tx, usable.id))
  return mode === 'open' || (mode === 'invite' && used)
}
