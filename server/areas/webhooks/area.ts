/** Webhooks: endpoints, deliveries and the log of attempts. */
import { defineArea } from '../../contract/area.ts'
import {
  summarizePage,
  pickFields,
  type JsonRecord,
} from '../../contract/manifest/state-section.ts'
import { SECRET_PURPOSE } from './attempt/sign.ts'
import * as events from './events.ts'
import { deleteExpiredSecrets, mailEndpointOwner } from './jobs.ts'
import { purgeHistory } from './log/purge.ts'
import * as operations from './operations.ts'

export const webhooks = defineArea({
  name: 'webhooks',
  sealed: ['sealed_secret', 'previous_sealed_secret'].map((column) => ({
    table: 'webhook_endpoints',
    column,
    purpose: () => SECRET_PURPOSE,
  })),
  operations: [operations],
  events: [events],
  jobs: [mailEndpointOwner],
  reconcilers: [purgeHistory, deleteExpiredSecrets],
  state: [
    {
      name: 'failing_webhooks',
      about: 'failing webhooks',
      operation: 'webhooks.list',
      show: (reply) => summarizePage(reply, failing),
    },
  ],
  exported: [
    {
      table: 'webhook_endpoints',
      without: ['sealed_secret', 'previous_sealed_secret'],
      for_reading: true,
    },
  ],
  guides: [
    {
      page: 'verify-signatures',
      group: 'Events',
      title: 'Verify signatures',
      card: { title: 'Signatures', text: 'Check a webhook in five languages.' },
    },
  ],
})

function failing(one: JsonRecord): JsonRecord | null {
  if (one['consecutive_failures'] === 0 && one['active'] === true) return null
  return pickFields(one, ['id', 'url', 'active', 'consecutive_failures', 'last_failure_at'])
}
