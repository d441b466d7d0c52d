/**
 * Operations for people only: projects, teams, keys, billing. They are declared like other
 * operations, but are in a separate list that REST and MCP do not read; only sessions of the portal
 * can call them.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller, Visitor } from './caller.ts'
import {
  eraseTypes,
  type AnyInput,
  type OperationDeclaration,
  type Input,
  type KeyedOperation,
  type OperationBase,
} from './operation.ts'
import type { StreamOperation } from './operations/streams.ts'

export type Role = 'owner' | 'admin' | 'member' | 'viewer'

export interface SignedInPerson {
  id: string
  email: string
}

/** A signed-in person, without a project. */
export interface PersonCaller extends Visitor {
  person: SignedInPerson
  session_id: string
  /** IP address of the request. */
  address?: string
}

/** A signed-in person in one of their projects; usable as a Caller. */
export interface MemberCaller extends Caller {
  person: SignedInPerson & { role: Role }
  /** The part of the IP address that the person cannot vary freely; only in a request of the portal. */
  network?: string
  session_id: string
}

/**
 * `person`: any signed-in person. `operator`: people who operate the installation; for others the route
 * does not exist. A role: at least this role in the project of the route.
 */
export type PeopleAccess = Role | 'person' | 'operator'

type CallerFor<Access extends PeopleAccess> = Access extends Role ? MemberCaller : PersonCaller

export type PeopleDeclaration<
  Access extends PeopleAccess,
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Reply extends TSchema | undefined,
> = Omit<OperationDeclaration<Params, Query, Body, Reply>, 'scope' | 'reach' | 'run'> & {
  /**
   * For a role, the route starts with `/projects/{project_id}`, which is not a parameter of the
   * operation.
   */
  access: Access
  /** Whether the person must have confirmed their identity recently. */
  fresh?: true
  /** `selection`: the operation is allowed for members who are limited to some sites and apps. */
  reach?: 'selection'
  run(
    input: Input<Params, Query, Body>,
    caller: CallerFor<Access>,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/** A people operation with its types erased, for the edges. */
export interface PeopleOperation extends OperationBase {
  kind: 'people'
  scope: null
  for_sessions: true
  access: PeopleAccess
  fresh: boolean
  /** Whether the reply may be an event stream; then `run` gets a PeopleStreamInput. */
  streams?: true
  run(input: AnyInput, caller: PersonCaller | MemberCaller): Promise<unknown>
}

const inProject = '/projects/{project_id}'

export function peopleOperation<
  Access extends PeopleAccess,
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: PeopleDeclaration<Access, Params, Query, Body, Reply>): PeopleOperation {
  const { name, access, fresh = false, reach = 'project' } = declaration
  const parts = eraseTypes(declaration)
  if (hasProjectInPath(parts) === (access === 'person' || access === 'operator')) {
    throw new Error(`${name} needs ${inProject} in its route if a role may call it, and only then.`)
  }
  return {
    ...declaration,
    ...parts,
    kind: 'people',
    scope: null,
    for_sessions: true,
    access,
    fresh,
    reach,
    run: (input, caller) =>
      declaration.run(input as Input<Params, Query, Body>, caller as CallerFor<Access>),
  }
}

/**
 * Returns an operation for keys as sessions of the portal call it, with the project in its path.
 */
export function forSessions<Kind extends KeyedOperation | StreamOperation>(operation: Kind): Kind {
  return { ...operation, for_sessions: true, path: inProject + operation.path }
}

/** Whether the route of a people operation contains the project. */
export function hasProjectInPath({ path }: Pick<OperationBase, 'path'>): boolean {
  return path === inProject || path.startsWith(`${inProject}/`)
}
