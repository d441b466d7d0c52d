/**
 * Shapes of billing (specification: Balance, Transaction), and the data of the balance events.
 * Amounts are euro, excluding VAT, with up to six decimals.
 */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  orNull,
  withExample,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'
import { paymentFailures } from '../../providers/payments/payment-contract.ts'

const Currency = Type.Enum(['EUR'], { description: 'Always EUR.' })

export const LedgerTransaction = nameSchema(
  'Transaction',
  Type.Object({
    id: withDescription(Uuid, 'Id of the transaction.'),
    type: Type.Enum(['charge', 'top_up'], { description: 'Whether money was spent or added.' }),
    source: Type.String({
      description: 'What was charged for, or where the money came from.',
      examples: ['sms'],
    }),
    amount_eur: Type.Number({ description: 'Negative for a charge.', examples: [-0.084] }),
    balance_after_eur: Type.Number({
      minimum: 0,
      description: 'Balance after this transaction.',
      examples: [24.916],
    }),
    description: Type.String({
      description: 'Description in one line.',
      examples: ['SMS to +31612345678'],
    }),
    quantity: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description: 'Number of units charged; null if the charge is not per unit.',
      examples: [1],
    }),
    unit: Type.Union([Type.String(), Type.Null()], {
      description:
        'Unit of quantity, such as segment or minute; null if the charge is not per unit.',
      examples: ['segment'],
    }),
    reference_id: Type.String({
      format: 'uuid',
      description: 'Id of the record that was charged for, such as a message, or of the payment.',
    }),
    created_at: withDescription(Timestamp, 'When it was booked.'),
  }),
)
export type LedgerTransaction = Static<typeof LedgerTransaction>

const Card = Type.Object(
  {
    brand: Type.String({ description: 'Brand of the card.', examples: ['visa'] }),
    last4: Type.String({ description: 'Its last four digits.', examples: ['4242'] }),
    expiry: Type.String({
      description: 'Expiry month and year, as MM/YY.',
      examples: ['12/28'],
    }),
  },
  { description: 'The saved card, used for automatic top-ups.' },
)

export const AutoReload = Type.Object({
  enabled: Type.Boolean({ description: 'Whether automatic top-up is turned on.' }),
  active: Type.Boolean({
    description: 'Whether a top-up would be made now if the balance were low.',
  }),
  threshold_eur: Type.Number({
    minimum: 0,
    description:
      'Threshold for automatic top-up. Below it balance.low is sent, even if automatic ' +
      'top-up is off.',
    examples: [5],
  }),
  amount_eur: Type.Number({
    minimum: 0,
    description: 'Amount of each automatic top-up.',
    examples: [25],
  }),
  max_per_month: Type.Integer({
    minimum: 0,
    description: 'Maximum number of automatic top-ups per calendar month.',
    examples: [5],
  }),
  used_this_month: Type.Integer({
    minimum: 0,
    description: 'Automatic top-ups of this calendar month, paid or under way.',
  }),
  disabled_reason: Type.Union([Type.Enum(paymentFailures), Type.Null()], {
    description:
      'Why the service turned automatic top-up off after a failed payment; null otherwise.',
    examples: [null],
  }),
  card: orNull(Card, 'The saved card; null if none is saved.'),
})

export const Balance = nameSchema(
  'Balance',
  Type.Object({
    balance_eur: Type.Number({
      minimum: 0,
      description: 'Available balance, without amounts held for operations under way.',
      examples: [24.916],
    }),
    currency: Currency,
    spent_this_month_eur: Type.Number({
      minimum: 0,
      description: 'Charges and held amounts of this calendar month, which count against the cap.',
      examples: [0.084],
    }),
    spend_cap_eur: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
      description: 'Monthly spending cap; null if none is set.',
      examples: [100],
    }),
    auto_reload: withDescription(AutoReload, 'Settings and state of automatic top-up.'),
    transactions: Type.Array(LedgerTransaction, {
      description: 'The latest 20 transactions, newest first.',
    }),
    test: Type.Boolean({
      description: 'true when read with a test key; the balance is still the real one.',
    }),
  }),
)
export type Balance = Static<typeof Balance>

export const BalanceLow = Type.Object({
  balance_eur: Type.Number({
    minimum: 0,
    description: 'Balance after the charge.',
    examples: [4.916],
  }),
  currency: Currency,
  threshold_eur: Type.Number({
    minimum: 0,
    description: 'The threshold in euro.',
    examples: [5],
  }),
  transaction: withDescription(
    LedgerTransaction,
    'Transaction id of the charge that lowered the balance.',
  ),
})
export type BalanceLow = Static<typeof BalanceLow>

export const BalanceToppedUp = Type.Object({
  balance_eur: Type.Number({
    minimum: 0,
    description: 'Balance after the top-up.',
    examples: [29.916],
  }),
  currency: Currency,
  transaction: withExample(withDescription(LedgerTransaction, 'The top-up.'), {
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
    description: 'Amount of the failed top-up.',
    examples: [25],
  }),
  currency: Currency,
  reason: Type.Enum([...paymentFailures, 'provider_unavailable'], {
    description:
      'Why the payment failed. After provider_unavailable the service retries; any ' +
      'other reason turns automatic top-up off.',
  }),
  occurred_at: withDescription(Timestamp, 'When the payment failed.'),
})
export type BalanceReloadFailed = Static<typeof BalanceReloadFailed>
