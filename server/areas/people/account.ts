/** The portal API for a person's own data. */
import type { MemberCaller, PersonCaller } from '../../contract/people.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import * as projects from '../projects/service.ts'
import { countOwned, findPersonAndSession, lockPerson } from './account-store.ts'
import { present } from './person.ts'
import type { Me, OwnProject, PersonSession } from './schema.ts'
import { findPasswordFault, setPassword } from './factors/password.ts'
import { addSeconds, endSession, listSessions } from './sign-in/sessions.ts'
import { answerInvitation, listInvitationsTo, type ReceivedInvitation } from './team/team.ts'
import { TeamRefusal } from './team/team-refusal.ts'
import {
  findMembership,
  insertMember,
  listMemberships,
  type Membership,
} from './team/team-store.ts'

type Own = Pick<PersonCaller, 'runtime' | 'db' | 'person' | 'session_id'>

export async function showAccount({ runtime, db, person, session_id }: Own): Promise<Me> {
  const found = await findPersonAndSession(db, { person_id: person.id, session_id })
  if (!found) throw new Problem('unauthorized', 'The session has ended.')
  const { fresh_at, expires_at } = found
  const fresh_until = addSeconds(fresh_at, limits.session_fresh_s)
  return {
    person: present(found),
    session: {
      id: found.session_id,
      fresh_until: fresh_until.toISOString(),
      is_fresh: fresh_until > runtime.clock.now(),
      expires_at: expires_at.toISOString(),
    },
  }
}

/** Replaces the password, which ends all other sessions. */
export async function replaceOwnPassword(
  { runtime, person, session_id }: Own,
  { password }: { password: string },
): Promise<void> {
  const fault = findPasswordFault(password, person.email)
  if (fault === null) return setPassword(runtime, { person, session_id }, password)
  const errors = [{ path: '/password', message: fault }]
  throw new Problem('validation_failed', fault, { errors, user_message: fault })
}

export async function listOwnSessions(caller: Own): Promise<{ data: PersonSession[] }> {
  const rows = await listSessions(caller.db, caller.runtime, caller)
  return {
    data: rows.map(({ created_at, seen_at, ...rest }) => ({
      ...rest,
      created_at: created_at.toISOString(),
      seen_at: seen_at.toISOString(),
    })),
  }
}

export async function endOwnSession({ runtime, person }: Own, session_id: string): Promise<void> {
  if (await endSession(runtime, { person }, session_id)) return
  throw new Problem('not_found', 'You have no session with this id.')
}

export async function listProjects({ db, person }: Own): Promise<{ data: OwnProject[] }> {
  return { data: (await listMemberships(db, person.id)).map(presentProject) }
}

function presentProject({ project, role, access }: Membership): OwnProject {
  const { id, name, shape, plan, created_at, offline_at, offline_reason } = project
  const offline =
    offline_at && offline_reason !== null
      ? { since: offline_at.toISOString(), reason: offline_reason }
      : null
  return { id, name, shape, plan, created_at: created_at.toISOString(), role, access, offline }
}

/** Creates a project on the plan Free with its creator as the owner. */
export function createProject(
  { runtime, db, person }: Own,
  { name }: { name: string },
): Promise<OwnProject> {
  return db.transact(async (tx) => {
    await lockPerson(tx, person.id)
    if ((await countOwned(tx, person.id)) >= limits.projects_owned_max) throw ownsEnough()
    const facts = { name: name.trim(), plan: 'free', owner_email: person.email } as const
    const project = await projects.insertSingle(tx, runtime, facts)
    const member = { project_id: project.id, person_id: person.id, role: 'owner' } as const
    await insertMember(tx, { ...member, created_at: project.created_at })
    return presentProject({ project, role: 'owner', access: null })
  })
}

function ownsEnough(): Problem {
  const user_message = `You own ${limits.projects_owned_max} projects, which is the maximum.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Delete a project that is no longer needed, or ask the operator to make another.',
  })
}

export async function showProject(caller: MemberCaller): Promise<OwnProject> {
  const { db, project, person } = caller
  const found = await findMembership(db, { project_id: project.id, person_id: person.id })
  if (!found) throw new Problem('not_found', 'There is no such project.')
  return presentProject(found)
}

export async function renameProject(
  caller: MemberCaller,
  { name }: { name: string },
): Promise<OwnProject> {
  await projects.rename(caller.db, { project_id: caller.project.id, name: name.trim() })
  return showProject(caller)
}

/** Deletes a project. `confirm` must repeat its name. */
export async function deleteProject(
  { runtime, project }: MemberCaller,
  confirm: string | undefined,
): Promise<void> {
  if (confirm?.trim() === project.name.trim()) {
    await projects.remove(runtime, project.id)
    return
  }
  const count = project.numbers_count
  const numbers =
    count === 0 ? '' : ` It has ${count === 1 ? 'a phone number' : `${count} phone numbers`}.`
  throw new Problem(
    'confirmation_required',
    `Everything in the project ${JSON.stringify(project.name)} would be gone, and its keys would stop working.${numbers}`,
    {
      user_message: `Type the name of the project, ${project.name}, to delete it.`,
      next_step: 'Send the request again with the name of the project in the parameter confirm.',
    },
  )
}

export async function listOwnInvitations({
  runtime,
  person,
}: Own): Promise<{ data: ReceivedInvitation[] }> {
  return { data: await listInvitationsTo(runtime, person) }
}

/** Accepts or declines an invitation to the caller. */
export async function answerOwnInvitation(
  { runtime, person }: Own,
  { invitation_id, accepts }: { invitation_id: string; accepts: boolean },
): Promise<{ project_id: string }> {
  const mine = await listInvitationsTo(runtime, person)
  const found = mine.find(({ id }) => id === invitation_id.toLowerCase())
  if (!found) {
    throw new TeamRefusal('missing', 'This invitation is no longer open, or is for another person.')
  }
  const { id, project_id } = found
  await answerInvitation(runtime, person, { project_id, id, accepts })
  return { project_id }
}
