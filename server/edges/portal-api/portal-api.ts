/**
 * The API of the portal, for signed-in people: the operations that are theirs alone, and every
 * operation of the API for keys in a project of theirs. Both go the way that REST goes; only the
 * door is another.
 */
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { PeopleOperation } from '../../contract/people.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendProblemIn } from '../http/problems.ts'
import { addOperations, refuseUnknown } from '../http/routes.ts'
import { asProblem } from '../portal/pages/team/team-problem.ts'
import { portalDocument, sessionOperations, type Callable } from './document.ts'
import { portalPhrasing } from './phrasing.ts'
import { PORTAL_API_ROOT, sessionDoor } from './session-door.ts'

export interface PortalApi extends Callable {
  runtime: Runtime
}

export function addPortalApi(app: FastifyInstance, api: PortalApi): void {
  const { runtime } = api
  const root = PORTAL_API_ROOT
  const operations = sessionOperations(api).map(withTeamProblems)
  addOperations(app, { runtime, door: sessionDoor(runtime), operations })
  let document: string | null = null
  app.get(`${root}/openapi.json`, async (_request, reply) => {
    document ??= JSON.stringify(portalDocument(runtime, api))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.all(`${root}/*`, {
    handler: (request) => refuseUnknown(request, { root, operations }),
    errorHandler: (error, _request, reply) =>
      sendProblemIn(portalPhrasing, { runtime, reply, error }),
  })
}

/** Turns what a rule of teams refuses into the Problem that the pages of the portal show too. */
function withTeamProblems(operation: Operation): Operation {
  if (operation.kind !== 'people') return operation
  const run: PeopleOperation['run'] = async (input, caller) => {
    try {
      return await operation.run(input, caller)
    } catch (error) {
      throw asProblem(error)
    }
  }
  return { ...operation, run }
}
