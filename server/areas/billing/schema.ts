/**
 * What a client sees of billing (specification: Balance, Transaction), and the data of the
 * balance events. Amounts are euro, excluding VAT, with up to six decimals.
 */
import { Type, type Static } from 'typebox'
import { named } from '../../contract/named.ts'
import { about, orNull, shownAs, Timestamp, Uuid } from '../../contract/shapes.ts'
import { paymentFailures } from '../../providers/payments/payment-contract.ts'

const Currency = Type.Enum(['EUR'], { description: 'Always EUR.' })

export const Transaction = named(
  'Transaction',
  Type.Object({
    id: about(Uuid, 'Id of the transaction.'),
    type: Type.Enum(['charge', 'top_up'], { description: 'Whether money was spent or added.' }),
    source: Type.String({
      description: 'What it was for or where it came from.',
      examples: ['sms'],
    }),
    amount_eur: Type.Number({ description: 'Negative for a charge.', examples: [-0.084] }),
    balance_after_eur: Type.Number({
      minimum: 0,
      description: 'The balance right after it.',
      examples: [24.916],
    }),
    description: Type.String({
      description: 'What it was, in a line.',
      examples: ['SMS to +31612345678'],
    }),
    quantity: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'How many units were charged; null where nothing is counted.',
      examples: [1],
    }),
    unit: Type.Union([Type.String(), Type.Null()], {
      description:
        'What quantity counts, such as segment or minute; null where nothing is counted.',
      examples: ['segment'],
    }),
    reference_id: Type.String({
      format: 'uuid',
      description: 'The record that was charged for or paid with, such as the message.',
    }),
    created_at: about(Timestamp, 'When it was booked.'),
  }),
)
export type Transaction = Static<typeof Transaction>

const Card = Type.Object(
  {
    brand: Type.String({ description: 'Brand of the card.', examples: ['visa'] }),
    last4: Type.String({ description: 'Its last four digits.', examples: ['4242'] }),
    expiry: Type.String({
      description: 'Month and year it expires, as MM/YY.',
      examples: ['12/28'],
    }),
  },
  { description: 'The saved card that automatic top-ups are paid with.' },
)

export const AutoReload = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the owner has turned automatic top-up on.' }),
  active: Type.Boolean({ description: 'Whether a top-up would be made now if it were needed.' }),
  threshold_eur: Type.Number({
    minimum: 0,
    description: 'A balance below this is low: balance.low is sent, on or off.',
    examples: [5],
  }),
  amount_eur: Type.Number({
    minimum: 0,
    description: 'How much is added at a time.',
    examples: [25],
  }),
  max_per_month: Type.Integer({
    minimum: 0,
    description: 'How many automatic top-ups may be made in a calendar month.',
    examples: [5],
  }),
  used_this_month: Type.Integer({
    minimum: 0,
    description: 'Top-ups of this calendar month that were paid, and one that is under way.',
  }),
  disabled_reason: Type.Union([Type.Enum(paymentFailures), Type.Null()], {
    description:
      'Why the service turned it off after a payment failed, until the owner turns it on again.',
    examples: [null],
  }),
  card: orNull(Card, 'The saved card; null: none is saved.'),
})

export const Balance = named(
  'Balance',
  Type.Object({
    balance_eur: Type.Number({
      minimum: 0,
      description: 'What can be spent now. Money held for something under way is not in it.',
      examples: [24.916],
    }),
    currency: Currency,
    spent_this_month_eur: Type.Number({
      minimum: 0,
      description: 'Charges of this calendar month and what is held now, as the cap counts.',
      examples: [0.084],
    }),
    spend_cap_eur: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Monthly spending cap; null while none is set.',
      examples: [100],
    }),
    auto_reload: about(AutoReload, 'Automatic top-up: its settings and whether it works now.'),
    transactions: Type.Array(Transaction, { description: 'The latest 20, newest first.' }),
    test: Type.Boolean({
      description: 'True when read with a test key; the balance is the real one.',
    }),
  }),
)
export type Balance = Static<typeof Balance>

export const BalanceLow = Type.Object({
  balance_eur: Type.Number({
    minimum: 0,
    description: 'The balance right after the charge.',
    examples: [4.916],
  }),
  currency: Currency,
  threshold_eur: Type.Number({
    minimum: 0,
    description: 'The amount it dropped below.',
    examples: [5],
  }),
  transaction: about(Transaction, 'The charge that lowered the balance.'),
})
export type BalanceLow = Static<typeof BalanceLow>

export const BalanceToppedUp = Type.Object({
  balance_eur: Type.Number({
    minimum: 0,
    description: 'The balance right after the top-up.',
    examples: [29.916],
  }),
  currency: Currency,
  transaction: shownAs(about(Transaction, 'The top-up.'), {
    id: '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20',
    type: 'top_up',
    source: 'auto_reload',
    amount_eur: 25,
    balance_after_eur: 29.916,
    description: 'Automatic top-up',
    quantity: null,
    unit: null,
    reference_id: '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d21',
    created_at: '2026-11-21T09:30:00.000Z',
  }),
})
export type BalanceToppedUp = Static<typeof BalanceToppedUp>

export const BalanceReloadFailed = Type.Object({
  amount_eur: Type.Number({
    minimum: 0,
    description: 'The amount that could not be added.',
    examples: [25],
  }),
  currency: Currency,
  reason: Type.Enum([...paymentFailures, 'provider_unavailable'], {
    description:
      'Why the payment failed. After provider_unavailable another one is tried by itself; every ' +
      'other reason turns automatic top-up off.',
  }),
  occurred_at: about(Timestamp, 'When the payment failed.'),
})
export type BalanceReloadFailed = Static<typeof BalanceReloadFailed>
