/** The event type and scopes that webhooks adds to the contract. */
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'webhooks:write': {
    about: 'create, list, delete, enable, test webhook endpoints',
    read_only: false,
    title: 'Webhooks',
    may: 'decide where events are sent',
    title_nl: 'Webhooks',
    may_nl: 'bepalen waarheen gebeurtenissen worden gestuurd',
  },
} as const satisfies Record<string, ScopeEntry>

export const eventTypes = {
  // A subscription to this type is accepted, because it is in the published list, but has no
  // effect: POST /webhooks/{id}/test sends it to the named endpoint, whatever its subscriptions.
  'webhook.test': 'only when requested with POST /webhooks/{id}/test',
} as const satisfies Record<string, string>
