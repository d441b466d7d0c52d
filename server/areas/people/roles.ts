/**
 * Permissions of roles. Every role may read; a member limited to some sites and apps reads only
 * those. Owners and admins manage the team and the keys.
 */
import type { Access, Caller } from '../../contract/caller.ts'
import type { Role } from '../../contract/people.ts'
import { scopeNames, scopes, type Scope } from '../../contract/scopes.ts'
import { fillAllowed } from '../../contract/limited-to.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { SignedIn } from './sign-in/sessions.ts'
import type { Membership } from './team/team-store.ts'

/** The roles in descending order of permissions. */
export const roles: readonly Role[] = ['owner', 'admin', 'member', 'viewer']

/** Whether `role` has at least the permissions of `least`. */
export function hasRole(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least)
}

const reading: ReadonlySet<Scope> = new Set(scopeNames.filter((name) => scopes[name].read_only))
const everything: ReadonlySet<Scope> = new Set(scopeNames)

/** Returns the scopes of a role, before any limits. */
export function listScopes(role: Role): ReadonlySet<Scope> {
  return role === 'viewer' ? reading : everything
}

function accessOf({ access }: Pick<Membership, 'access'>): Access | null {
  return access && { ...fillAllowed(access), limited_by: 'member' }
}

/** Builds the caller of an area's service from a signed-in person and their membership. */
export function createMemberCaller(
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
    scopes: listScopes(role),
    access: accessOf(membership),
    idempotency_key: null,
    remember: async () => {},
  }
}
