/**
 * The operations of the portal API, and their OpenAPI document: operations for people, and
 * operations of the API for keys below a project.
 */
import { Type } from 'typebox'
import type { Operation } from '../../contract/operation.ts'
import { forSessions, hasProjectInPath, type PeopleOperation } from '../../contract/people.ts'
import { Uuid } from '../../contract/schema/shapes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readAddresses, createOpenApiDocument } from '../http/openapi.ts'
import { PORTAL_API_ROOT } from './session-admission.ts'

export interface Callable {
  peopleOperations: readonly PeopleOperation[]
  /** The operations of the API for keys. */
  operations: readonly Operation[]
}

/**
 * Returns all operations for sessions. Operations without a key need no session and are excluded.
 */
export function listSessionOperations({ peopleOperations, operations }: Callable): Operation[] {
  const shared = operations.filter((operation) => operation.scope !== null)
  return [...peopleOperations, ...shared.map(forSessions)]
}

const project_id = Type.String({ ...Uuid, description: 'A project that you have a part in.' })

/** Returns the operations for people as the documentation shows them. */
export function documentPeopleOperations(
  peopleOperations: readonly PeopleOperation[],
): Operation[] {
  return peopleOperations.map(documented)
}

/**
 * Adds the project to the path parameters. For requests, the project is read before the operation
 * is called.
 */
function documented(operation: Operation): Operation {
  if (!hasProjectInPath(operation)) return operation
  const params = Type.Object({ project_id, ...operation.params?.properties })
  return { ...operation, params }
}

export function createPortalDocument(
  runtime: Pick<Runtime, 'config'>,
  callable: Callable,
): Generator<void, object> {
  const { docs_url } = readAddresses(runtime)
  const base_url = runtime.config.public_url + PORTAL_API_ROOT
  const operations = listSessionOperations(callable).map(documented)
  const title = 'Homeport API of the portal'
  return createOpenApiDocument(operations, [], { base_url, docs_url, title })
}
