/**
 * Resets the second factor of a person who lost the phone and the recovery codes; for the operator,
 * who has verified their identity. It removes the authenticator app, the recovery codes and all
 * passkeys, ends all sessions and unfinished sign-ins, and mails the person in case the request was
 * fraudulent.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import * as factors from './factor-store.ts'
import { sendAccountNotice } from '../jobs.ts'
import * as passkeys from './passkey-store.ts'
import { readEmail } from '../person.ts'
import { deleteSignInsOf } from '../sign-in/sign-in-store.ts'
import * as store from '../store.ts'

export interface RemovedFactors {
  email: string
  authenticator_app: boolean
  passkeys: number
  sessions: number
}

/** Returns what was removed; null if the address has no account. */
export function resetSecondFactor(
  runtime: Runtime,
  { realm, email }: store.PersonAddress,
): Promise<RemovedFactors | null> {
  return runtime.db.transact(async (tx) => {
    const found = await store.findPerson(tx, { realm, email: readEmail(email) ?? '' })
    const person = found && (await passkeys.lockPerson(tx, found.id))
    if (!person) return null
    await factors.clearTotp(tx, person.id)
    await deleteSignInsOf(tx, person)
    const removed = {
      email: person.email,
      authenticator_app: person.totp_since !== null,
      passkeys: await passkeys.deletePasskeys(tx, person.id),
      sessions: await store.endAllSessions(tx, person.id),
    }
    const payload = {
      email: person.email,
      what: 'second_factor_reset',
      reference: newId(runtime.clock),
    } as const
    await enqueue(tx, runtime, sendAccountNotice, { project_id: null, payload })
    return removed
  })
}
