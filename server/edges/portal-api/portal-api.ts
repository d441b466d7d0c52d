/**
 * The API for signed-in people: the operations for people, and every operation of the API for keys
 * in their projects. Both use the route code of REST with a different admission.
 */
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { PeopleOperation } from '../../contract/people.ts'
import { inSlices } from '../../kernel/limits/slices.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendProblemIn } from '../http/problems.ts'
import { addOperations, refuseUnknown } from '../http/routes.ts'
import { addBatch } from './batch.ts'
import { addDocumentDownloads } from './document-downloads.ts'
import { toTeamProblem } from './team-problem.ts'
import { createPortalDocument, listSessionOperations, type Callable } from './document.ts'
import { portalPhrasing } from './phrasing.ts'
import { PORTAL_API_ROOT, createSessionEntryPoint } from './session-admission.ts'

export interface PortalApi extends Callable {
  runtime: Runtime
  /** Mounted, but not described: to others they do not exist. */
  operatorOperations: readonly PeopleOperation[]
}

export function addPortalApi(app: FastifyInstance, api: PortalApi): void {
  const { runtime } = api
  const root = PORTAL_API_ROOT
  const operations = listSessionOperations(api).map(withTeamProblems)
  const mounted = [...operations, ...api.operatorOperations]
  addOperations(app, {
    runtime,
    entry_point: createSessionEntryPoint(runtime),
    operations: mounted,
  })
  addBatch(app, { runtime, operations: mounted })
  addDocumentDownloads(app, runtime)
  let document: Promise<string> | null = null
  app.get(`${root}/openapi.json`, async (_request, reply) => {
    document ??= inSlices(createPortalDocument(runtime, api)).then((one) => JSON.stringify(one))
    return reply.type('application/json; charset=utf-8').send(await document)
  })
  const bodies = new Map<string, unknown>(mounted.map(({ name, body }) => [name, body]))
  // Forms take their fields from it. It is public, as the document is.
  app.get<{ Params: { name: string } }>(`${root}/schemas/:name`, {
    async handler(request, reply) {
      const body = bodies.get(request.params.name) ?? refuseUnknown(request, { root, operations })
      return reply.type('application/schema+json').send(JSON.stringify(body))
    },
    errorHandler: (error, _request, reply) =>
      sendProblemIn(portalPhrasing, { runtime, reply, error }),
  })
  app.all(`${root}/*`, {
    handler: (request) => refuseUnknown(request, { root, operations }),
    errorHandler: (error, _request, reply) =>
      sendProblemIn(portalPhrasing, { runtime, reply, error }),
  })
}

/** Converts refusals of team rules to the Problems that the portal pages show. */
function withTeamProblems(operation: Operation): Operation {
  if (operation.kind !== 'people') return operation
  const run: PeopleOperation['run'] = async (input, caller) => {
    try {
      return await operation.run(input, caller)
    } catch (error) {
      throw toTeamProblem(error)
    }
  }
  return { ...operation, run }
}
