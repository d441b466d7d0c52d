/** Mails about accounts, and the deletion of expired rows. */
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { job, reconciler } from '../../kernel/jobs/jobs.ts'
import { toOneLine } from '../../providers/mail/mail-contract.ts'
import { mailOf } from '../../providers/mail/mail.ts'
import { sendMail } from '../../providers/mail/send-mail.ts'
import { macOfCode, createCode, formatCode } from './sign-in/codes.ts'
import { maySignIn } from './sign-in/may-sign-in.ts'
import { addSeconds, idleLimit } from './sign-in/sessions.ts'
import { findById, setCode } from './sign-in/sign-in-store.ts'
import { deleteExpired } from './store.ts'

const FORGET_EVERY_S = 3600

/**
 * Sends a sign-in code if the address has an account or an invitation. The check is in the job,
 * because a request's reply or duration would reveal who has an account.
 */
export const sendSignInCode = job({
  name: 'people.send_code',
  payload: Type.Object({ sign_in_id: Type.String() }),
  retry_after_s: [2, 10, 60],
  async run({ runtime, payload: { sign_in_id }, attempt }) {
    const now = runtime.clock.now()
    const sign_in = await findById(runtime.db, sign_in_id, now)
    if (mailOf(runtime) === null || !sign_in) return
    const code = createCode()
    const code_mac = macOfCode(runtime, sign_in.id, code)
    const code_expires_at = addSeconds(now, limits.sign_in_code_s)
    // An unknown address gets a code too, which is not sent, so that a wrong code takes the same
    // time to check.
    await runtime.db.transact((tx) => setCode(tx, { id: sign_in.id, code_mac, code_expires_at }))
    if (!(await maySignIn(runtime.db, sign_in, now))) return
    const reference = `${sign_in.id}-${now.getTime()}-${attempt}`
    const words = writeCode(code, runtime.config.public_url)
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
    const name = [...toOneLine(project_name)].slice(0, 100).join('')
    const text = [
      `${invited_by ?? 'The operator'} invites you to the project "${name}".`,
      `Sign in with this address to accept or decline:\n${runtime.config.public_url}/portal`,
      'If you do not know what this is about, do nothing. The invitation ends in a week.',
    ]
    const subject = `You are invited to ${name}`
    const message = { to: email, reference: id, subject, text: `${text.join('\n\n')}\n` }
    await sendMail(runtime, message, 'an invitation')
  },
})

const notices = {
  passkey_added: [
    'A passkey was added to your account',
    'A passkey was added to your account. Anyone who holds it can sign in as you.',
    'If it was not you, sign in now, remove it on your account page and change your password.',
  ],
  second_factor_reset: [
    'Your second factor was reset',
    'The operator of this installation removed your authenticator app, recovery codes and passkeys, and signed you out everywhere.',
    'Sign in and set them up again. If you did not ask for this, contact the operator now.',
  ],
} as const

/** Mails a person about a change of their sign-in methods, in case it was not their own. */
export const sendAccountNotice = job({
  name: 'people.send_notice',
  payload: Type.Object({
    email: Type.String(),
    what: Type.Enum(['passkey_added', 'second_factor_reset']),
    reference: Type.String(),
  }),
  retry_after_s: [30, 300, 3600],
  async run({ runtime, payload: { email, what, reference } }) {
    const [subject, ...sentences] = notices[what]
    const text = [...sentences, `${runtime.config.public_url}/portal/account`].join('\n\n')
    await sendMail(runtime, { to: email, reference, subject, text: `${text}\n` }, 'an account')
  },
})

function writeCode(code: string, public_url: string): { subject: string; text: string } {
  const minutes = limits.sign_in_code_s / 60
  return {
    subject: `${formatCode(code)} is your code to sign in`,
    text: [
      `Your code for ${public_url}/portal is:`,
      formatCode(code),
      `It works for ${minutes} minutes, once, and only in the browser that asked for it.`,
      'If you did not ask for it, do nothing: nobody can sign in without the code. Do not share it.',
    ]
      .join('\n\n')
      .concat('\n'),
  }
}

/** Deletion only frees space, because every use checks the expiry. */
export const deleteExpiredSignIns = reconciler({
  name: 'people.forget',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const now = clock.now()
    await db.transact((tx) => deleteExpired(tx, { now, idle_since: idleLimit(now) }))
  },
})
