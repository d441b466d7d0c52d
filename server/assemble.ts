/** Connects the areas to the entry points and to background work. */
import type { FastifyInstance } from 'fastify'
import { recordedJob } from './areas/activity/service.ts'
import { enqueueQueuedRuns } from './areas/agents/service.ts'
import { closeApps, readCodeOfSite, setOperationsOfApps } from './areas/apps/service.ts'
import { registerRunner } from './areas/approvals/service.ts'
import { registerToolbox } from './areas/portal-assistant/service.ts'
import { prepareForCustomer } from './areas/email/service.ts'
import { setFullNotice } from './areas/data/service.ts'
import { setCustomerMail } from './areas/payments/service.ts'
import { enqueueVisitorsFullMails } from './areas/plans/service.ts'
import { setPersonalDataOfAreas } from './areas/privacy/service.ts'
import { setCodeOfSites } from './areas/sites/service.ts'
import { setEventSources, setRunStarter, startDeliveries } from './areas/webhooks/service.ts'
import type { Area } from './contract/area.ts'
import type { ExportedTable } from './contract/manifest/exported-table.ts'
import type { EventSource } from './contract/events.ts'
import type { ApiOperation } from './contract/operation.ts'
import type { PeopleOperation } from './contract/people.ts'
import { createAdmission } from './edges/admission.ts'
import { createOperationRunner } from './edges/approvals/runner.ts'
import { addDevelopmentClock } from './edges/dev/clock.ts'
import { addDocs } from './edges/docs/docs.ts'
import { addFileLinks } from './edges/files/links.ts'
import { addPersonExports } from './edges/files/person-exports.ts'
import { addProjectExports } from './edges/files/project-exports.ts'
import { addUploads } from './edges/files/uploads.ts'
import { addHooks } from './edges/hooks/hooks.ts'
import { addCallRelay } from './edges/hooks/call-relay.ts'
import { addPay } from './edges/pay/pay.ts'
import { addHealth } from './edges/http/health.ts'
import { readAddresses, createOpenApiDocument, declareOpenApi } from './edges/http/openapi.ts'
import { addRequestLog } from './edges/http/request-notes.ts'
import { addRest } from './edges/http/routes.ts'
import { createHttpServer } from './edges/http/server.ts'
import { createCatalog } from './edges/mcp/catalog.ts'
import { addMcp } from './edges/mcp/mcp.ts'
import { addConsent } from './edges/oauth/consent/consent.ts'
import { addOAuth } from './edges/oauth/oauth.ts'
import { documentPeopleOperations } from './edges/portal-api/document.ts'
import { addPortalApi } from './edges/portal-api/portal-api.ts'
import { addForeignHtml } from './edges/portal-app/foreign-html.ts'
import { addPortalApp } from './edges/portal-app/portal-app.ts'
import { createToolbox } from './edges/portal-assistant/toolbox.ts'
import { addPortal } from './edges/portal/portal.ts'
import { addPublic } from './edges/public/routes.ts'
import { keepViewsAtClose } from './edges/sites/serving/views.ts'
import { createSitesHandler } from './edges/sites/sites-handler.ts'
import { addSitePassword } from './edges/sites/password.ts'
import { addAppAuth } from './edges/sites/app-auth/app-auth.ts'
import { closeAppsAtClose } from './edges/sites/app-front.ts'
import { addStatusPage } from './edges/status-page/status-page.ts'
import { addWidgetScripts } from './edges/widget/scripts.ts'
import type { MovableClock } from './kernel/clock.ts'
import { sweepIdempotencyKeys } from './kernel/idempotency/idempotency.ts'
import { startJobs } from './kernel/jobs/jobs.ts'
import type { Runtime } from './kernel/runtime.ts'
import { sweepChallenges } from './kernel/challenge.ts'
import { sealedMacKeys } from './kernel/secrets/lasting-mac-keys.ts'
import type { SealedColumn } from './kernel/database/sealed/sealed-columns.ts'

/** Reconcilers of the kernel, which belong to no area. */
const kernelReconcilers = [sweepIdempotencyKeys, sweepChallenges]

