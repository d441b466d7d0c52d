/** Mails about accounts, and the deletion of expired rows. */
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { toPortalUrl } from '../../contract/manifest/portal-pages.ts'
import { job, reconciler } from '../../kernel/jobs/jobs.ts'
import { mailLanguages } from '../../providers/mail/mail-contract.ts'
import { mailOf } from '../../providers/mail/mail.ts'
import { sendMail } from '../../providers/mail/send-mail.ts'
import {
  noticeNames,
  writeAccountNotice,
  writeSignInCode,
  writeSignUpCode,
  writeTeamInvitation,
} from './mail-texts.ts'
import { macOfCode, createCode, formatCode } from './sign-in/codes.ts'
import { maySignIn } from './sign-in/may-sign-in.ts'
import { maySignUp } from './sign-up/admission.ts'
import { addSeconds, idleLimit } from './sign-in/sessions.ts'
import { findById, setCode } from './sign-in/sign-in-store.ts'
import { deleteExpired, findPerson } from './store.ts'

const FORGET_EVERY_S = 3600

/** Optional, because jobs of an earlier version have none. */
const Language = Type.Optional(Type.Enum([...mailLanguages]))

/**
 * Sends a sign-in code if the address has an account or an invitation. The check is in the job,
 * because a request's reply or duration would reveal who has an account.
 */
export const sendSignInCode = job({
  name: 'people.send_code',
  payload: Type.Object({ sign_in_id: Type.String(), language: Language }),
  retry_after_s: [2, 10, 60],
  async run({ runtime, payload: { sign_in_id, language = 'en' }, attempt }) {
    const now = runtime.clock.now()
    const sign_in = await findById(runtime.db, sign_in_id, now)
    if (mailOf(runtime) === null || !sign_in) return
    const code = createCode()
    const code_mac = macOfCode(runtime, sign_in.id, code)
    const code_expires_at = addSeconds(now, limits.sign_in_code_s)
    // An unknown address gets a code too, which is not sent, so that a wrong code takes the same
    // time to check.
    await runtime.db.transact((tx) =>
      setCode(tx, { id: sign_in.id, now, code_mac, code_expires_at }),
    )
    const person = await findPerson(runtime.db, sign_in)
    const may = sign_in.is_sign_up
      ? person !== undefined || (await maySignUp(runtime.db, runtime, sign_in))
      : await maySignIn(runtime.db, sign_in, now)
    if (!may) return
    const reference = `${sign_in.id}-${now.getTime()}-${attempt}`
    const shown = { code: formatCode(code), portal_url: `${runtime.config.public_url}/portal` }
    const words = sign_in.is_sign_up
      ? writeSignUpCode(language, { ...shown, has_account: person !== undefined })
      : writeSignInCode(language, shown)
    await sendMail(runtime, { to: sign_in.email, reference, ...words }, 'a sign-in code')
  },
})

/** Mails an invitation. The mail contains no credential: the person signs in to accept. */
export const sendInvitation = job({
  name: 'people.send_invitation',
  payload: Type.Object({
    id: Type.String(),
    email: Type.String(),
    project_name: Type.String(),
    invited_by: Type.Union([Type.String(), Type.Null()]),
  }),
  retry_after_s: [30, 300, 3600],
  async run({ runtime, payload: { id, email, project_name, invited_by } }) {
    const person = await findPerson(runtime.db, { realm: 'portal', email })
    const portal_url = `${runtime.config.public_url}/portal`
    const words = writeTeamInvitation(person?.language ?? 'en', {
      project_name,
      invited_by,
      portal_url,
    })
    const message = { to: email, reference: id, ...words }
    await sendMail(runtime, message, 'an invitation')
  },
})

/** Mails a person about a change of their sign-in methods, in case it was not their own. */
export const sendAccountNotice = job({
  name: 'people.send_notice',
  payload: Type.Object({
    email: Type.String(),
    what: Type.Enum([...noticeNames]),
    reference: Type.String(),
    language: Language,
  }),
  retry_after_s: [30, 300, 3600],
  async run({ runtime, payload: { email, what, reference, language } }) {
    const person = await findPerson(runtime.db, { realm: 'portal', email })
    const words = writeAccountNotice(
      language ?? person?.language ?? 'en',
      what,
      toPortalUrl(runtime.config, '/account'),
    )
    await sendMail(runtime, { to: email, reference, ...words }, 'an account')
  },
})

/** Deletion only frees space, because every use checks the expiry. */
export const deleteExpiredSignIns = reconciler({
  name: 'people.forget',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const now = clock.now()
    await db.transact((tx) => deleteExpired(tx, { now, idle_since: idleLimit(now) }))
  },
})
