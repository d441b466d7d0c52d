/** The words that greetings add to the contract. */
import type { ScopeEntry } from '../../contract/catalogue/scope-entry.ts'

export const scopes = {
  'greetings:write': {
    about: 'greeting people',
    read_only: false,
    title: 'Greetings',
    may: 'greet people by name',
  },
} as const satisfies Record<string, ScopeEntry>

export const eventTypes = {
  'greeting.made': 'a person was greeted',
} as const satisfies Record<string, string>
