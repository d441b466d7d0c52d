/** What each scope allows, as people choose it: what it is about, and what may be done with it. */
import type { Scope } from '../../contract/scopes.ts'

export const scopeWords = {
  'project:read': ['Project', 'its facts, balance and agents; every assistant needs this'],
  'numbers:read': ['Phone numbers', 'your numbers, and what happens when somebody calls'],
  'calls:read': ['Calls', 'all calls, with what was said'],
  'messages:read': ['Messages', 'SMS and emails, and what became of them'],
  'chat:read': ['Chat', 'conversations with visitors'],
  'sites:read': ['Sites and files', 'sites, versions, domains, apps and media'],
  'data:read': ['Data', 'collections and everything in them'],
  'project:write': ['Project', 'change company details and agents'],
  'numbers:write': ['Phone numbers', 'order and release numbers, decide what a call does'],
  'assistant:write': ['Voice assistant', 'decide what it knows and says'],
  'webhooks:write': ['Webhooks', 'decide where events are sent'],
  'messages:write': ['Messages', 'send SMS and email'],
  'calls:write': ['Calls', 'let the voice assistant call people'],
  'chat:write': ['Chat', 'start conversations, manage the chat window'],
  'sites:write': ['Sites and files', 'publish and change sites, domains, apps and media'],
  'data:write': ['Data', 'create collections; write and delete what is in them'],
} as const satisfies Record<Scope, readonly [about: string, may: string]>
