/** Limits of public tokens. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  chat_token_conversations_per_day_default: {
    value: 200,
    unit: 'conversations',
    about: 'New conversations per day of a public chat token, unless set otherwise',
    applies_to: 'chat widget',
  },
  chat_token_conversations_per_day_max: {
    value: 1000,
    unit: 'conversations',
    about: 'Most new conversations per day that can be set for a public chat token',
    applies_to: 'chat widget',
  },
  chat_token_spending_per_day_eur_default: {
    value: 5,
    unit: 'euro',
    about: 'Spending per day on replies of a public chat token, unless set otherwise',
    applies_to: 'chat widget',
  },
  chat_token_spending_per_day_eur_max: {
    value: 1000,
    unit: 'euro',
    about: 'Most spending per day that can be set; 0 turns the live widget off',
    applies_to: 'chat widget',
  },
  public_tokens_max: {
    value: 50,
    unit: 'tokens',
    about: 'Active public tokens per project',
    applies_to: 'POST /chat-tokens',
  },
  public_token_origins_max: {
    value: 20,
    unit: 'origins',
    about: 'Allowed origins of one public token',
    applies_to: 'POST /chat-tokens',
  },
} as const satisfies Record<string, LimitEntry>
