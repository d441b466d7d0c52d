/**
 * Creating an account: the address and the terms, then a code by mail or the link of an invitation.
 * Each address gets the same replies; whether it may have an account is decided in the job that mails
 * the code. The account is created when the address is proven.
 */
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { acceptLinkProof, startSignIn, type SignInResult } from '../sign-in/proofs.ts'
import { isSessionSecret, type Device } from '../sign-in/sessions.ts'
import { enqueueCode } from '../sign-in/sign-in.ts'
import { findPerson } from '../store.ts'
import * as store from './sign-up-store.ts'
import { findTerms } from './terms.ts'

interface SignUpStart {
  email: string
  device: Device
  /** The invitation whose link was opened; null without one. */
  invitation: store.SignUpInvitationRow | null
}

/**
 * Starts a sign-up whose terms were accepted, and asks for a code. Returns the secret for its cookie.
 */
export function beginSignUp(
  runtime: Runtime,
  { email, device, invitation, delay_s }: SignUpStart & { delay_s: number },
): Promise<string> {
  return runtime.db.transact(async (tx) => {
    const facts = { realm: 'portal', email, is_sign_up: true } as const
    const terms_version = findTerms(runtime).version
    const invitation_id = invitation?.id ?? null
    const begun = await startSignIn(tx, runtime, { ...facts, terms_version, invitation_id })
    await enqueueCode(tx, runtime, { id: begun.id, language: device.language, delay_s })
    return begun.secret
  })
}

/** Returns the open invitation of a link; null if it is unknown, used, withdrawn or expired. */
export async function findInvitation(
  runtime: Runtime,
  secret: string,
): Promise<store.SignUpInvitationRow | null> {
  if (runtime.config.sign_up.mode === 'closed' || !isSessionSecret(secret)) return null
  const key = { hash: sha256(secret), now: runtime.clock.now() }
  return (await store.findInvitation(runtime.db, key)) ?? null
}

/** Like `findInvitation`, but null if the invitation is to another address. */
export async function findInvitationFor(
  runtime: Runtime,
  { secret, email }: { secret: string; email: string },
): Promise<store.SignUpInvitationRow | null> {
  const found = await findInvitation(runtime, secret)
  return found?.email === null || found?.email === email ? found : null
}

interface InvitedStart {
  secret: string
  device: Device
}

/**
 * Creates the account of an invited address whose terms were accepted, and signs in. The link, which was
 * mailed to the address, proves it. An address that has an account already has to sign in another way:
 * the link is older than the account, so it would bypass its password. Returns null for other links.
 */
export async function signUpByInvitation(
  runtime: Runtime,
  { secret, device }: InvitedStart,
): Promise<SignInResult | { kind: 'has_account' } | null> {
  const found = await findInvitation(runtime, secret)
  const { id = '', email = null } = found ?? {}
  if (email === null) return null
  return runtime.db.transact(async (tx) => {
    if (!(await store.deleteInvitation(tx, id))) return null
    const address = { realm: 'portal', email } as const
    if (await findPerson(tx, address)) return { kind: 'has_account' }
    const terms_version = findTerms(runtime).version
    return acceptLinkProof(tx, runtime, { address, device, terms_version })
  })
}
