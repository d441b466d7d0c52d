/**
 * Operations for people only: projects, teams, keys, billing. They are declared like other
 * operations, but are in a separate list that REST and MCP do not read; only sessions of the portal
 * can call them.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller, Visitor } from './caller.ts'
import type { Declaration, Input, Operation } from './operation.ts'

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export interface SignedInPerson {
  id: string
  email: string
}

/** A signed-in person, without a project. */
export interface PersonCaller extends Visitor {
  person: SignedInPerson
  session_id: string
}

/** A signed-in person in one of their projects; usable as a Caller. */
export interface MemberCaller extends Caller {
  person: SignedInPerson & { role: Role }
  session_id: string
}

/** `person`: any signed-in person. A role: at least this role in the project of the route. */
export type PeopleAccess = Role | 'person'

type CallerFor<Access extends PeopleAccess> = Access extends 'person' ? PersonCaller : MemberCaller

export type PeopleDeclaration<
  Access extends PeopleAccess,
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Reply extends TSchema | undefined,
> = Omit<Declaration<Params, Query, Body, Reply>, 'scope' | 'reach' | 'run'> & {
  /**
   * For a role, the route starts with `/projects/{project_id}`, which is not a parameter of the
   * operation.
   */
  access: Access
  /** Needs a recent confirmation of identity. */
  fresh?: true
  /** `selection`: allowed for members who are limited to some sites and apps. */
  reach?: 'selection'
  run(
    input: Input<Params, Query, Body>,
    caller: CallerFor<Access>,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/**
 * A people operation with its types erased. It has no scope, so it does not type-check in other
 * lists.
 */
export type PeopleOperation = Omit<Operation, 'scope' | 'mode' | 'run'> & {
  access: PeopleAccess
  fresh: boolean
  run(
    input: Input<TObject, TObject, TSchema>,
    caller: PersonCaller | MemberCaller,
  ): Promise<unknown>
}

const inProject = '/projects/{project_id}'

export function peopleOperation<
  Access extends PeopleAccess,
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: PeopleDeclaration<Access, Params, Query, Body, Reply>): PeopleOperation {
  const { name, route, access, fresh = false, reach = 'project' } = declaration
  const [method, path = ''] = route.split(' ')
  if (namesProject({ path }) !== (access !== 'person')) {
    throw new Error(`${name} needs ${inProject} in its route if a role may call it, and only then.`)
  }
  // The declaration is type-checked; the edge validates the input before `run`.
  return { ...declaration, fresh, reach, method, path } as unknown as PeopleOperation
}

/** The operation in the type that edges and documentation read. */
export function describable(operation: PeopleOperation): Operation {
  return { ...operation, for_sessions: true, scope: null } as unknown as Operation
}

/** An operation for keys as a session calls it, with the project in its path. */
export function forSessions(operation: Operation): Operation {
  return { ...operation, for_sessions: true, path: inProject + operation.path } as Operation
}

/** Whether a session calls this operation. */
export function isForSessions(operation: Operation): boolean {
  return 'for_sessions' in operation
}

/** Whether the route of a people operation contains the project. */
export function namesProject({ path }: Pick<Operation, 'path'>): boolean {
  return path === inProject || path.startsWith(`${inProject}/`)
}

/** The operation as a people operation; null for other operations. */
export function asPeople(operation: Operation): PeopleOperation | null {
  return 'access' in operation ? (operation as unknown as PeopleOperation) : null
}
