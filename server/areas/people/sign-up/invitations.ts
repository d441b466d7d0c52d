/** Invitations of the operator to create an account: to one address, or links for any address. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import { mailOf } from '../../../providers/mail/mail.ts'
import { readEmail } from '../person.ts'
import { addSeconds, createSecret } from '../sign-in/sessions.ts'
import { findPerson } from '../store.ts'
import { INVITATION_PURPOSE, sendSignUpInvitation } from './invitation-mail.ts'
import * as store from './sign-up-store.ts'

export interface SignUpInvitation {
  id: string
  /** null: any address may use the link. */
  email: string | null
  created_at: Date
  expires_at: Date
}

export interface NewSignUpInvitation extends SignUpInvitation {
  /** The link, which works once and is not stored. */
  url: string
  mailed: boolean
}

function toInvitationUrl(public_url: string, secret: string): string {
  return `${public_url}/portal/sign-up/invitation/${secret}`
}

/** Creates an invitation, and mails it if it is to an address. `public_url` is that of the link. */
export async function inviteToSignUp(
  runtime: Runtime,
  {
    email: written,
    language,
    public_url,
  }: {
    email: string | null
    language: MailLanguage
    public_url: string
  },
): Promise<NewSignUpInvitation> {
  const email = written === null ? null : readEmail(written)
  if (written !== null && email === null) throw invalidEmail()
  if (runtime.config.sign_up.mode === 'closed') throw closed()
  const secret = createSecret()
  const created_at = runtime.clock.now()
  const invitation = {
    id: newId(runtime.clock),
    email,
    created_at,
    expires_at: addSeconds(created_at, limits.sign_up_invitation_s),
  }
  const url = toInvitationUrl(public_url, secret)
  const mailed = email !== null && mailOf(runtime) !== null
  await runtime.db.transact(async (tx) => {
    if (email !== null && (await findPerson(tx, { realm: 'portal', email }))) throw known(email)
    if ((await store.countInvitations(tx, created_at)) >= limits.sign_up_invitations_max)
      throw full()
    await store.insertInvitation(tx, { ...invitation, hash: sha256(secret) })
    if (!mailed || email === null) return
    const sealed_url = runtime.seal.seal(url, INVITATION_PURPOSE).toString('base64')
    const payload = { id: invitation.id, email, language, sealed_url }
    await enqueue(tx, runtime, sendSignUpInvitation, { project_id: null, payload })
  })
  return { ...invitation, url, mailed }
}

export async function listSignUpInvitations(runtime: Runtime): Promise<SignUpInvitation[]> {
  const rows = await store.listInvitations(runtime.db, runtime.clock.now())
  return rows.map(({ id, email, created_at, expires_at }) => ({
    id,
    email,
    created_at,
    expires_at,
  }))
}

/** Returns false if the invitation is not open. */
export function withdrawSignUpInvitation(runtime: Runtime, id: string): Promise<boolean> {
  return runtime.db.transact((tx) => store.deleteInvitation(tx, id))
}

function invalidEmail(): Problem {
  const message = 'This is not an email address.'
  const errors = [{ path: '/email', message }]
  return new Problem('validation_failed', message, { errors, user_message: message })
}

function closed(): Problem {
  const user_message = 'This installation creates no accounts by invitation.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Set HOMEPORT_SIGNUP to invite or open, and restart the server.',
  })
}

function known(email: string): Problem {
  const user_message = `${email} has an account already.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'The person can sign in and create a project.',
  })
}

function full(): Problem {
  const user_message = `There are ${limits.sign_up_invitations_max} open invitations, which is the maximum.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Withdraw invitations that are no longer needed.',
  })
}
