/**
 * The table of contents: every area. The order is that of operations in OpenAPI and in the
 * documentation. To add an area, see CONTRIBUTING.md.
 */
import { activity } from './areas/activity/area.ts'
import { agents } from './areas/agents/area.ts'
import { alerts } from './areas/alerts/area.ts'
import { apps } from './areas/apps/area.ts'
import { approvals } from './areas/approvals/area.ts'
import { assistant } from './areas/assistant/area.ts'
import { backups } from './areas/backups/area.ts'
import { billing } from './areas/billing/area.ts'
import { callPlans } from './areas/call-plans/area.ts'
import { calls } from './areas/calls/area.ts'
import { connections } from './areas/connections/area.ts'
import { conversations } from './areas/conversations/area.ts'
import { credentials } from './areas/credentials/area.ts'
import { data } from './areas/data/area.ts'
import { deletedProjects } from './areas/deleted-projects/area.ts'
import { email } from './areas/email/area.ts'
import { files } from './areas/files/area.ts'
import { goLive } from './areas/go-live/area.ts'
import { importExport } from './areas/import-export/area.ts'
import { jsonSchema } from './areas/json-schema/area.ts'
import { keys } from './areas/keys/area.ts'
import { media } from './areas/media/area.ts'
import { messages } from './areas/messages/area.ts'
import { numbers } from './areas/numbers/area.ts'
import { operator } from './areas/operator/area.ts'
import { payments } from './areas/payments/area.ts'
import { people } from './areas/people/area.ts'
import { plans } from './areas/plans/area.ts'
import { portalAssistant } from './areas/portal-assistant/area.ts'
import { privacy } from './areas/privacy/area.ts'
import { projectExports } from './areas/project-exports/area.ts'
import { projects } from './areas/projects/area.ts'
import { publicTokens } from './areas/public-tokens/area.ts'
import { requests } from './areas/requests/area.ts'
import { sites } from './areas/sites/area.ts'
import { status } from './areas/status/area.ts'
import { usage } from './areas/usage/area.ts'
import { verification } from './areas/verification/area.ts'
import { visits } from './areas/visits/area.ts'
import { webhooks } from './areas/webhooks/area.ts'
import { assemble } from './assemble.ts'
import type { Area } from './contract/area.ts'

export const areas: readonly Area[] = [
  projects,
  people,
  credentials,
  deletedProjects,
  goLive,
  verification,
  billing,
  plans,
  keys,
  connections,
  numbers,
  assistant,
  calls,
  callPlans,
  messages,
  conversations,
  email,
  payments,
  webhooks,
  jsonSchema,
  data,
  importExport,
  publicTokens,
  media,
  files,
  sites,
  apps,
  visits,
  approvals,
  agents,
  privacy,
  projectExports,
  requests,
  activity,
  operator,
  backups,
  alerts,
  portalAssistant,
  usage,
  status,
]

export const {
  operations,
  peopleOperations,
  operatorOperations,
  eventSources,
  sealedColumns,
  exportedTables,
  buildApp,
  startWork,
} = assemble(areas)
