/**
 * Operations that belong to people alone: projects, teams, keys, what costs money. They are declared
 * in the same words as all others, but sessions of the portal call them, and no key or connection
 * can: they stand in a list of their own, which neither REST nor MCP sees.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller, Visitor } from './caller.ts'
import type { Declaration, Input, Operation } from './operation.ts'

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export interface SignedInPerson {
  id: string
  email: string
}

/** A signed-in person, no project named. */
export interface PersonCaller extends Visitor {
  person: SignedInPerson
  session_id: string
}

/** A signed-in person in a project of theirs; every service takes it as a Caller. */
export interface MemberCaller extends Caller {
  person: SignedInPerson & { role: Role }
  session_id: string
}

/** `person`: whoever is signed in. A role: at least this role in the project of the route. */
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
   * For a role, the route begins with `/projects/{project_id}`, which is read before the operation
   * and is no parameter of it.
   */
  access: Access
  /** Only for who has proven a few minutes ago who they are. */
  fresh?: true
  /** `selection`: open to members who are limited to some sites and apps; others are not. */
  reach?: 'selection'
  run(
    input: Input<Params, Query, Body>,
    caller: CallerFor<Access>,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/** An operation of this sort with its types erased. Having no scope, it fits no other list. */
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
  // The types were checked above; the edge validates before it calls `run`.
  return { ...declaration, fresh, reach, method, path } as unknown as PeopleOperation
}

/** As the edges and the documentation read it, which are written for every sort of operation. */
export function describable(operation: PeopleOperation): Operation {
  return { ...operation, for_sessions: true, scope: null } as unknown as Operation
}

/** An operation of the API for keys, as a session calls it in one of its projects. */
export function forSessions(operation: Operation): Operation {
  return { ...operation, for_sessions: true, path: inProject + operation.path } as Operation
}

/** Whether an operation stands here as one that sessions call. */
export function isForSessions(operation: Operation): boolean {
  return 'for_sessions' in operation
}

/** Whether the route of such an operation names the project. */
export function namesProject({ path }: Pick<Operation, 'path'>): boolean {
  return path === inProject || path.startsWith(`${inProject}/`)
}

/** The operation as one of people, or null when it is of another sort. */
export function asPeople(operation: Operation): PeopleOperation | null {
  return 'access' in operation ? (operation as unknown as PeopleOperation) : null
}
