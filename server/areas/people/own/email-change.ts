/**
 * A new email address for an account: a code by mail proves the new address, and a notice goes to the
 * old one. The code is computed from the request and a key of the service, so nothing is stored until
 * it is right. Only the mail to the new address contains it.
 */
import { timingSafeEqual } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { PersonCaller } from '../../../contract/people.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { createSlidingWindow, type SlidingWindow } from '../../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { holdsUnderAnyKey } from '../../../kernel/secrets/crypto.ts'
import { firstIdAt, newId } from '../../../kernel/values/ids.ts'
import { mailOf } from '../../../providers/mail/mail.ts'
import * as projects from '../../projects/service.ts'
import { lockPerson } from '../account-store.ts'
import { sendAccountNotice } from '../jobs.ts'
import { readEmail } from '../person.ts'
import { macOfCode } from '../sign-in/codes.ts'
import { addSeconds } from '../sign-in/sessions.ts'
import { deleteSignInsOf } from '../sign-in/sign-in-store.ts'
import { deleteSignUpInvitationTo } from '../sign-up/sign-up-store.ts'
import * as store from '../store.ts'
import { emailCodeOf } from './email-code.ts'
import { sendEmailCode } from './email-jobs.ts'
import { deleteLinksOf, listOwnedIds, setEmail } from './own-store.ts'
import type { EmailChange, EmailProof } from './schema-own.ts'

type Own = Pick<PersonCaller, 'runtime' | 'db' | 'person' | 'session_id'>

const HOUR_MS = 3_600_000

interface Windows {
  codes: SlidingWindow
  tries: SlidingWindow
}

const windowsOf = new WeakMap<Runtime, Windows>()

function findWindows(runtime: Runtime): Windows {
  const { clock } = runtime
  const known = windowsOf.get(runtime) ?? {
    codes: createSlidingWindow(clock, {
      limit: limits.sign_in_codes_per_hour_max,
      window_ms: HOUR_MS,
    }),
    tries: createSlidingWindow(clock, {
      limit: limits.sign_in_code_tries_max,
      window_ms: limits.sign_in_code_s * 1000,
    }),
  }
  windowsOf.set(runtime, known)
  return known
}

function requireRate(window: SlidingWindow, person_id: string): void {
  const { allowed, retry_after_s } = window.pass(person_id)
  if (allowed) return
  const minutes = Math.ceil(retry_after_s / 60)
  const user_message = `These were too many attempts. Try again in ${minutes} min.`
  throw new Problem('rate_limited', user_message, { retry_after_s, user_message })
}

/** Sends a code to the new address, whether or not it has an account. */
export async function askEmailChange(
  { runtime, person }: Own,
  { email: written }: { email: string },
): Promise<EmailChange> {
  const email = readEmail(written)
  if (email === null) throw invalid('/email', 'This is not an email address.')
  if (email === person.email) throw invalid('/email', 'This is your email address already.')
  if (mailOf(runtime) === null) throw noMail()
  requireRate(findWindows(runtime).codes, person.id)
  const id = newId(runtime.clock)
  await runtime.db.transact((tx) => {
    const payload = { id, person_id: person.id, email }
    return enqueue(tx, runtime, sendEmailCode, { project_id: null, payload })
  })
  const expires_at = addSeconds(runtime.clock.now(), limits.sign_in_code_s).toISOString()
  return { id, email, expires_at }
}

/** Changes the address if the code is right. Ends all other sessions and unfinished sign-ins. */
export async function confirmEmailChange(caller: Own, proof: EmailProof): Promise<void> {
  const { runtime, person, session_id } = caller
  const email = readEmail(proof.email)
  requireRate(findWindows(runtime).tries, person.id)
  if (email === null || !isRightCode(caller, { ...proof, email })) {
    throw invalid('/code', 'The code is wrong or has expired.')
  }
  await runtime.db.transact(async (tx) => {
    for (const address of [person.email, email].toSorted()) {
      await deleteSignUpInvitationTo(tx, address)
    }
    await lockPerson(tx, person.id)
    const language = await store.findLanguage(tx, person.id)
    if (await store.findPerson(tx, { realm: 'portal', email })) throw taken()
    await setEmail(tx, { person_id: person.id, email })
    await store.endOtherSessions(tx, { person_id: person.id, keep_id: session_id })
    for (const address of [person.email, email]) {
      await deleteSignInsOf(tx, { realm: 'portal', email: address })
      await deleteLinksOf(tx, { realm: 'portal', email: address })
    }
    const ids = await listOwnedIds(tx, person.id)
    await projects.replaceOwnerEmail(tx, { ids, before: person.email, after: email })
    const reference = newId(runtime.clock)
    const payload = { email: person.email, what: 'email_changed', reference, language } as const
    await enqueue(tx, runtime, sendAccountNotice, { project_id: null, payload })
  })
}

function isRightCode({ runtime, person }: Own, { id, email, code }: EmailProof): boolean {
  const now_ms = runtime.clock.now_ms()
  const oldest = firstIdAt(now_ms - limits.sign_in_code_s * 1000)
  if (id.toLowerCase() < oldest || id.toLowerCase() > firstIdAt(now_ms + 1000)) return false
  const request = { id: id.toLowerCase(), person_id: person.id, email }
  const macOf = (text: string) => macOfCode(runtime, request.id, text)
  return holdsUnderAnyKey(runtime.seal, (key) =>
    timingSafeEqual(macOf(code), macOf(emailCodeOf(key, request))),
  )
}

function invalid(path: string, message: string): Problem {
  const errors = [{ path, message }]
  return new Problem('validation_failed', message, { errors, user_message: message })
}

function noMail(): Problem {
  const user_message = 'This server sends no mail, so a new address cannot be confirmed.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Ask the operator of this installation to configure HOMEPORT_MAIL.',
  })
}

function taken(): Problem {
  const user_message = 'This address has an account of its own.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Delete that account first, or use another address.',
  })
}
