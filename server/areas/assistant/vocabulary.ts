/** The words that the assistant adds to the contract. */
import type { PriceEntry } from '../../contract/catalogue/entries/price-entry.ts'
import type { ScopeEntry } from '../../contract/catalogue/entries/scope-entry.ts'

export const scopes = {
  'assistant:write': {
    about: 'configuring the voice assistant',
    read_only: false,
    title: 'Voice assistant',
    may: 'decide what it knows and says',
    title_nl: 'Spraakassistent',
    may_nl: 'bepalen wat die weet en zegt',
  },
} as const satisfies Record<string, ScopeEntry>

export const prices = {
  'model.tokens_in': {
    unit: 'million tokens',
    about: 'What a language model reads.',
    price_eur: 0.6,
  },
  'model.tokens_out': {
    unit: 'million tokens',
    about: 'What a language model writes.',
    price_eur: 3,
  },
} as const satisfies Record<string, PriceEntry>
