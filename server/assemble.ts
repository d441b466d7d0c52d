/** Connects the areas to the entry points and to background work. */
import type { FastifyInstance } from 'fastify'
import { recordedJob } from './areas/activity/service.ts'
import { registerRunner } from './areas/approvals/service.ts'
import { startDeliveries } from './areas/webhooks/queue/runner.ts'
import { setEventSources } from './areas/webhooks/attempt/sources.ts'
import type { Area } from './contract/area.ts'
import type { EventSource } from './contract/events.ts'
import type { ApiOperation } from './contract/operation.ts'
import type { PeopleOperation } from './contract/people.ts'
import { createAdmission } from './edges/admission.ts'
import { createOperationRunner } from './edges/approvals/runner.ts'
import { addDevelopmentClock } from './edges/dev/clock.ts'
import { addDocs } from './edges/docs/docs.ts'
import { addFileLinks } from './edges/files/links.ts'
import { addUploads } from './edges/files/uploads.ts'
import { addHealth } from './edges/http/health.ts'
import {
  readAddresses,
  createOpenApiDocument,
  declareOpenApi,
} from './edges/http/openapi/openapi.ts'
import { addRequestLog } from './edges/http/request-notes.ts'
import { addRest } from './edges/http/routes.ts'
import { createHttpServer } from './edges/http/server.ts'
import { addMcp } from './edges/mcp/mcp.ts'
import { addOAuth } from './edges/oauth/oauth.ts'
import { documentPeopleOperations } from './edges/portal-api/document.ts'
import { addPortalApi } from './edges/portal-api/portal-api.ts'
import { addPortalApp } from './edges/portal-app/portal-app.ts'
import { addPortal } from './edges/portal/portal.ts'
import { addPublic } from './edges/public/routes.ts'
import { createSitesHandler } from './edges/sites/sites-handler.ts'
import { addSitePassword } from './edges/sites/password.ts'
import { addFormsScript } from './edges/widget/forms-script.ts'
import type { MovableClock } from './kernel/clock.ts'
import { sweepIdempotencyKeys } from './kernel/idempotency/idempotency.ts'
import { startJobs } from './kernel/jobs/jobs.ts'
import type { Runtime } from './kernel/runtime.ts'
import { sweepChallenges } from './kernel/secrets/challenge.ts'

/** Reconcilers of the kernel, which belong to no area. */
const kernelReconcilers = [sweepIdempotencyKeys, sweepChallenges]

export interface Assembled {
  operations: readonly ApiOperation[]
  peopleOperations: readonly PeopleOperation[]
  operatorOperations: readonly PeopleOperation[]
  eventSources: readonly EventSource[]
  /**
   * Builds the HTTP server with every entry point; a process without the role `web` answers health
   * checks only. `clock` is null where time cannot be moved.
   */
  buildApp(runtime: Runtime, clock: MovableClock | null): FastifyInstance
  /** Starts jobs, reconcilers and deliveries. */
  startWork(runtime: Runtime): { stop(): Promise<void> }
}

export function assemble(areas: readonly Area[]): Assembled {
  const openApi = declareOpenApi((runtime) =>
    createOpenApiDocument(operations, eventSources, readAddresses(runtime)),
  )
  const operations = [...areas.flatMap(operationsOf), openApi]
  const peopleOperations = areas.flatMap((area) => valuesOf(area.peopleOperations))
  const operatorOperations = areas.flatMap((area) => valuesOf(area.operatorOperations))
  const eventSources = areas.flatMap((area) => valuesOf(area.events))
  const all = { operations, peopleOperations, operatorOperations, eventSources }
  const declared: Declared = { areas, ...all }
  return {
    ...all,
    buildApp: (runtime, clock) => buildApp(declared, runtime, clock),
    startWork: (runtime) => startWork(declared, runtime),
  }
}

/** Returns the operations of an area, with the names of MCP tools from its manifest. */
function operationsOf({ operations, tools = {} }: Area): ApiOperation[] {
  return valuesOf(operations).map((operation) => {
    const tool = tools[operation.name]
    return tool === undefined ? operation : { ...operation, tool }
  })
}

type Declared = Pick<
  Assembled,
  'operations' | 'peopleOperations' | 'operatorOperations' | 'eventSources'
> & {
  areas: readonly Area[]
}

function valuesOf<Declaration>(
  modules: readonly Readonly<Record<string, Declaration>>[] = [],
): Declaration[] {
  return modules.flatMap((module) => Object.values(module))
}

function buildApp(
  declared: Declared,
  runtime: Runtime,
  clock: MovableClock | null,
): FastifyInstance {
  const { areas, operations, peopleOperations, operatorOperations } = declared
  const { eventSources: sources } = declared
  const admission = createAdmission(runtime)
  const sites = runtime.config.roles.has('web') ? createSitesHandler(runtime) : null
  const app = createHttpServer(runtime, sites?.answer)
  addRequestLog(app, runtime)
  addHealth(app, runtime)
  if (!runtime.config.production) {
    // Imported only here, so that production never loads a simulator.
    app.register(async (scope) => {
      const { addSimulators } = await import('./edges/dev/simulators/simulators.ts')
      addSimulators(scope, runtime)
    })
  }
  if (!sites) return app
  addSitePassword(app, runtime, sites)
  setEventSources(runtime, sources)
  addRest(app, { runtime, admission, operations })
  addPublic(app, { runtime, operations })
  addFormsScript(app)
  addUploads(app, runtime)
  addFileLinks(app, runtime)
  registerRunner(runtime, createOperationRunner(runtime, operations))
  const state = areas.flatMap((area) => area.state ?? [])
  const guides = areas.flatMap((area) => area.guides ?? [])
  addMcp(app, { runtime, admission, operations, peopleOperations, sources, state, guides })
  addOAuth(app, runtime)
  const people = documentPeopleOperations(peopleOperations)
  addDocs(app, runtime, { operations, people, sources, guides })
  addPortalApi(app, { runtime, peopleOperations, operatorOperations, operations })
  addPortalApp(app, runtime)
  addPortal(app, runtime, operations)
  if (clock) addDevelopmentClock(app, runtime, clock)
  return app
}

function startWork({ areas, operations, eventSources }: Declared, runtime: Runtime) {
  registerRunner(runtime, createOperationRunner(runtime, operations))
  const deliveries = startDeliveries(runtime, { sources: eventSources })
  const working = startJobs(runtime, {
    jobs: areas.flatMap(({ jobs = [] }) => jobs).map(recordedJob),
    reconcilers: [...kernelReconcilers, ...areas.flatMap(({ reconcilers = [] }) => reconcilers)],
  })
  return {
    async stop() {
      await Promise.all([deliveries.stop(), working.stop()])
    },
  }
}
