/**
 * Signing in to an app by a code in an email, or by a password. Replies are the same for every address.
 * Codes and their tries are limited for each address under a lock; those of passwords are at the edge.
 */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { holdsUnderAnyKey, type MacKey } from '../../../kernel/secrets/crypto.ts'
import { hashPassword, verifyPassword } from '../../../kernel/secrets/passwords.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { findPasswordFault } from '../../credentials/service.ts'
import type { ServedApp } from '../store.ts'
import { mailCode, mailNotice, type MailVoice } from './mail.ts'
import {
  openSession,
  requireFresh,
  requireMethod,
  requireStillOpen,
  type Session,
  type SignedInUser,
} from './sessions.ts'
import * as store from './user-store.ts'

const CODE_S = 600
const TRIES_MAX = 5
const PAUSE_MS = 30_000
const DAY_MS = 86_400_000
const DIGITS = 6

/** `is_known`: the address signed in with this browser before. It has codes and tries beyond those of strangers. */
interface FromBrowser {
  email: string
  is_known: boolean
}

const mostOf = (strangers: number, { is_known }: FromBrowser) => strangers * (is_known ? 2 : 1)

export type CodeRequest = FromBrowser & MailVoice

/** Mails a code. Does nothing for a blocked user, or within 30 s after the last code. */
export async function requestCode(
  runtime: Runtime,
  app: ServedApp,
  { email: asked, is_known, ...voice }: CodeRequest,
): Promise<void> {
  const given = { email: asked, is_known }
  const email = readEmail(asked)
  const of_app = { project_id: app.project_id, app_id: app.id }
  const now = runtime.clock.now()
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  await runtime.db.transact(async (tx) => {
    await store.lockEmail(tx, of_app, email)
    const known = await store.findCode(tx, of_app, email)
    const age_ms = known ? now.getTime() - known.sent_at.getTime() : DAY_MS
    const sent_today = known && age_ms < DAY_MS ? known.sent_today : 0
    const most = mostOf(limits.app_codes_per_day_max, given)
    if (age_ms < PAUSE_MS || sent_today >= most) return
    const user = await store.findUser(tx, of_app, { email })
    if (user?.blocked_at) return
    await store.putCode(tx, {
      ...of_app,
      email,
      hash: macOf(runtime.seal, [app.id, email, code]),
      tries: 0,
      sent_at: now,
      sent_today: sent_today + 1,
      expires_at: new Date(now.getTime() + CODE_S * 1000),
    })
    await mailCode(tx, runtime, { project_id: app.project_id, to: email, code, ...voice })
  })
}

function macOf(key: MacKey, parts: readonly string[]): Buffer {
  return key.mac(parts.join(' '), 'apps.sign_in_code')
}

export interface SignIn {
  user: SignedInUser
  /** The Set-Cookie header of the session. */
  cookie: string
}

/** Creates the user at the first sign-in. Throws a Problem for a wrong or used code. */
export async function signInByCode(
  runtime: Runtime,
  app: ServedApp,
  given: FromBrowser & { code: string },
): Promise<SignIn> {
  const email = readEmail(given.email)
  const of_app = { project_id: app.project_id, app_id: app.id }
  const now = runtime.clock.now()
  const signed_in = await runtime.db.transact(async (tx) => {
    await store.lockEmail(tx, of_app, email)
    const known = await store.findCode(tx, of_app, email)
    if (!known || known.expires_at <= now || known.tries >= mostOf(TRIES_MAX, given)) return null
    await store.putCode(tx, { ...known, tries: known.tries + 1 })
    const code = given.code.replaceAll(/\D/g, '')
    const isRight = (key: MacKey) => timingSafeEqual(macOf(key, [app.id, email, code]), known.hash)
    if (!holdsUnderAnyKey(runtime.seal, isRight)) return null
    const user = await store.putUser(tx, { ...of_app, id: newId(runtime.clock), email, now })
    if (user.blocked_at) return null
    await store.putCode(tx, { ...known, expires_at: now })
    return open(tx, runtime, user)
  })
  if (!signed_in) throw wrongCode()
  return signed_in
}

/** Throws the same Problem for a wrong password and for an address without one. */
export async function signInByPassword(
  runtime: Runtime,
  app: ServedApp,
  { password, ...given }: { email: string; password: string },
): Promise<SignIn> {
  requireMethod(app, 'password')
  const email = readEmail(given.email)
  const of_app = { project_id: app.project_id, app_id: app.id }
  if (password.length > limits.password_characters_max) throw wrongPassword()
  const user = await store.findUser(runtime.db, of_app, { email })
  const hash = user?.password_hash ?? null
  const is_right = await verifyPassword(password, hash, { room: 'sites', id: app.project_id })
  if (!user || !is_right) throw wrongPassword()
  const signed_in = await runtime.db.transact(async (tx) => {
    const now = runtime.clock.now()
    const admitted = await store.admitUser(tx, { ...of_app, id: user.id, now })
    // Refuses a password that was changed during the verification.
    return admitted?.password_hash === hash ? open(tx, runtime, admitted) : null
  })
  if (!signed_in) throw wrongPassword()
  return signed_in
}

/** Opens the session of a user who has proven who they are. */
export async function open(
  tx: Transaction,
  runtime: Runtime,
  { project_id, app_id, id, email }: store.UserRow,
): Promise<SignIn> {
  const cookie = await openSession(tx, runtime, { project_id, app_id, user_id: id })
  return { user: { id, email }, cookie }
}

/** Sets the password of a signed-in user, and ends their other sessions. */
export async function setPassword(
  runtime: Runtime,
  app: ServedApp,
  { session, password, ...voice }: MailVoice & { session: Session; password: string },
): Promise<void> {
  requireMethod(app, 'password')
  requireFresh(session)
  const { id, email } = session.user
  const fault = findPasswordFault(password, email, voice.language)
  if (fault !== null) {
    const errors = [{ path: '/password', message: fault }]
    throw new Problem('validation_failed', fault, { errors, user_message: fault })
  }
  const password_hash = await hashPassword(password, { room: 'sites', id: app.project_id })
  const of_app = { project_id: app.project_id, app_id: app.id }
  await runtime.db.transact(async (tx) => {
    await requireStillOpen(tx, runtime, { ...of_app, ...session })
    await store.setPassword(tx, { ...of_app, id, password_hash })
    await store.deleteSessions(tx, of_app, { user_id: id, but: session.hash })
    await mailNotice(tx, runtime, {
      project_id: app.project_id,
      to: email,
      about: 'password',
      ...voice,
    })
  })
}

const address = /^[^\s<>()[\]\\,;:"@\p{C}]+@[^\s<>()[\]\\,;:"@\p{C}]+$/u

function readEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length <= 254 && address.test(email) && email.split('@')[1]!.includes('.')) return email
  const errors = [{ path: '/email', message: 'is not an email address' }]
  throw new Problem('validation_failed', 'This is not an email address.', {
    errors,
    user_message: 'Please enter an email address.',
  })
}

function wrongCode(): Problem {
  const errors = [{ path: '/code', message: 'is wrong, used or older than ten minutes' }]
  return new Problem('validation_failed', 'The code is wrong, used or too old.', {
    errors,
    user_message: 'This code does not work. Ask for a new one.',
  })
}

function wrongPassword(): Problem {
  const errors = [{ path: '/password', message: 'is wrong, or the address has no password' }]
  return new Problem('validation_failed', 'The email address or the password is wrong.', {
    errors,
    user_message:
      'The email address or the password is wrong. You can also ask for a code by email.',
  })
}
