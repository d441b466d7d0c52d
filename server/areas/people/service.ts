/**
 * Public interface of the area: people of a realm, sign-in, sessions and teams. A session cookie
 * authenticates a person; their membership defines their permissions in a project.
 */
import type { Database } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { MailLanguage } from '../../providers/mail/mail-contract.ts'
import { readEmail, type Person } from './person.ts'
import * as store from './store.ts'
import * as team from './team/team-store.ts'

export { isIdentityFresh } from './account.ts'
export { requireRoomToOwn } from './team/room-to-own.ts'
export { createLink, findLink, toLinkUrl, signInByLink } from './sign-in/links.ts'
export { resetSecondFactor } from './factors/reset-second-factor.ts'
export type { SignInResult } from './sign-in/proofs.ts'
export { createMemberCaller, hasRole, roles, listScopes } from './roles.ts'
export type { Role } from '../../contract/people.ts'
export { endSession, authenticateSession } from './sign-in/sessions.ts'
export { readEmail } from './person.ts'
export {
  beginConfirmation,
  beginSignIn,
  findSignIn,
  requestCode,
  verifyCode,
  verifySignInPassword,
  type SignInFacts,
} from './sign-in/sign-in.ts'
export { verifySecondFactor } from './factors/second-factor.ts'
export {
  createConfirmationOptions,
  createSignInOptions,
  confirmByPasskey,
  signInByPasskey,
} from './sign-in/passkey-sign-in.ts'
export { addPasskey, listPasskeys, newPasskeyOptions } from './factors/passkeys.ts'
export { setPassword } from './factors/password.ts'
export { createFirstProject } from './sign-up/first-project.ts'
export {
  inviteToSignUp,
  listSignUpInvitations,
  withdrawSignUpInvitation,
} from './sign-up/invitations.ts'
export {
  beginSignUp,
  findInvitation as findSignUpInvitation,
  findInvitationFor as findSignUpInvitationFor,
  signUpByInvitation,
} from './sign-up/sign-up.ts'
export { findTerms } from './sign-up/terms.ts'
export type { Device, SignedIn } from './sign-in/sessions.ts'
export {
  invite,
  listManagers,
  listTeam,
  type TeamInvitation,
  type ReceivedInvitation,
  type TeamMember,
  type MemberAccess,
} from './team/team.ts'
export { findLanguageOf, listOperators } from './store.ts'
export { TeamRefusal, type TeamRefusalKind } from './team/team-refusal.ts'
export type { Membership } from './team/team-store.ts'
export type { Person } from './person.ts'

export function listMemberships(db: Database, person: Person): Promise<team.Membership[]> {
  return team.listMemberships(db, person.id)
}

/** Makes a person an operator of the installation, or no longer. Returns false without an account. */
export function setOperator(
  runtime: Runtime,
  { email, is_operator }: { email: string; is_operator: boolean },
): Promise<boolean> {
  return runtime.db
    .transact((tx) => store.setOperator(tx, { realm: 'portal', email, is_operator }))
    .then((row) => row !== undefined)
}

/** Stores the language of a person, for pages and mails. */
export function setLanguage(
  runtime: Runtime,
  { person }: { person: Pick<Person, 'id'> },
  language: MailLanguage,
): Promise<void> {
  return runtime.db.transact((tx) => store.setLanguage(tx, { person_id: person.id, language }))
}

/** Returns the membership; null if the person has none or the project is deleted. */
export async function findMembership(
  db: Database,
  person: Pick<Person, 'id'>,
  project_id: string,
): Promise<team.Membership | null> {
  return (await team.findMembership(db, { project_id, person_id: person.id })) ?? null
}

/**
 * Makes the named owner a member of new projects. If the address has no account yet, this happens
 * at their first sign-in.
 */
export async function addOwner(runtime: Runtime, owner_email: string): Promise<void> {
  const email = readEmail(owner_email)
  if (email === null) return
  await runtime.db.transact(async (tx) => {
    const person = await store.findPerson(tx, { realm: 'portal', email })
    const now = runtime.clock.now()
    if (person) await team.claimProjects(tx, { person_id: person.id, email, now })
  })
}
