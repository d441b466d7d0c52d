/**
 * The way from proofs to a session. The first proof is of the address or of a password; whoever
 * has set up a second factor gives that too, whatever the first proof was. Only then is there a
 * session.
 */
import { limits } from '../../contract/limits.ts'
import { sha256 } from '../../kernel/crypto.ts'
import type { Transaction } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import { newId } from '../../kernel/ids.ts'
import { after, newSecret, openSession, type Device } from './sessions.ts'
import { insertSignIn } from './sign-in-store.ts'
import * as store from './store.ts'

/** A session, or a sign-in whose second proof is left; each with what its cookie holds. */
export type Proven =
  | { kind: 'signed_in'; secret: string }
  | { kind: 'second_factor'; secret: string }

/** An address was proven: its person is made if there is none yet, and signed in. */
export async function prove(
  tx: Transaction,
  house: House,
  { address, device }: { address: store.Address; device: Device },
): Promise<Proven> {
  const now = house.clock.now()
  const person = await store.makePerson(tx, { ...address, id: newId(house.clock), created_at: now })
  if (person.totp_since === null) {
    return { kind: 'signed_in', secret: await openSession(tx, house, { person, device }) }
  }
  const secret = newSecret()
  await insertSignIn(tx, {
    ...address,
    id: newId(house.clock),
    hash: sha256(secret),
    proven_at: now,
    created_at: now,
    expires_at: after(now, limits.sign_in_s),
  })
  return { kind: 'second_factor', secret }
}
