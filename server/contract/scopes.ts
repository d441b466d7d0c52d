/**
 * The scopes in the specification's order. A request without the scope of an operation gets 403
 * missing_scope. The texts are literal from the specification, because the consent page and the
 * documentation show them.
 */
export interface ScopeEntry {
  readonly about: string
  /** Whether it only reads; the default for connections. */
  readonly read_only: boolean
}

const table = {
  'project:read': {
    about: 'GET /project, the balance, the agents (read), the MCP server',
    read_only: true,
  },
  'numbers:read': {
    about: 'GET /numbers, GET /numbers/available, GET /numbers/{id}/call-plan',
    read_only: true,
  },
  'calls:read': {
    about: 'GET /calls, GET /calls/{id} with transcripts, POST /test/calls in test mode',
    read_only: true,
  },
  'messages:read': { about: 'SMS messages and emails with status', read_only: true },
  'chat:read': { about: 'chat conversations and chat widget tokens', read_only: true },
  'sites:read': {
    about: 'sites, versions, domains, apps, media library, sending domains',
    read_only: true,
  },
  'data:read': { about: 'collections and documents', read_only: true },
  'project:write': { about: 'company details, managing agents', read_only: false },
  'numbers:write': { about: 'claiming/releasing numbers, call plans', read_only: false },
  'assistant:write': { about: 'configuring the voice assistant', read_only: false },
  'webhooks:write': {
    about: 'create, list, delete, enable, test webhook endpoints',
    read_only: false,
  },
  'messages:write': { about: 'sending SMS and email', read_only: false },
  'calls:write': { about: 'outbound calls by the assistant', read_only: false },
  'chat:write': { about: 'starting chats, managing chat widget tokens', read_only: false },
  'sites:write': {
    about: 'publishing sites; domains, apps, media library, sending domains',
    read_only: false,
  },
  'data:write': { about: 'creating collections, writing documents', read_only: false },
} as const satisfies Record<string, ScopeEntry>

export type Scope = keyof typeof table

/** Every scope with its description, in the specification's order. */
export const scopes: Readonly<Record<Scope, ScopeEntry>> = table

/** The names in the same order. */
export const scopeNames: readonly Scope[] = Object.keys(table).filter(isScope)

export function isScope(word: string): word is Scope {
  return Object.hasOwn(table, word)
}
