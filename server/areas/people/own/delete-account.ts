/** Deletes the account of the signed-in person. Their projects stay with their other owners. */
import { Problem } from '../../../contract/errors.ts'
import type { PersonCaller } from '../../../contract/people.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as projects from '../../projects/service.ts'
import { lockPerson } from '../account-store.ts'
import { sendAccountNotice } from '../jobs.ts'
import { deleteSignInsOf } from '../sign-in/sign-in-store.ts'
import { deleteSignUpInvitationTo } from '../sign-up/sign-up-store.ts'
import { findLanguage } from '../store.ts'
import { listMembers, listMemberships } from '../team/team-store.ts'
import { deleteInvitationsTo, deleteLinksOf, deleteMemberships, deletePerson } from './own-store.ts'

type Own = Pick<PersonCaller, 'runtime' | 'person'>

export async function deleteAccount(
  { runtime, person }: Own,
  confirm: string | undefined,
): Promise<void> {
  const { id, email } = person
  if (confirm?.trim().toLowerCase() !== email) throw unconfirmed(email)
  await runtime.db.transact(async (tx) => {
    await deleteSignUpInvitationTo(tx, email)
    await lockPerson(tx, id)
    const language = await findLanguage(tx, id)
    await leaveProjects(tx, person)
    await deleteMemberships(tx, id)
    await deleteInvitationsTo(tx, email)
    await deleteSignInsOf(tx, { realm: 'portal', email })
    await deleteLinksOf(tx, { realm: 'portal', email })
    await deletePerson(tx, id)
    const reference = newId(runtime.clock)
    const payload = { email, what: 'account_deleted', reference, language } as const
    await enqueue(tx, runtime, sendAccountNotice, { project_id: null, payload })
  })
}

/**
 * Refuses while a project has no other owner. Locks the projects, so that no other owner leaves
 * until the transaction ends.
 */
async function leaveProjects(tx: Transaction, { id, email }: Own['person']): Promise<void> {
  const alone: string[] = []
  for (const { project, role } of await listMemberships(tx, id)) {
    await projects.findLocked(tx, project.id)
    const members = await listMembers(tx, project.id)
    const other = members.find((one) => one.role === 'owner' && one.person_id !== id)
    if (other === undefined && role === 'owner') alone.push(project.name)
    else if (other !== undefined && project.owner_email?.toLowerCase() === email) {
      await projects.setOwnerEmail(tx, { project_id: project.id, owner_email: other.email })
    }
  }
  if (alone.length > 0) throw lastOwner(alone)
}

function lastOwner(names: readonly string[]): Problem {
  const listed = names.map((name) => JSON.stringify(name)).join(', ')
  const user_message = `You are the only owner of ${listed}.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Make another member an owner of each, or delete the project. Then try again.',
  })
}

function unconfirmed(email: string): Problem {
  return new Problem('confirmation_required', 'The account would be gone for good.', {
    user_message: `Type your email address, ${email}, to delete your account.`,
    next_step: 'Send the request again with the email address in the parameter confirm.',
  })
}
