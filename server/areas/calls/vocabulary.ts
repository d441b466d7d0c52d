/** The prices and terms that calls add to the contract. */
import type { PriceEntry } from '../../contract/catalogue/entries/price-entry.ts'
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'calls:read': {
    about: 'GET /calls, GET /calls/{id} with transcripts, POST /test/calls in test mode',
    read_only: true,
    title: 'Calls',
    may: 'all calls, with what was said',
    title_nl: 'Telefoongesprekken',
    may_nl: 'alle gesprekken, met wat er is gezegd',
  },
  'calls:write': {
    about: 'outbound calls by the assistant',
    read_only: false,
    title: 'Change calls',
    may: 'delete calls with their transcripts',
    title_nl: 'Telefoongesprekken wijzigen',
    may_nl: 'gesprekken met hun transcripties verwijderen',
  },
} as const satisfies Record<string, ScopeEntry>

export const eventTypes = {
  'call.completed': 'a call has ended',
  'call.summary.ready': 'the summary of a call is ready; arrives after call.completed',
} as const satisfies Record<string, string>

export const prices = {
  'call.inbound': { unit: 'minute', about: 'A call that comes in.', price_eur: 0.012 },
  'call.outbound': { unit: 'minute', about: 'A call that goes out.', price_eur: 0.06 },
  'call.forwarded': {
    unit: 'minute',
    about: 'The second leg of a call that is put through.',
    price_eur: 0.06,
  },
} as const satisfies Record<string, PriceEntry>
