/** Setting, changing and removing a password, after a recent confirmation of identity. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { hashPassword } from '../../../kernel/secrets/passwords.ts'
import { deleteSignInsOf } from '../sign-in/sign-in-store.ts'
import * as store from '../store.ts'

/** Stores a new password and ends every other session and unfinished sign-in of the person. */
export async function setPassword(
  runtime: Runtime,
  { person, session_id }: { person: { id: string }; session_id: string },
  password: string,
): Promise<void> {
  const password_hash = await hashPassword(password, { room: 'people', id: person.id })
  await runtime.db.transact(async (tx) => {
    const address = await store.setPassword(tx, { person_id: person.id, password_hash })
    await store.endOtherSessions(tx, { person_id: person.id, keep_id: session_id })
    await deleteSignInsOf(tx, address)
  })
}
