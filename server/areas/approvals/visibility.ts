/**
 * Which approvals a caller sees, and who decides. A key sees its own and those of its scopes. A
 * person sees those of the project or of the sites and collections they are limited to. Members
 * decide; operations that cost money need an admin.
 */
import type { Access, Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { MemberCaller, Role, SignedInPerson } from '../../contract/people.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as people from '../people/service.ts'
import * as sites from '../sites/service.ts'
import { listTargets } from './input.ts'
import type { ApprovalRow, Visibility } from './store.ts'

/** A signed-in person with their role in the project. */
export interface Decider {
  runtime: Runtime
  project_id: string
  person: SignedInPerson
  role: Role
  /**
   * The sites and collections that the person is limited to, collections of the sites included;
   * null means the whole project.
   */
  access: Access | null
}

/** Builds the decider of a portal request. */
export async function buildDecider(
  caller: Caller,
  { person, role }: Pick<Decider, 'person' | 'role'>,
): Promise<Decider> {
  const { runtime, project } = caller
  const access =
    caller.access && (await sites.addFormCollections(runtime.db, project.id, caller.access))
  return { runtime, project_id: project.id, person, role, access }
}

export function findVisibility(caller: Caller | MemberCaller): Visibility {
  const { access, key_id, scopes } = caller
  const isPerson = 'person' in caller
  if (isPerson && access === null) return null
  return {
    asked_by: key_id,
    scopes: access === null ? [...scopes] : [],
    targets: isPerson && access !== null ? listTargets(access) : [],
  }
}

export function isVisible(row: ApprovalRow, sight: Visibility): boolean {
  if (sight === null || row.asked_by === sight.asked_by) return true
  return (
    sight.scopes.includes(row.scope) || (row.target !== null && sight.targets.includes(row.target))
  )
}

/** Whether the role may decide on operations with this effect. */
export function mayDecide(role: Role, effect: ApprovalRow['effect']): boolean {
  return people.hasRole(role, effect === 'money' ? 'admin' : 'member')
}

/**
 * Throws `forbidden` if the person's role is too low, and `not_found` if the target is outside the
 * person's limits.
 */
export function requireMayDecide(row: ApprovalRow, { role, access }: Decider): void {
  requireWithin(row.target, access)
  if (mayDecide(role, row.effect)) return
  const user_message =
    row.effect === 'money'
      ? 'This costs money, so an owner or admin has to decide.'
      : 'Your role can view approvals but not decide about them.'
  throw new Problem('forbidden', user_message, { user_message })
}

export function requireWithin(target: string | null, access: Access | null): void {
  if (access === null || (target !== null && listTargets(access).includes(target))) return
  throw new Problem('not_found', 'There is no approval with this id.')
}
