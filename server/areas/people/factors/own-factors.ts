/** The portal API for a person's passkeys, authenticator app and recovery codes. */
import { renderSVG } from 'uqr'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { PersonCaller } from '../../../contract/people.ts'
import type { PasskeyOptions } from '../../credentials/service.ts'
import { findPersonAndSession } from '../account-store.ts'
import {
  addPasskey,
  hasPasskeys,
  listPasskeys,
  newPasskeyOptions,
  removePasskey,
  renamePasskey,
  type NewPasskey,
  type PasskeyFacts,
  type PasskeyFault,
} from './passkeys.ts'
import { createConfirmationOptions } from '../sign-in/passkey-sign-in.ts'
import type { ConfirmationWays, Passkey } from './schema-factors.ts'
import { confirmTotp, removeTotp, renewRecoveryCodes, setUpTotp } from './second-factor.ts'

type Own = Pick<PersonCaller, 'runtime' | 'db' | 'person' | 'session_id'>

const QR_BORDER = 2

/** The ways in which a signed-in person can confirm their identity. */
export async function showConfirmationWays(caller: Own): Promise<ConfirmationWays> {
  const { runtime, db, person, session_id } = caller
  const found = await findPersonAndSession(db, { person_id: person.id, session_id })
  const question = await createConfirmationOptions(runtime, 'portal', caller)
  const { provider } = runtime.config.mail
  return {
    password: found !== undefined && found.password_hash !== null,
    mail_code: provider !== 'none',
    passkey: question && { origin: question.origin, options: { ...question.options } },
    mail_url: provider === 'log' ? '/dev/mail' : null,
  }
}

export async function listOwnPasskeys(caller: Own) {
  const rows = await listPasskeys(caller.db, caller)
  return { data: rows.map(presentPasskey), available: hasPasskeys(caller.runtime) }
}

function presentPasskey({ id, name, synced, created_at, used_at }: PasskeyFacts): Passkey {
  const times = {
    created_at: created_at.toISOString(),
    used_at: used_at?.toISOString() ?? null,
  }
  return { id, name, synced, ...times }
}

export async function askForPasskey(caller: Own) {
  const question: PasskeyOptions | null = await newPasskeyOptions(caller.runtime, caller)
  if (question) return { origin: question.origin, options: { ...question.options } }
  const user_message = 'Passkeys need an https address with a host name, which this server lacks.'
  throw new Problem('conflict', user_message, {
    user_message,
    next_step: 'Ask the operator of this installation to set HOMEPORT_PUBLIC_URL.',
  })
}

const passkeyFaults: Readonly<Record<PasskeyFault, string>> = {
  name: `A passkey needs a name of at most ${limits.passkey_name_characters_max} characters.`,
  answer: 'The passkey could not be added, or the page was open too long. Try again.',
  known: 'This passkey is already registered.',
  too_many: `You have ${limits.passkeys_max} passkeys, which is the maximum. Remove one first.`,
}

export async function addOwnPasskey(caller: Own, given: NewPasskey): Promise<void> {
  const refused = await addPasskey(caller.runtime, caller, given)
  if (refused === null) return
  const { fault } = refused
  const user_message = passkeyFaults[fault]
  if (fault === 'known' || fault === 'too_many') {
    throw new Problem('conflict', user_message, { user_message })
  }
  throw invalid(fault === 'name' ? '/name' : '/response', user_message)
}

export async function renameOwnPasskey(
  caller: Own,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const fault = await renamePasskey(caller.runtime, caller, { id, name })
  if (fault === 'name') throw invalid('/name', passkeyFaults.name)
  const rows = await listPasskeys(caller.db, caller)
  const row = rows.find((one) => one.id === id.toLowerCase())
  if (fault !== null || !row) throw missing()
  return presentPasskey(row)
}

export async function removeOwnPasskey(caller: Own, id: string): Promise<void> {
  const fault = await removePasskey(caller.runtime, caller, id.toLowerCase())
  if (fault === null) return
  if (fault === 'missing') throw missing()
  const user_message = 'This is your only way to sign in.'
  throw new Problem('conflict', user_message, {
    user_message,
    next_step: 'Save a password or add another passkey first.',
  })
}

function missing(): Problem {
  const user_message = 'You have no such passkey.'
  return new Problem('not_found', user_message, { user_message })
}

function invalid(path: string, message: string): Problem {
  const errors = [{ path, message }]
  return new Problem('validation_failed', message, { errors, user_message: message })
}

export async function beginOwnTotp(caller: Own) {
  if (await hasTotp(caller)) throw alreadySetUp()
  const setup = setUpTotp(caller.runtime, caller)
  const picture = Buffer.from(renderSVG(setup.url, { border: QR_BORDER })).toString('base64')
  return { ...setup, qr: `data:image/svg+xml;base64,${picture}` }
}

export async function confirmOwnTotp(
  caller: Own,
  given: { sealed: string; code: string },
): Promise<{ recovery_codes: string[] }> {
  if (await hasTotp(caller)) throw alreadySetUp()
  const recovery_codes = await confirmTotp(caller.runtime, caller, given)
  if (recovery_codes === null) throw invalid('/code', 'The code is wrong. Try the next one.')
  return { recovery_codes }
}

export function removeOwnTotp({ runtime, person }: Own): Promise<void> {
  return removeTotp(runtime, { person })
}

export async function renewOwnCodes(caller: Own): Promise<{ recovery_codes: string[] }> {
  if (await hasTotp(caller)) {
    return { recovery_codes: await renewRecoveryCodes(caller.runtime, caller) }
  }
  const user_message = 'Recovery codes belong to an authenticator app, and you have none.'
  throw new Problem('conflict', user_message, { user_message })
}

async function hasTotp({ db, person, session_id }: Own): Promise<boolean> {
  const found = await findPersonAndSession(db, { person_id: person.id, session_id })
  return found !== undefined && found.totp_since !== null
}

function alreadySetUp(): Problem {
  const user_message = 'You have an authenticator app. Remove it first to set up another.'
  return new Problem('conflict', user_message, { user_message })
}
