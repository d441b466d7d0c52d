/**
 * Signing in to an app by a code in an email. The answer to a request for a code is the same for every
 * address. Codes and tries are limited for each address under a lock.
 */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { holdsUnderAnyKey, type MacKey } from '../../../kernel/secrets/crypto.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  joinParagraphs,
  shortName,
  type MailLanguage,
} from '../../../providers/mail/mail-contract.ts'
import { MAIL_RETRY_S, sendMail, writtenMail } from '../../../providers/mail/send-mail.ts'
import type { ServedApp } from '../store.ts'
import { openSession, type SignedInUser } from './sessions.ts'
import * as store from './user-store.ts'

const CODE_S = 600
const TRIES_MAX = 5
const PAUSE_MS = 30_000
const DAY_MS = 86_400_000
const DIGITS = 6

export const sendSignInCode = job({
  name: 'apps.send_code',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S.slice(0, 3),
  run: ({ runtime, payload }) => sendMail(runtime, payload, 'signing in to an app'),
})

export interface CodeRequest {
  email: string
  /** The name of the site in the mail. */
  place: string
  language: MailLanguage
}

/** Mails a code. Does nothing for a blocked user, or within 30 s after the last code. */
export async function requestCode(
  runtime: Runtime,
  app: ServedApp,
  { email: given, place, language }: CodeRequest,
): Promise<void> {
  const email = readEmail(given)
  const of_app = { project_id: app.project_id, app_id: app.id }
  const now = runtime.clock.now()
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  await runtime.db.transact(async (tx) => {
    await store.lockEmail(tx, of_app, email)
    const known = await store.findCode(tx, of_app, email)
    const age_ms = known ? now.getTime() - known.sent_at.getTime() : DAY_MS
    const sent_today = known && age_ms < DAY_MS ? known.sent_today : 0
    if (age_ms < PAUSE_MS || sent_today >= limits.app_codes_per_day_max) return
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
    const payload = {
      reference: newId(runtime.clock),
      to: email,
      ...writeMail(code, place, language),
      language,
      links: [],
    }
    await enqueue(tx, runtime, sendSignInCode, { project_id: app.project_id, payload })
  })
}

function macOf(key: MacKey, parts: readonly string[]): Buffer {
  return key.mac(parts.join(' '), 'apps.sign_in_code')
}

function writeMail(code: string, site: string, language: MailLanguage) {
  const place = shortName(site)
  if (language === 'nl') {
    return {
      subject: `${code} is uw code voor ${place}`,
      text: joinParagraphs([
        `Uw code om in te loggen bij ${place} is ${code}. Hij werkt tien minuten.`,
        'Hebt u hier niet om gevraagd, dan hoeft u niets te doen.',
      ]),
    }
  }
  return {
    subject: `${code} is your code for ${place}`,
    text: joinParagraphs([
      `Your code to sign in to ${place} is ${code}. It works for ten minutes.`,
      'If you did not ask for it, you need not do anything.',
    ]),
  }
}

/** Returns the user and the cookie of the session. Throws a Problem for a wrong or used code. */
export async function signIn(
  runtime: Runtime,
  app: ServedApp,
  given: { email: string; code: string },
): Promise<{ user: SignedInUser; cookie: string }> {
  const email = readEmail(given.email)
  const of_app = { project_id: app.project_id, app_id: app.id }
  const now = runtime.clock.now()
  const signed_in = await runtime.db.transact(async (tx) => {
    await store.lockEmail(tx, of_app, email)
    const known = await store.findCode(tx, of_app, email)
    if (!known || known.expires_at <= now || known.tries >= TRIES_MAX) return null
    await store.putCode(tx, { ...known, tries: known.tries + 1 })
    const code = given.code.replaceAll(/\D/g, '')
    const isRight = (key: MacKey) => timingSafeEqual(macOf(key, [app.id, email, code]), known.hash)
    if (!holdsUnderAnyKey(runtime.seal, isRight)) return null
    const user = await store.putUser(tx, { ...of_app, id: newId(runtime.clock), email, now })
    if (user.blocked_at) return null
    await store.putCode(tx, { ...known, tries: TRIES_MAX })
    const cookie = await openSession(tx, runtime, { ...of_app, user_id: user.id })
    return { user: { id: user.id, email: user.email }, cookie }
  })
  if (!signed_in) throw wrongCode()
  return signed_in
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
