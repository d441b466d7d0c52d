/** Passkeys of users of apps, on the host of the site: adding, removing, and signing in. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isUuid, newId } from '../../../kernel/values/ids.ts'
import {
  consumeChallenge,
  createPasskeyOptions,
  isPasskeyName,
  readNewPasskey,
  requestPasskeyOptions,
  takePasskey,
  toRelyingParty,
  type ChallengePurpose,
  type PasskeyOptions,
  type RelyingParty,
} from '../../credentials/service.ts'
import type { ServedApp } from '../store.ts'
import { mailNotice, type MailVoice } from './mail.ts'
import * as store from './passkey-store.ts'
import { requireFresh, requireMethod, requireStillOpen, type Session } from './sessions.ts'
import { open, type SignIn } from './sign-in.ts'
import { admitUser, deleteSessions } from './user-store.ts'

export interface PasskeyPlace {
  app: ServedApp
  /** The origin of the site, whose host is the relying party. */
  origin: string
}

export interface PasskeyFacts {
  id: string
  name: string
  created_at: string
  used_at: string | null
}

const keyOf = ({ project_id, id: app_id }: ServedApp) => ({ project_id, app_id })

const signInOf = ({ id }: ServedApp, secret: string): ChallengePurpose => ({
  realm: `app:${id}`,
  purpose: 'sign_in',
  bound_to: secret,
})

const addingOf = ({ id }: ServedApp, { hash }: Session): ChallengePurpose => ({
  realm: `app:${id}`,
  purpose: 'add',
  bound_to: hash.toString('hex'),
})

/**
 * Options that accept any passkey of the site. The response is accepted with `secret` only, which the
 * browser keeps in a cookie. Null where browsers offer no passkeys.
 */
export function askForPasskey(
  runtime: Runtime,
  { app, origin }: PasskeyPlace,
  secret: string,
): PasskeyOptions | null {
  requireMethod(app, 'passkey')
  const party = toRelyingParty(origin)
  return (
    party && requestPasskeyOptions(runtime, { party, purpose: signInOf(app, secret), allowed: [] })
  )
}

/** Throws the same Problem for an unknown passkey, an invalid response and a blocked user. */
export async function signInByPasskey(
  runtime: Runtime,
  { app, origin }: PasskeyPlace,
  { secret, response }: { secret: string; response: string },
): Promise<SignIn> {
  requireMethod(app, 'passkey')
  const party = requireParty(origin)
  const of_app = keyOf(app)
  const now = runtime.clock.now()
  const signed_in = await runtime.db.transact(async (tx) => {
    const taken = await takePasskey(tx, runtime, {
      party,
      purpose: signInOf(app, secret),
      response,
      lock: (credential_id) => store.lockPasskey(tx, of_app, credential_id),
      ownerOf: ({ user_id }) => user_id,
    })
    if (!taken) return null
    const { id, user_id } = taken.known
    await store.setPasskeyUsed(tx, { ...of_app, id }, { ...taken.used, used_at: now })
    const user = await admitUser(tx, { ...of_app, id: user_id, now })
    return user ? open(tx, runtime, user) : null
  })
  if (!signed_in)
    throw refused('This passkey does not work here. Try again, or sign in another way.')
  return signed_in
}

/** Options for adding a passkey; null where browsers offer none. */
export async function askForNewPasskey(
  runtime: Runtime,
  { app, origin }: PasskeyPlace,
  { session, service }: { session: Session; service: string },
): Promise<PasskeyOptions | null> {
  requireMethod(app, 'passkey')
  const party = toRelyingParty(origin)
  if (!party) return null
  const { user } = session
  const known = await store.listPasskeys(runtime.db, { ...keyOf(app), user_id: user.id })
  return createPasskeyOptions(runtime, {
    party,
    service,
    user,
    purpose: addingOf(app, session),
    known,
  })
}

interface NewPasskey extends MailVoice {
  session: Session
  name: string
  response: string
}

export async function addPasskey(
  runtime: Runtime,
  { app, origin }: PasskeyPlace,
  { session, name, response, ...voice }: NewPasskey,
): Promise<void> {
  requireMethod(app, 'passkey')
  requireFresh(session)
  if (!isPasskeyName(name)) {
    const most = limits.passkey_name_characters_max
    throw refused(`A passkey needs a name of at most ${most} characters.`, '/name')
  }
  const purpose = addingOf(app, session)
  const read = await readNewPasskey(runtime, { party: requireParty(origin), purpose, response })
  if (!read) throw notAdded()
  const of_user = { ...keyOf(app), user_id: session.user.id }
  const now = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    if (!(await consumeChallenge(tx, read.challenge))) throw notAdded()
    // The lock of the user keeps the limit for requests at the same time.
    await requireStillOpen(tx, runtime, { ...keyOf(app), ...session })
    const known = await store.listPasskeys(tx, of_user)
    if (known.length >= limits.passkeys_max) throw tooMany()
    const row = { ...of_user, id: newId(runtime.clock), name: name.trim(), created_at: now }
    if (!(await store.insertPasskey(tx, { ...row, ...read.credential }))) throw notAdded()
    await mailNotice(tx, runtime, {
      project_id: app.project_id,
      to: session.user.email,
      about: 'passkey',
      ...voice,
    })
  })
}

export async function listPasskeys(
  runtime: Runtime,
  app: ServedApp,
  { user }: Session,
): Promise<PasskeyFacts[]> {
  const rows = await store.listPasskeys(runtime.db, { ...keyOf(app), user_id: user.id })
  return rows.map(({ id, name, created_at, used_at }) => ({
    id,
    name,
    created_at: created_at.toISOString(),
    used_at: used_at?.toISOString() ?? null,
  }))
}

/** Removing one ends the other sessions, because another person may have the lost device. */
export async function removePasskey(
  runtime: Runtime,
  app: ServedApp,
  { session, id }: { session: Session; id: string },
): Promise<void> {
  requireFresh(session)
  const of_user = { ...keyOf(app), user_id: session.user.id }
  const is_gone = await runtime.db.transact(async (tx) => {
    // Locks the passkey before the user, as signing in does.
    const is_deleted = isUuid(id) && (await store.deletePasskey(tx, { ...of_user, id }))
    await requireStillOpen(tx, runtime, { ...keyOf(app), ...session })
    if (!is_deleted) return false
    await deleteSessions(tx, of_user, { user_id: of_user.user_id, but: session.hash })
    return true
  })
  if (!is_gone) throw new Problem('not_found', 'You have no such passkey.')
}

function requireParty(origin: string): RelyingParty {
  const party = toRelyingParty(origin)
  if (party) return party
  throw refused('Passkeys need an https address with a host name, which this site lacks.')
}

function refused(user_message: string, path = '/response'): Problem {
  const errors = [{ path, message: user_message }]
  return new Problem('validation_failed', user_message, { errors, user_message })
}

function notAdded(): Problem {
  return refused('The passkey could not be added, or the page was open too long. Try again.')
}

function tooMany(): Problem {
  const user_message = `You have ${limits.passkeys_max} passkeys, which is the maximum. Remove one first.`
  return new Problem('conflict', user_message, { user_message })
}
