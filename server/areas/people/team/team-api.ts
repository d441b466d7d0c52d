/** The portal API for the team of a project. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { toLowerCaseIds } from '../../../contract/limited-to.ts'
import * as apps from '../../apps/service.ts'
import * as sites from '../../sites/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { readEmail } from '../person.ts'
import type { Invitation, MemberChange } from '../schema.ts'
import * as team from './team.ts'
import { TeamRefusal } from './team-refusal.ts'

export async function listMembers({
  db,
  runtime,
  project,
}: MemberCaller): Promise<{ data: team.TeamMember[] }> {
  const { members } = await team.listTeam(db, project.id, runtime.clock.now())
  return { data: members }
}

export async function changeMember(
  caller: MemberCaller,
  person_id: string,
  change: MemberChange,
): Promise<team.TeamMember> {
  const { runtime, person, project } = caller
  const { role } = change
  const access = await readAccess(caller, change)
  await team.changeMember(runtime, person, { project_id: project.id, person_id, role, access })
  const { data } = await listMembers(caller)
  const changed = data.find((member) => member.person_id === person_id.toLowerCase())
  if (!changed) throw new TeamRefusal('missing', 'The team has no member with this id.')
  return changed
}

export function removeMember(
  { runtime, person, project }: MemberCaller,
  person_id: string,
): Promise<void> {
  return team.removeMember(runtime, person, { project_id: project.id, person_id })
}

export async function listInvitations({
  db,
  runtime,
  project,
}: MemberCaller): Promise<{ data: Invitation[] }> {
  const { invitations } = await team.listTeam(db, project.id, runtime.clock.now())
  return { data: invitations.map((one) => presentInvitation(runtime, one)) }
}

export async function invite(
  caller: MemberCaller,
  { email: written, ...wish }: MemberChange & { email: string },
): Promise<Invitation> {
  const { runtime, person, project } = caller
  const email = readEmail(written)
  if (email === null) throw fault('/email', 'is not an email address')
  const access = await readAccess(caller, wish)
  const order = { project_id: project.id, email, role: wish.role, access }
  return presentInvitation(runtime, await team.invite(runtime, person, order))
}

export function withdraw(
  { runtime, person, project }: MemberCaller,
  invitation_id: string,
): Promise<void> {
  return team.withdrawInvitation(runtime, person, { project_id: project.id, id: invitation_id })
}

/** Validates limits: only sites of this project, and none for an owner. */
async function readAccess(
  caller: MemberCaller,
  { role, access = null }: MemberChange,
): Promise<team.MemberAccess> {
  if (access === null) return null
  if (role === 'owner')
    throw fault('/access', 'must be null, because an owner has the whole project')
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const known = new Set(data.map(({ id }) => id))
  const stray = access.sites.findIndex((id) => !known.has(id.toLowerCase()))
  if (stray >= 0) throw fault(`/access/sites/${stray}`, 'is not the id of a site of this project')
  const stray_app = await apps.findStrayApp(caller, access.apps)
  if (stray_app >= 0)
    throw fault(`/access/apps/${stray_app}`, 'is not the id of an app of this project')
  return toLowerCaseIds(access)
}

function fault(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}

function presentInvitation(
  { config }: Runtime,
  { expires_at, ...rest }: team.TeamInvitation,
): Invitation {
  const url = config.mail.provider === 'smtp' ? null : `${config.public_url}/portal`
  return { ...rest, expires_at: expires_at.toISOString(), url }
}