export interface Assembled {
  operations: readonly ApiOperation[]
  peopleOperations: readonly PeopleOperation[]
  operatorOperations: readonly PeopleOperation[]
  eventSources: readonly EventSource[]
  /** Every column with values that are sealed with the master key. */
  sealedColumns: readonly SealedColumn[]
  /** The tables of the export of a whole project. */
  exportedTables: readonly ExportedTable[]
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
    sealedColumns: [sealedMacKeys, ...areas.flatMap((area) => area.sealed ?? [])],
    exportedTables: exportedTablesOf(areas),
    buildApp: (runtime, clock) => buildApp(declared, runtime, clock),
    startWork: (runtime) => startWork(declared, runtime),
  }
}

function exportedTablesOf(areas: readonly Area[]): ExportedTable[] {
  return areas.flatMap(({ exported = [] }) => exported)
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
      const { addDevelopmentMail } = await import('./edges/dev/mail.ts')
      addDevelopmentMail(scope, runtime)
    })
  }
  if (!sites) return app
  addSitePassword(app, runtime, sites)
  addAppAuth(app, runtime, sites)
  closeAppsAtClose(app, runtime)
  keepViewsAtClose(app, runtime)
  setEventSources(runtime, sources)
  addRest(app, { runtime, admission, operations })
  addPublic(app, { runtime, operations })
  addWidgetScripts(app)
  addUploads(app, runtime)
  addFileLinks(app, runtime)
  addHooks(app, runtime)
  addCallRelay(app, runtime)
  addPay(app, runtime)
  addPersonExports(app, runtime)
  addProjectExports(app, runtime, exportedTablesOf(areas))
  setRunner(runtime, operations)
  const state = areas.flatMap((area) => area.state ?? [])
  const guides = areas.flatMap((area) => area.guides ?? [])
  const catalog = createCatalog(operations, peopleOperations)
  addMcp(app, { runtime, admission, operations, catalog, sources, state, guides })
  addOAuth(app, runtime)
  const people = documentPeopleOperations(peopleOperations)
  const docs = addDocs(app, runtime, { operations, people, sources, guides })
  setFullNotice(enqueueVisitorsFullMails)
  setRunStarter(runtime, enqueueQueuedRuns)
  setPersonalDataOfAreas(runtime, areas)
  registerToolbox(runtime, createToolbox({ catalog, docs, state }))
  addPortalApi(app, { runtime, peopleOperations, operatorOperations, operations })
  addForeignHtml(app, runtime)
  addPortalApp(app, runtime)
  addPortal(app, runtime, { operations, more: [addConsent] })
  addStatusPage(app, runtime)
  if (clock) addDevelopmentClock(app, runtime, clock)
  return app
}

function startWork({ areas, operations, eventSources }: Declared, runtime: Runtime) {
  setRunner(runtime, operations)
  setCustomerMail(prepareForCustomer)
  setRunStarter(runtime, enqueueQueuedRuns)
  setEventSources(runtime, eventSources)
  setPersonalDataOfAreas(runtime, areas)
  const deliveries = startDeliveries(runtime, { sources: eventSources })
  const working = startJobs(runtime, {
    jobs: areas.flatMap(({ jobs = [] }) => jobs).map(recordedJob),
    reconcilers: [...kernelReconcilers, ...areas.flatMap(({ reconcilers = [] }) => reconcilers)],
  })
  return {
    async stop() {
      await Promise.all([deliveries.stop(), working.stop()])
      await closeApps(runtime)
    },
  }
}

/** Hands the operations to the areas that run them by name, and the code of apps to that of sites. */
function setRunner(runtime: Runtime, operations: readonly ApiOperation[]): void {
  const runner = createOperationRunner(runtime, operations)
  registerRunner(runtime, runner)
  setCodeOfSites(runtime, readCodeOfSite)
  setOperationsOfApps(runtime, async (name, given, caller) => {
    const prepared = runner.prepare(name, given)
    await runner.allow(prepared.operation, caller)
    return prepared.run(caller)
  })
}
