/**
 * What each scope allows, as people choose it: what it is about, and what may be done with it. The
 * words name only what this server can do; scopes that no operation needs are not offered at all.
 */
import type { Scope } from '../../contract/scopes.ts'

export const scopeWords = {
  'project:read': ['Project', 'its facts, balance and approvals; every assistant needs this'],
  'numbers:read': ['Phone numbers', 'your numbers, and what happens when somebody calls'],
  'calls:read': ['Calls', 'all calls, with what was said'],
  'messages:read': ['Messages', 'messages that were sent, and what became of them'],
  'chat:read': ['Public tokens', 'the tokens with which forms on websites send data'],
  'sites:read': ['Sites and files', 'sites, their versions and media'],
  'data:read': ['Data', 'collections and everything in them'],
  'project:write': ['Project', 'change company details'],
  'numbers:write': ['Phone numbers', 'order and release numbers, decide what a call does'],
  'assistant:write': ['Voice assistant', 'decide what it knows and says'],
  'webhooks:write': ['Webhooks', 'decide where events are sent'],
  'messages:write': ['Messages', 'send messages'],
  'calls:write': ['Outbound calls', 'let the voice assistant call people'],
  'chat:write': ['Public tokens', 'make, change and revoke tokens for forms on websites'],
  'sites:write': ['Sites and files', 'publish and change sites and media'],
  'data:write': ['Data', 'create collections; write and delete what is in them'],
} as const satisfies Record<Scope, readonly [about: string, may: string]>
