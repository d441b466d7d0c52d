/** The portal API for a person's own data. */
import type { ProjectRow } from '../../contract/caller.ts'
import type { MemberCaller, PersonCaller } from '../../contract/people.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as projects from '../projects/service.ts'
import { countCreated, findPersonAndSession, setName } from './account-store.ts'
import { present, type Person } from './person.ts'
import type { Me, OwnName, OwnProject, PersonSession } from './schema.ts'
import { findPasswordFault } from '../credentials/service.ts'
import { setPassword } from './factors/password.ts'
import { addSeconds, endSession, listSessions } from './sign-in/sessions.ts'
import { findTermsToAccept } from './sign-up/terms.ts'
import { requireRoomToOwn } from './team/room-to-own.ts'
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
  const { is_operator, fresh_at, expires_at, accepted_versions } = found
  const fresh_until = addSeconds(fresh_at, limits.session_fresh_s)
  return {
    person: present(found),
    terms: findTermsToAccept(runtime, { is_operator, accepted: accepted_versions ?? [] }),
    session: {
      id: found.session_id,
      fresh_until: fresh_until.toISOString(),
      is_fresh: fresh_until > runtime.clock.now(),
      expires_at: expires_at.toISOString(),
    },
    simulated: {
      payments: runtime.config.payments.provider === 'builtin',
      phone_url: runtime.config.carrier.provider === 'simulator' ? '/dev/phone' : null,
    },
  }
}

export async function saveName(caller: Own, { name }: OwnName): Promise<Me> {
  const given = name?.trim().normalize('NFC') ?? ''
  const change = { person_id: caller.person.id, name: given === '' ? null : given }
  await caller.db.transact((tx) => setName(tx, change))
  return showAccount(caller)
}

/** Whether the person confirmed their identity recently in this session. */
export async function isIdentityFresh(caller: Own): Promise<boolean> {
  return (await showAccount(caller)).session.is_fresh
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
  const { id, name, shape, pair_id, plan, rails, created_at, offline_at, offline_reason } = project
  const offline =
    offline_at && offline_reason !== null
      ? { since: offline_at.toISOString(), reason: offline_reason }
      : null
  return {
    id,
    name,
    shape,
    pair_id,
    plan,
    is_live: Object.values(rails).includes('live'),
    created_at: created_at.toISOString(),
    role,
    access,
    offline,
  }
}

/** Creates a project on the plan Free with its creator as the owner. */
export function createProject(
  { runtime, db, person }: Own,
  { name }: { name: string },
): Promise<OwnProject> {
  return db.transact(async (tx) => {
    const project = await insertOwnProject(tx, runtime, { person, name: name.trim() })
    return presentProject({ project, role: 'owner', access: null })
  })
}

/** Inserts a project with its owner. Throws if the person owns or created as many as allowed. */
export async function insertOwnProject(
  tx: Transaction,
  runtime: Runtime,
  { person, name }: { person: Pick<Person, 'id' | 'email'>; name: string },
): Promise<ProjectRow> {
  await requireRoomToOwn(tx, person.id)
  await requireCreationRate(tx, { person_id: person.id, now: runtime.clock.now() })
  const facts = { name, plan: 'free', owner_email: person.email } as const
  const project = await projects.insertSingle(tx, runtime, facts)
  const member = { project_id: project.id, person_id: person.id, role: 'owner' } as const
  await insertMember(tx, { ...member, created_at: project.created_at })
  return project
}

const DAY_S = 86_400

/** Deleted projects count too, so that deleting does not allow more. */
async function requireCreationRate(
  tx: Transaction,
  { person_id, now }: { person_id: string; now: Date },
): Promise<void> {
  const since = addSeconds(now, -DAY_S)
  if ((await countCreated(tx, { person_id, since })) < limits.projects_created_per_day_max) return
  const user_message = `You created ${limits.projects_created_per_day_max} projects in a day. Try again tomorrow.`
  throw new Problem('rate_limited', user_message, { user_message, retry_after_s: DAY_S })
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
