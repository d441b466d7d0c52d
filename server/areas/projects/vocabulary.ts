/** The words that projects add to the contract. */
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'project:read': {
    about: 'GET /project, the balance, the agents (read), the MCP server',
    read_only: true,
    title: 'Project',
    may: 'its facts, balance and approvals; every assistant needs this',
    title_nl: 'Project',
    may_nl: 'gegevens, tegoed en goedkeuringen; elke assistent heeft dit nodig',
  },
  'project:write': {
    about: 'company details, managing agents',
    read_only: false,
    title: 'Project',
    may: 'change company details',
    title_nl: 'Project',
    may_nl: 'bedrijfsgegevens wijzigen',
  },
} as const satisfies Record<string, ScopeEntry>
