/**
 * The API of the portal as a list of operations, and as an OpenAPI document of its own: those of
 * people alone, and those of the API for keys below the project that is meant.
 */
import { Type } from 'typebox'
import type { Operation } from '../../contract/operation.ts'
import { forSessions, namesProject, type PeopleOperation } from '../../contract/people.ts'
import { Uuid } from '../../contract/shapes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { addressesOf, openApiDocument } from '../http/openapi.ts'
import { PORTAL_API_ROOT } from './session-door.ts'

export interface Callable {
  peopleOperations: readonly PeopleOperation[]
  /** Those of the API for keys. */
  operations: readonly Operation[]
}

/** All that a session can call. What is for anybody needs no session, and is not here. */
export function sessionOperations({ peopleOperations, operations }: Callable): Operation[] {
  const shared = operations.filter((operation) => operation.scope !== null)
  return [...peopleOperations, ...shared.map(forSessions)]
}

const project_id = Type.String({ ...Uuid, description: 'A project that you have a part in.' })

/** The operations of people alone, as the documentation shows them. */
export function documentedPeople(peopleOperations: readonly PeopleOperation[]): Operation[] {
  return peopleOperations.map(documented)
}

/** With the project among the parameters, which is read before the operation is. */
function documented(operation: Operation): Operation {
  if (!namesProject(operation)) return operation
  const params = Type.Object({ project_id, ...operation.params?.properties })
  return { ...operation, params }
}

export function portalDocument(runtime: Runtime, callable: Callable): object {
  const { docs_url } = addressesOf(runtime)
  const base_url = runtime.config.public_url + PORTAL_API_ROOT
  const operations = sessionOperations(callable).map(documented)
  const title = 'Homeport API of the portal'
  return openApiDocument(operations, [], { base_url, docs_url, title })
}
