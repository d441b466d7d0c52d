/**
 * For whoever lost the phone and the recovery codes: the operator, who has made sure who is asking,
 * takes the second factor away. Whatever stood for it goes, passkeys included, because somebody who
 * still had one would not ask; every session and every sign-in that has begun ends; and the person is
 * told, in case it was somebody else who asked.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import * as factors from './factor-store.ts'
import { sendNotice } from '../jobs.ts'
import * as passkeys from './passkey-store.ts'
import { readEmail } from '../person.ts'
import { deleteSignInsOf } from '../sign-in/sign-in-store.ts'
import * as store from '../store.ts'

export interface ResetFactors {
  email: string
  authenticator_app: boolean
  passkeys: number
  sessions: number
}

/** What was taken away; null when nobody has an account with this address. */
export function resetSecondFactor(
  runtime: Runtime,
  { realm, email }: store.Address,
): Promise<ResetFactors | null> {
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
      sessions: await store.endAll(tx, person.id),
    }
    const payload = {
      email: person.email,
      what: 'second_factor_reset',
      reference: newId(runtime.clock),
    } as const
    await enqueue(tx, runtime, sendNotice, { project_id: null, payload })
    return removed
  })
}
