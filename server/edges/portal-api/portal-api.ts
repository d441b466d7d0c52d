/**
 * The API of the portal, for signed-in people: the operations that are theirs alone, and every
 * operation of the API for keys in a project of theirs. Both go the way that REST goes; only the
 * door is another.
 */
import type { FastifyInstance } from 'fastify'
import { asGuest } from '../../contract/guests.ts'
import type { Operation } from '../../contract/operation.ts'
import { describable, type PeopleOperation } from '../../contract/people.ts'
import type { House } from '../../kernel/house.ts'
import { sendProblem } from '../http/problems.ts'
import { addOperations, refuseUnknown } from '../http/routes.ts'
import { asProblem } from '../portal/team-problem.ts'
import { PORTAL_API_ROOT, sessionDoor } from './session-door.ts'

export interface PortalApi {
  house: House
  peopleOperations: readonly PeopleOperation[]
  /** Those of the API for keys. */
  operations: readonly Operation[]
}

export function addPortalApi(app: FastifyInstance, api: PortalApi): void {
  const { house } = api
  const root = PORTAL_API_ROOT
  const operations = operationsOf(api)
  addOperations(app, { house, door: sessionDoor(house), operations })
  app.all(`${root}/*`, {
    handler: (request) => refuseUnknown(request, { root, operations }),
    errorHandler: (error, _request, reply) => sendProblem(house, reply, error),
  })
}

/** All that a session can call. What is for anybody needs no session, and is not here. */
export function operationsOf({ peopleOperations, operations }: PortalApi): Operation[] {
  const shared = operations.filter(
    (operation) => operation.scope !== null && asGuest(operation) === null,
  )
  return [...peopleOperations.map(ofPeople), ...shared.map(inProject)]
}

/** A rule of teams that refuses is the same problem here and on the pages. */
function ofPeople(operation: PeopleOperation): Operation {
  const described = describable(operation)
  return {
    ...described,
    run: async (input, caller) => {
      try {
        return await described.run(input, caller)
      } catch (error) {
        throw asProblem(error)
      }
    },
  }
}

function inProject(operation: Operation): Operation {
  const path = `/projects/{project_id}${operation.path}`
  return { ...operation, path }
}
