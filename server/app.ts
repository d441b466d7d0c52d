/**
 * The table of contents: every area and every way in. Lists only; what a thing does is said where
 * it lives.
 */
import type { FastifyInstance } from 'fastify'
import { executeApprovalJob } from './areas/approvals/decision/execute-job.ts'
import { expireApprovals, deleteOldApprovals } from './areas/approvals/jobs.ts'
import { sendPendingMail, notifyTeam } from './areas/approvals/mail/mail-jobs.ts'
import * as approvals from './areas/approvals/operations.ts'
import * as ownApprovals from './areas/approvals/people-operations.ts'
import { setRunner } from './areas/approvals/service.ts'
import { indexWebsite } from './areas/assistant/jobs.ts'
import * as assistant from './areas/assistant/operations.ts'
import * as billingEvents from './areas/billing/events.ts'
import { autoReload, dueReloads, expiredHolds, readCard } from './areas/billing/jobs.ts'
import { latePayment } from './areas/billing/reload/late-payment.ts'
import { openCheckouts } from './areas/billing/checkout/checkout.ts'
import * as billing from './areas/billing/operations.ts'
import * as money from './areas/billing/people-operations.ts'
import * as callEvents from './areas/calls/events.ts'
import { summariseCall } from './areas/calls/jobs.ts'
import { mailMessages, sendMessages } from './areas/calls/message-jobs.ts'
import * as calls from './areas/calls/operations.ts'
import * as publicTokens from './areas/public-tokens/operations.ts'
import { deleteExpiredConnections } from './areas/connections/jobs.ts'
import * as connections from './areas/connections/people-operations.ts'
import * as dataEvents from './areas/data/events.ts'
import { purgeChanges } from './areas/data/change-jobs.ts'
import * as dataChanges from './areas/data/operations/changes.ts'
import * as collections from './areas/data/operations/collections.ts'
import * as documents from './areas/data/operations/documents.ts'
import * as dataQuery from './areas/data/operations/query.ts'
import * as dataTransfer from './areas/data/operations/transfer.ts'
import * as publicForms from './areas/data/operations/public.ts'
import { sweepFiles } from './areas/files/sweep.ts'
import * as goLive from './areas/go-live/people-operations.ts'
import * as keys from './areas/keys/people-operations.ts'
import { readLater } from './areas/media/jobs.ts'
import * as media from './areas/media/operations.ts'
import { monthlyCharges, openOrders, registrations } from './areas/numbers/jobs.ts'
import * as numbers from './areas/numbers/operations.ts'
import * as team from './areas/people/team/people-operations-team.ts'
import * as own from './areas/people/people-operations.ts'
import { checkVatNumber } from './areas/projects/jobs.ts'
import { forgetSignIns, sendCode, sendInvitation, sendNotice } from './areas/people/jobs.ts'
import * as projects from './areas/projects/operations.ts'
import { forgetDeploys } from './areas/sites/jobs.ts'
import * as sites from './areas/sites/operations.ts'
import {
  forgetReviews,
  tellOperator,
  tellOwner as tellSiteOwner,
} from './areas/sites/reviews/review-jobs.ts'
import * as status from './areas/status/operations.ts'
import * as webhookEvents from './areas/webhooks/events.ts'
import { forgetSecrets, tellOwner } from './areas/webhooks/jobs.ts'
import { purgeHistory } from './areas/webhooks/log/purge.ts'
import * as webhooks from './areas/webhooks/operations.ts'
import { startDeliveries } from './areas/webhooks/runner.ts'
import { handInSources } from './areas/webhooks/sources.ts'
import type { EventSource } from './contract/events.ts'
import type { Operation } from './contract/operation.ts'
import type { PeopleOperation } from './contract/people.ts'
import { createAdmission } from './edges/admission.ts'
import { runnerFor } from './edges/approvals/runner.ts'
import { addDevelopmentClock } from './edges/dev/clock.ts'
import { addDocs } from './edges/docs/docs.ts'
import { addFileLinks } from './edges/files/links.ts'
import { addUploads } from './edges/files/uploads.ts'
import { addHealth } from './edges/http/health.ts'
import { addressesOf, openApiDocument, openApiOperation } from './edges/http/openapi.ts'
import { addRest } from './edges/http/routes.ts'
import { newServer } from './edges/http/server.ts'
import { addMcp } from './edges/mcp/mcp.ts'
import { documentedPeople } from './edges/portal-api/document.ts'
import { addPortalApi } from './edges/portal-api/portal-api.ts'
import { addOAuth } from './edges/oauth/oauth.ts'
import { addPortal } from './edges/portal/portal.ts'
import { addPublic } from './edges/public/routes.ts'
import { createSites } from './edges/sites/door.ts'
import { addSitePassword } from './edges/sites/password.ts'
import { addFormsScript } from './edges/widget/forms-script.ts'
import { sweepChallenges } from './kernel/secrets/challenge.ts'
import type { MovableClock } from './kernel/clock.ts'
import type { Runtime } from './kernel/runtime.ts'
import { sweepIdempotencyKeys } from './kernel/idempotency/idempotency.ts'
import { startJobs } from './kernel/jobs/jobs.ts'

