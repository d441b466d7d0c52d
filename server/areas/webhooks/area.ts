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
      name: 'webhooks',
      about: 'webhooks, and which of them fail',
      operation: 'webhooks.list',
      show: (reply) => summarizePage(reply, summarize),
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

function summarize(one: JsonRecord): JsonRecord {
  const fails = one['consecutive_failures'] !== 0 || one['active'] !== true
  const state = fails ? (['active', 'consecutive_failures', 'last_failure_at'] as const) : []
  return pickFields(one, ['id', 'url', 'events', ...state])
}
