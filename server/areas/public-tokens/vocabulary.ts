/** The words that public tokens add to the contract. */
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'chat:read': {
    about: 'chat conversations and chat widget tokens',
    read_only: true,
    title: 'Chat',
    may: 'all text conversations, and the tokens of chat widgets and forms',
    title_nl: 'Chat',
    may_nl: 'alle chatgesprekken, en de tokens van chatwidgets en formulieren',
  },
  'chat:write': {
    about: 'starting chats, managing chat widget tokens',
    read_only: false,
    title: 'Chat',
    may: 'hold text conversations, and manage the tokens of chat widgets and forms',
    title_nl: 'Chat',
    may_nl: 'chatgesprekken voeren, en de tokens van chatwidgets en formulieren beheren',
  },
} as const satisfies Record<string, ScopeEntry>
