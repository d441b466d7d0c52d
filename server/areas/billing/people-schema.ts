/** What people see and set of the balance: top-ups, automatic top-up, and the months. */
import { Type, type Static } from 'typebox'
import { about, Timestamp, Uuid } from '../../contract/shapes.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { autoReloadBounds } from './reload/auto-reload.ts'
import { AutoReload } from './schema.ts'

const { amount_micro, threshold_micro, max_per_month } = autoReloadBounds
const amount = {
  minimum: euroFromMicro(amount_micro.min),
  maximum: euroFromMicro(amount_micro.max),
  examples: [25],
}

export const TopUpInput = Type.Object(
  {
    amount_eur: Type.Number({ ...amount, description: 'In whole cents.' }),
    save_card: Type.Optional(
      Type.Boolean({ description: 'Whether the card is kept for automatic top-ups.' }),
    ),
  },
  { additionalProperties: false },
)
export type TopUpInput = Static<typeof TopUpInput>

export const TopUpOrder = Type.Object({
  id: about(Uuid, 'Id of the top-up.'),
  state: Type.Enum(['open', 'paid', 'expired'], {
    description: 'open: waits for the payment. expired: it was not paid in time.',
  }),
  amount_eur: Type.Number({ minimum: 0, description: 'What is paid in.', examples: [25] }),
  save_card: Type.Boolean({ description: 'Whether the card is kept for automatic top-ups.' }),
  url: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'The page of the payment provider on which to pay; null once it has ended.',
    examples: ['https://checkout.stripe.com/c/pay/cs_test_a1b2c3'],
  }),
  created_at: about(Timestamp, 'When the top-up was begun.'),
  expires_at: about(Timestamp, 'Until when it can be paid.'),
})
export type TopUpOrder = Static<typeof TopUpOrder>

export const TopUpParams = Type.Object({ top_up_id: about(Uuid, 'Id of the top-up.') })

export const AutoReloadInput = Type.Object(
  {
    enabled: Type.Boolean({ description: 'true also turns it on again after a failure.' }),
    threshold_eur: Type.Number({
      minimum: euroFromMicro(threshold_micro.min),
      maximum: euroFromMicro(threshold_micro.max),
      description: 'Below this it tops up.',
      examples: [5],
    }),
    amount_eur: Type.Number({ ...amount, description: 'How much it adds, in whole cents.' }),
    max_per_month: Type.Integer({
      minimum: max_per_month.min,
      maximum: max_per_month.max,
      description: 'How many automatic top-ups may be made in a calendar month.',
      examples: [5],
    }),
    card: Type.Optional(
      Type.Null({ description: 'null takes the saved card away. A top-up saves one.' }),
    ),
  },
  { additionalProperties: false },
)
export type AutoReloadInput = Static<typeof AutoReloadInput>

export const AutoReloadReply = AutoReload

export const MonthsQuery = Type.Object(
  {
    months: Type.Integer({
      minimum: 1,
      maximum: 36,
      default: 12,
      description: 'How many calendar months, this one included.',
    }),
  },
  { additionalProperties: false },
)

export const Month = Type.Object({
  month: Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}$',
    description: 'The calendar month.',
    examples: ['2026-11'],
  }),
  topped_up_eur: Type.Number({ minimum: 0, description: 'What was paid in.', examples: [50] }),
  spent_eur: Type.Number({
    description: 'What was charged, less what was given back.',
    examples: [12.34],
  }),
  spent_on: Type.Array(
    Type.Object({
      source: Type.String({ description: 'What was paid for.', examples: ['sms'] }),
      amount_eur: Type.Number({ description: 'How much was spent on it.', examples: [0.84] }),
    }),
    { description: 'The same by what it was for, the dearest first.' },
  ),
})
export type Month = Static<typeof Month>
