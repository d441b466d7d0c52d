/** Scopes and event types that the data area adds to the contract. */
import type { LimitedToEntry } from '../../contract/catalogue/entries/limited-to-entry.ts'
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'data:read': {
    about: 'collections and documents',
    read_only: true,
    title: 'Data',
    may: 'collections and their documents',
    title_nl: 'Gegevens',
    may_nl: 'collecties en hun documenten',
  },
  'data:write': {
    about: 'creating collections, writing documents',
    read_only: false,
    title: 'Data',
    may: 'create collections; write and delete their documents',
    title_nl: 'Gegevens',
    may_nl: 'collecties maken; hun documenten schrijven en verwijderen',
  },
} as const satisfies Record<string, ScopeEntry>

export const eventTypes = {
  'document.created':
    'a new document in a collection with webhook_on_insert, from the API or a site form',
} as const satisfies Record<string, string>

export const limitedTo = {
  collections: {
    about: 'Names of the collections that come along.',
    values: 'Names of collections of the project.',
    chosen: false,
  },
} as const satisfies Record<string, LimitedToEntry>