const described: readonly Operation[] = [
  projects,
  billing,
  numbers,
  assistant,
  calls,
  webhooks,
  collections,
  documents,
  dataQuery,
  dataTransfer,
  dataChanges,
  publicForms,
  publicTokens,
  media,
  sites,
  approvals,
  status,
].flatMap((area) => Object.values(area))

export const eventSources: readonly EventSource[] = [
  billingEvents,
  callEvents,
  dataEvents,
  webhookEvents,
].flatMap((area) => Object.values(area))

const openApi = openApiOperation((runtime) =>
  openApiDocument(operations, eventSources, addressesOf(runtime)),
)
export const operations: readonly Operation[] = [...described, openApi]

/** What people alone may do: for sessions of the portal, never for a key or a connection. */
export const peopleOperations: readonly PeopleOperation[] = [
  own,
  team,
  goLive,
  money,
  keys,
  connections,
  ownApprovals,
].flatMap((area) => Object.values(area))

const jobs = [
  indexWebsite,
  mailMessages,
  sendMessages,
  summariseCall,
  checkVatNumber,
  autoReload,
  latePayment,
  readCard,
  tellOwner,
  sendCode,
  sendInvitation,
  sendNotice,
  tellOperator,
  tellSiteOwner,
  readLater,
  executeApprovalJob,
  notifyTeam,
  sendPendingMail,
]
const reconcilers = [
  dueReloads,
  expiredHolds,
  openCheckouts,
  openOrders,
  registrations,
  monthlyCharges,
  purgeHistory,
  purgeChanges,
  forgetSecrets,
  forgetReviews,
  forgetDeploys,
  forgetSignIns,
  deleteExpiredConnections,
  sweepFiles,
  sweepIdempotencyKeys,
  sweepChallenges,
  expireApprovals,
  deleteOldApprovals,
]

/**
 * The HTTP server with every way in; health alone where this process is not for the web. `clock`
 * is given where it may be moved.
 */
export function buildApp(runtime: Runtime, clock: MovableClock | null): FastifyInstance {
  const admission = createAdmission(runtime)
  const sites = runtime.config.roles.has('web') ? createSites(runtime) : null
  const app = newServer(runtime, sites?.answer)
  addHealth(app, runtime)
  if (!runtime.config.production) {
    // Imported here alone, so that production never loads a simulator.
    app.register(async (scope) => {
      const { addSimulators } = await import('./edges/dev/simulators/simulators.ts')
      addSimulators(scope, runtime)
    })
  }
  if (!sites) return app
  addSitePassword(app, runtime, sites)
  handInSources(runtime, eventSources)
  addRest(app, { runtime, admission, operations })
  addPublic(app, { runtime, operations })
  addFormsScript(app)
  addUploads(app, runtime)
  addFileLinks(app, runtime)
  setRunner(runtime, runnerFor(runtime, operations))
  addMcp(app, { runtime, admission, operations, peopleOperations, sources: eventSources })
  addOAuth(app, runtime)
  const people = documentedPeople(peopleOperations)
  addDocs(app, runtime, { operations, people, sources: eventSources })
  addPortalApi(app, { runtime, peopleOperations, operations })
  addPortal(app, runtime, operations)
  if (clock) addDevelopmentClock(app, runtime, clock)
  return app
}

/** Everything that works without being asked: jobs, reconcilers and deliveries. */
export function startWork(runtime: Runtime): { stop(): Promise<void> } {
  setRunner(runtime, runnerFor(runtime, operations))
  const deliveries = startDeliveries(runtime, { sources: eventSources })
  const working = startJobs(runtime, { jobs, reconcilers })
  return {
    async stop() {
      await Promise.all([deliveries.stop(), working.stop()])
    },
  }
}
