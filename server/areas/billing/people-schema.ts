/** Shapes of the portal API of billing: top-ups, automatic top-up and the months. */
import { Type, type Static } from 'typebox'
import { withDescription, Timestamp, Uuid } from '../../contract/schema/shapes.ts'
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
    amount_eur: Type.Number({ ...amount, description: 'Amount in euro, in whole cents.' }),
    save_card: Type.Optional(
      Type.Boolean({ description: 'true saves the card for automatic top-ups.' }),
    ),
  },
  { additionalProperties: false },
)
export type TopUpInput = Static<typeof TopUpInput>

export const TopUpOrder = Type.Object({
  id: withDescription(Uuid, 'Id of the top-up.'),
  state: Type.Enum(['open', 'paid', 'expired'], {
    description: 'open: waits for payment. expired: not paid in time.',
  }),
  amount_eur: Type.Number({ minimum: 0, description: 'Amount in euro.', examples: [25] }),
  save_card: Type.Boolean({ description: 'Whether the card is saved for automatic top-ups.' }),
  url: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'URL of the payment page; null once the top-up has ended.',
    examples: ['https://checkout.stripe.com/c/pay/cs_test_a1b2c3'],
  }),
  created_at: withDescription(Timestamp, 'When the top-up was created.'),
  expires_at: withDescription(Timestamp, 'When an unpaid top-up expires.'),
})
export type TopUpOrder = Static<typeof TopUpOrder>

export const TopUpParams = Type.Object({ top_up_id: withDescription(Uuid, 'Id of the top-up.') })

export const AutoReloadInput = Type.Object(
  {
    enabled: Type.Boolean({
      description:
        'Turns automatic top-up on or off. true also re-enables it after a failed payment.',
    }),
    threshold_eur: Type.Number({
      minimum: euroFromMicro(threshold_micro.min),
      maximum: euroFromMicro(threshold_micro.max),
      description: 'Balance below which a top-up is made.',
      examples: [5],
    }),
    amount_eur: Type.Number({
      ...amount,
      description: 'Amount of each automatic top-up, in whole cents.',
    }),
    max_per_month: Type.Integer({
      minimum: max_per_month.min,
      maximum: max_per_month.max,
      description: 'Maximum number of automatic top-ups per calendar month.',
      examples: [5],
    }),
    card: Type.Optional(
      Type.Null({
        description: 'null removes the saved card. To save a card, make a top-up with save_card.',
      }),
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
      description: 'Number of calendar months to return, including the current one.',
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
  topped_up_eur: Type.Number({ minimum: 0, description: 'Sum of the top-ups.', examples: [50] }),
  spent_eur: Type.Number({
    description: 'Sum of the charges, less refunds.',
    examples: [12.34],
  }),
  spent_on: Type.Array(
    Type.Object({
      source: Type.String({ description: 'Category of the spending.', examples: ['sms'] }),
      amount_eur: Type.Number({ description: 'Amount spent in this category.', examples: [0.84] }),
    }),
    { description: 'Spending by category, largest first.' },
  ),
})
export type Month = Static<typeof Month>
