/** The prices and terms that phone numbers add to the contract. */
import type { PriceEntry } from '../../contract/catalogue/entries/price-entry.ts'
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'numbers:read': {
    about: 'GET /numbers, GET /numbers/available, GET /numbers/{id}/call-plan',
    read_only: true,
    title: 'Phone numbers',
    may: 'your numbers and the call plans of their calls',
    title_nl: 'Telefoonnummers',
    may_nl: 'uw nummers en de belplannen van hun gesprekken',
  },
  'numbers:write': {
    about: 'claiming/releasing numbers, call plans',
    read_only: false,
    title: 'Phone numbers',
    may: 'order and release numbers, decide what a call does',
    title_nl: 'Telefoonnummers',
    may_nl: 'nummers bestellen en teruggeven, bepalen wat een gesprek doet',
  },
} as const satisfies Record<string, ScopeEntry>

export const prices = {
  'number.national': { unit: 'month', about: 'A national phone number.', price_eur: 5 },
  'number.geographic': { unit: 'month', about: 'A phone number with an area code.', price_eur: 3 },
} as const satisfies Record<string, PriceEntry>
