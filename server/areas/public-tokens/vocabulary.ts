/** The words that public tokens add to the contract. */
import type { ScopeEntry } from '../../contract/catalogue/scope-entry.ts'

export const scopes = {
  'chat:read': {
    about: 'chat conversations and chat widget tokens',
    read_only: true,
    title: 'Public tokens',
    may: 'tokens with which forms on websites send data',
  },
  'chat:write': {
    about: 'starting chats, managing chat widget tokens',
    read_only: false,
    title: 'Public tokens',
    may: 'create, change and revoke tokens for forms on websites',
  },
} as const satisfies Record<string, ScopeEntry>
