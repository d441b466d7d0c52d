/**
 * Rules for inviting, changing and removing members. Changes run under the project's lock with the
 * current roles. Members cannot grant or remove roles above their own, and the last owner stays.
 */
import type { ProjectRow } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
import type { Selection } from '../../../contract/limited-to.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import * as keys from '../../keys/service.ts'
import * as projects from '../../projects/service.ts'
import { sendInvitation } from '../jobs.ts'
import type { Person } from '../person.ts'
import { hasRole } from '../roles.ts'
import type { Role } from '../../../contract/people.ts'
import { addSeconds } from '../sign-in/sessions.ts'
import { ownsMaximum, requireRoomToOwn } from './room-to-own.ts'
import { TeamRefusal } from './team-refusal.ts'
import * as store from './team-store.ts'
import { Problem } from '../../../contract/errors.ts'
import { createSlidingWindow, type SlidingWindow } from '../../../kernel/limits/sliding-window.ts'

const HOUR_MS = 3_600_000
const windows = new WeakMap<Runtime, SlidingWindow>()

/** Rate limit of invitations per project, shared by the portal pages and the API. */
function requireInvitationRate(runtime: Runtime, project_id: string): void {
  const limit = limits.invitations_per_hour_max
  const window =
    windows.get(runtime) ?? createSlidingWindow(runtime.clock, { limit, window_ms: HOUR_MS })
  windows.set(runtime, window)
  const { allowed, retry_after_s } = window.pass(project_id)
  if (allowed) return
  const minutes = Math.ceil(retry_after_s / 60)
  const wait = `Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  const user_message = `These were too many invitations in an hour. ${wait}`
  throw new Problem('rate_limited', user_message, { retry_after_s, user_message })
}

/** What a member is limited to; null means the whole project. */
export type MemberAccess = Selection | null

export interface TeamMember {
  person_id: string
  name: string | null
  email: string
  role: Role
  access: MemberAccess
}

export interface TeamInvitation {
  id: string
  email: string
  role: Role
  access: MemberAccess
  expires_at: Date
}

/** An invitation as its recipient sees it. */
export interface ReceivedInvitation {
  id: string
  project_id: string
  project_name: string
  role: Role
  invited_by: string | null
}

export interface Team {
  members: TeamMember[]
  invitations: TeamInvitation[]
}

export async function listTeam(db: Reader, project_id: string, now: Date): Promise<Team> {
  const members = await store.listMembers(db, project_id)
  const invitations = await store.listInvitations(db, { project_id, now })
  return {
    members: members.map(({ person_id, name, email, role, access }) => {
      return { person_id, name, email, role, access }
    }),
    invitations: invitations.map(({ id, email, role, access, expires_at }) => {
      return { id, email, role, access, expires_at }
    }),
  }
}

/** A person to whom mails about the project go. */
export interface Manager {
  email: string
  language: 'en' | 'nl'
}

/**
 * The owners and admins who work with the whole project; the owner email of the project while its
 * team is empty.
 */
export async function listManagers(
  db: Reader,
  project: Pick<ProjectRow, 'id' | 'owner_email'>,
): Promise<Manager[]> {
  const members = await store.listMembers(db, project.id)
  if (members.length === 0)
    return project.owner_email === null ? [] : [{ email: project.owner_email, language: 'en' }]
  return members
    .filter(({ role, access }) => access === null && hasRole(role, 'admin'))
    .map(({ email, language }) => ({ email, language }))
}

/** The acting member, or the operator of the installation, who has every permission. */
export type Actor = Pick<Person, 'id' | 'email'> | 'operator'

export interface InvitationRequest {
  project_id: string
  /** Normalised by `readEmail`. */
  email: string
  role: Role
  access: MemberAccess
}

/**
 * Invites an address and mails it. The recipient becomes a member by accepting after signing in.
 */
export function invite(
  runtime: Runtime,
  actor: Actor,
  input: InvitationRequest,
): Promise<TeamInvitation> {
  const { project_id, email, role, access } = input
  if (actor !== 'operator') requireInvitationRate(runtime, project_id)
  return runtime.db.transact(async (tx) => {
    const project = await lockFor(tx, project_id)
    await requireReach(tx, { actor, project_id, role })
    const now = runtime.clock.now()
    await requireRoom(tx, { project, email, now })
    const row = {
      project_id,
      id: newId(runtime.clock),
      email,
      role,
      access: access && JSON.stringify(access),
      invited_by: actor === 'operator' ? null : actor.email,
      created_at: now,
      expires_at: addSeconds(now, limits.invitation_s),
    }
    await store.insertInvitation(tx, row)
    await enqueue(tx, runtime, sendInvitation, {
      project_id,
      payload: { email, invited_by: row.invited_by, project_name: project.name, id: row.id },
    })
    return { id: row.id, email, role, access, expires_at: row.expires_at }
  })
}

async function lockFor(tx: Transaction, project_id: string): Promise<ProjectRow> {
  const project = await projects.findLocked(tx, project_id)
  if (!project) throw new TeamRefusal('missing', 'There is no such project.')
  return project
}

/** Admins manage members up to their own role; only owners add or change owners. */
async function requireReach(
  tx: Transaction,
  { actor, project_id, role }: { actor: Actor; project_id: string; role: Role },
): Promise<void> {
  if (actor === 'operator') return
  const mine = await store.findMembership(tx, { project_id, person_id: actor.id })
  const may =
    mine && mine.access === null && hasRole(mine.role, 'admin') && hasRole(mine.role, role)
  if (!may)
    throw new TeamRefusal('not_allowed', 'Your role does not allow this change of the team.')
}

async function requireRoom(
  tx: Transaction,
  { project, email, now }: { project: ProjectRow; email: string; now: Date },
): Promise<void> {
  const { members, invitations } = await listTeam(tx, project.id, now)
  if (members.some((member) => member.email === email)) {
    throw new TeamRefusal('clash', `${email} is already in the team.`)
  }
  const others = invitations.filter((one) => one.email !== email)
  const { title, team_members_max } = plans[project.plan]
  if (members.length + others.length < team_members_max) return
  const places = team_members_max === 1 ? 'one member' : `${team_members_max} members`
  throw new TeamRefusal('no_room', `The plan ${title} has ${places}, and none is free.`)
}

/** Changes the role and limits of a member. */
export function changeMember(
  runtime: Runtime,
  actor: Actor,
  { project_id, person_id, role, access }: Omit<InvitationRequest, 'email'> & { person_id: string },
): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const owns_maximum = role === 'owner' && (await ownsMaximum(tx, person_id))
    const member = await lockMember(tx, { actor, project_id, person_id })
    await requireReach(tx, { actor, project_id, role })
    if (owns_maximum && member.role !== 'owner' && actor !== 'operator') {
      throw new TeamRefusal('clash', 'This person owns as many projects as a person can.')
    }
    if (role === 'owner' && access !== null) {
      throw new TeamRefusal('clash', 'An owner works with the whole project.')
    }
    if (role !== 'owner') await requireOtherOwner(tx, member)
    const written = access && JSON.stringify(access)
    await store.changeMember(tx, { project_id, person_id, role, access: written })
    await keys.updateMemberKeys(tx, { project_id, person_id, access })
  })
}

/** Removes a member. Every member may remove themselves. */
export function removeMember(
  runtime: Runtime,
  actor: Actor,
  { project_id, person_id }: { project_id: string; person_id: string },
): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const member = await lockMember(tx, { actor, project_id, person_id })
    await requireOtherOwner(tx, member)
    await store.deleteMember(tx, { project_id, person_id })
  })
}

/** Locks the project and returns the member, if the actor may change them. */
async function lockMember(
  tx: Transaction,
  { actor, project_id, person_id }: { actor: Actor; project_id: string; person_id: string },
): Promise<store.TeamRow> {
  await lockFor(tx, project_id)
  const members = await store.listMembers(tx, project_id)
  const member = members.find((one) => one.person_id === person_id)
  if (!member) throw new TeamRefusal('missing', 'The team has no member with this id.')
  const isOneself = actor !== 'operator' && actor.id === person_id
  if (!isOneself) await requireReach(tx, { actor, project_id, role: member.role })
  return member
}

async function requireOtherOwner(tx: Transaction, member: store.TeamRow): Promise<void> {
  if (member.role !== 'owner') return
  const members = await store.listMembers(tx, member.project_id)
  const owners = members.filter(({ role }) => role === 'owner')
  if (owners.length > 1) return
  throw new TeamRefusal('clash', 'A project needs an owner. Make another member an owner first.')
}

export function withdrawInvitation(
  runtime: Runtime,
  actor: Actor,
  { project_id, id }: { project_id: string; id: string },
): Promise<void> {
  return runtime.db.transact(async (tx) => {
    await lockFor(tx, project_id)
    const row = await store.deleteInvitation(tx, { project_id, id })
    if (!row) throw new TeamRefusal('missing', 'This invitation is no longer open.')
    await requireReach(tx, { actor, project_id, role: row.role })
  })
}

export async function listInvitationsTo(
  runtime: Runtime,
  person: Pick<Person, 'email'>,
): Promise<ReceivedInvitation[]> {
  const wanted = { email: person.email, now: runtime.clock.now() }
  const rows = await store.listInvitationsTo(runtime.db, wanted)
  return rows.map(({ id, project_id, project_name, role, invited_by }) => {
    return { id, project_id, project_name, role, invited_by }
  })
}

/** Accepts or declines an invitation. Only a person signed in with its address can. */
export function answerInvitation(
  runtime: Runtime,
  person: Pick<Person, 'id' | 'email'>,
  { project_id, id, accepts }: { project_id: string; id: string; accepts: boolean },
): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const project = await lockFor(tx, project_id)
    const now = runtime.clock.now()
    const row = await store.deleteInvitation(tx, { project_id, id, email: person.email })
    if (!row || row.expires_at <= now) {
      throw new TeamRefusal(
        'missing',
        'This invitation is no longer open, or is for another person.',
      )
    }
    if (!accepts) return
    const is_invited_by_member = row.invited_by !== null
    if (row.role === 'owner' && is_invited_by_member) await requireRoomToOwn(tx, person.id)
    await requireRoom(tx, { project, email: person.email, now })
    await store.insertMember(tx, {
      project_id,
      person_id: person.id,
      role: row.role,
      access: row.access && JSON.stringify(row.access),
      created_at: now,
    })
    // A former member may still have keys; they get the new limits.
    await keys.updateMemberKeys(tx, { project_id, person_id: person.id, access: row.access })
  })
}
