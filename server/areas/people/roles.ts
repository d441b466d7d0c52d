/**
 * What a role may do. Everybody in a team reads; who is limited to some sites and apps reads only
 * those. Owners and admins look after the team and the keys.
 */
import type { Access, Caller } from '../../contract/caller.ts'
import { scopeNames, scopes, type Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { SignedIn } from './sign-in/sessions.ts'
import type { Membership } from './team/team-store.ts'

export type Role = Membership['role']

/** Strongest first. */
export const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

/** Whether a role is at least another one. */
export function reaches(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least)
}

const reading: ReadonlySet<Scope> = new Set(scopeNames.filter((name) => scopes[name].read_only))
const everything: ReadonlySet<Scope> = new Set(scopeNames)

/** What somebody of a role may do at all, whatever else limits them. */
export function scopesOf(role: Role): ReadonlySet<Scope> {
  return role === 'viewer' ? reading : everything
}

function accessOf({ access }: Pick<Membership, 'access'>): Access | null {
  return access && { ...access, collections: [], limited_by: 'member' }
}

/** A signed-in person as the caller of a service, in one project. */
export function callerOf(
  runtime: Runtime,
  { session_id }: Pick<SignedIn, 'session_id'>,
  { membership, request_id }: { membership: Membership; request_id: string },
): Caller {
  const { project, role } = membership
  return {
    runtime,
    db: runtime.db,
    request_id,
    project,
    mode: project.shape === 'test' ? 'test' : 'live',
    key_id: session_id,
    scopes: scopesOf(role),
    access: accessOf(membership),
    idempotency_key: null,
    remember: async () => {},
  }
}
