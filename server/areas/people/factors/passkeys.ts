/**
 * Adding, renaming and removing passkeys, after a recent confirmation of identity. Each new passkey
 * is announced by mail, because an attacker who adds one keeps access to the account.
 */
import { limits } from '../../../contract/limits.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { sendAccountNotice } from '../jobs.ts'
import {
  consumeChallenge,
  createPasskeyOptions,
  isPasskeyName,
  readNewPasskey,
  toRelyingParty,
  type PasskeyOptions,
} from '../../credentials/service.ts'
import * as passkeys from './passkey-store.ts'
import type { SessionOwner } from '../sign-in/sessions.ts'
import * as store from '../store.ts'

export interface PasskeyFacts {
  id: string
  name: string
  synced: boolean
  created_at: Date
  used_at: Date | null
}

export async function listPasskeys(
  db: Reader,
  { person }: Pick<SessionOwner, 'person'>,
): Promise<PasskeyFacts[]> {
  const rows = await passkeys.listPasskeys(db, person.id)
  return rows.map(({ id, name, synced, created_at, used_at }) => {
    return { id, name, synced, created_at, used_at }
  })
}

/** Whether the public URL allows passkeys. */
export function hasPasskeys({ config }: Runtime): boolean {
  return toRelyingParty(config.public_url) !== null
}

const addedBy = ({ session_id }: SessionOwner) =>
  ({ realm: 'portal', purpose: 'add', bound_to: session_id }) as const

/** Options for registering a passkey. Returns null if the public URL does not allow passkeys. */
export async function newPasskeyOptions(
  runtime: Runtime,
  signed_in: SessionOwner,
): Promise<PasskeyOptions | null> {
  const party = toRelyingParty(runtime.config.public_url)
  if (!party) return null
  const { person } = signed_in
  const known = await passkeys.listPasskeys(runtime.db, person.id)
  return createPasskeyOptions(runtime, {
    party,
    service: 'Homeport',
    user: person,
    purpose: addedBy(signed_in),
    known,
  })
}

export type PasskeyFault = 'name' | 'answer' | 'known' | 'too_many'

export interface NewPasskey {
  name: string
  /** The browser's response as JSON. */
  response: string
}

/** Stores a new passkey. Returns null, or the fault that prevented it. */
export async function addPasskey(
  runtime: Runtime,
  signed_in: SessionOwner,
  { name, response }: NewPasskey,
): Promise<{ fault: PasskeyFault } | null> {
  if (!isPasskeyName(name)) return { fault: 'name' }
  const party = toRelyingParty(runtime.config.public_url)
  const read =
    party && (await readNewPasskey(runtime, { party, purpose: addedBy(signed_in), response }))
  if (!read) return { fault: 'answer' }
  const { challenge, credential } = read
  const { id: person_id, email } = signed_in.person
  return runtime.db.transact(async (tx) => {
    if (!(await consumeChallenge(tx, challenge))) return { fault: 'answer' }
    const person = await passkeys.lockPerson(tx, person_id)
    const known = await passkeys.listPasskeys(tx, person_id)
    if (!person || known.length >= limits.passkeys_max) return { fault: 'too_many' }
    const created_at = runtime.clock.now()
    const row = { id: newId(runtime.clock), person_id, realm: person.realm, name: name.trim() }
    if (!(await passkeys.insertPasskey(tx, { ...row, ...credential, created_at }))) {
      return { fault: 'known' }
    }
    const payload = { email, what: 'passkey_added', reference: row.id } as const
    await enqueue(tx, runtime, sendAccountNotice, { project_id: null, payload })
    return null
  })
}

/** Returns null on success; `missing` if the person has no such passkey. */
export async function renamePasskey(
  runtime: Runtime,
  { person }: Pick<SessionOwner, 'person'>,
  { id, name }: { id: string; name: string },
): Promise<'name' | 'missing' | null> {
  if (!isPasskeyName(name)) return 'name'
  const named = { person_id: person.id, id, name: name.trim() }
  const done = await runtime.db.transact((tx) => passkeys.setPasskeyName(tx, named))
  return done ? null : 'missing'
}

/**
 * Removes a passkey and ends every other session, because another person may be signed in with a
 * lost device. Refuses to remove the last means of signing in.
 */
export function removePasskey(
  runtime: Runtime,
  { person, session_id }: SessionOwner,
  id: string,
): Promise<'missing' | 'last_way_in' | null> {
  const person_id = person.id
  return runtime.db.transact(async (tx) => {
    const row = await passkeys.lockPerson(tx, person_id)
    const known = await passkeys.listPasskeys(tx, person_id)
    if (!row || !known.some((one) => one.id === id)) return 'missing'
    const hasOther =
      known.length > 1 || row.password_hash !== null || runtime.config.mail.provider !== 'none'
    if (!hasOther) return 'last_way_in'
    await passkeys.deletePasskey(tx, { person_id, id })
    await store.endOtherSessions(tx, { person_id, keep_id: session_id })
    return null
  })
}
