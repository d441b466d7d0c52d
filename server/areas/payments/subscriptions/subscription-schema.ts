/** Shapes of subscriptions. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import {
  ONE_LINE,
  oneLine,
  orNull,
  Timestamp,
  Uuid,
  withDescription,
} from '../../../contract/schema/shapes.ts'
import { closed, emailFilter } from '../orders/order-schema.ts'

const description = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  title: 'a text',
  description: 'What the customer pays for.',
  examples: ['A loaf every week'],
})
const amount = Type.Number({
  exclusiveMinimum: 0,
  maximum: limits.order_amount_eur_max,
  description: 'The amount of each period in euro, with VAT, in whole cents.',
  examples: [18],
})
const interval = Type.Enum(['day', 'week', 'month', 'year'], { description: 'The period.' })
const times = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'How many periods are paid.',
  examples: [12],
})
const person = {
  name: oneLine(
    Type.String({ minLength: 1, maxLength: 200, description: 'Name.', examples: ['Anna'] }),
  ),
  email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Email address.',
    examples: ['anna@example.com'],
  }),
}

export const SubscriptionInput = closed({
  description: {
    ...description,
    pattern: ONE_LINE,
    title: 'one line of text without hidden characters',
  },
  amount_eur: amount,
  vat_percent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'The VAT rate in percent. Default: 21.',
      examples: [9],
    }),
  ),
  interval,
  times: Type.Optional(withDescription(times, 'How many periods are paid. Default: no end.')),
  customer: closed(
    { name: Type.Optional(person.name), email: person.email },
    { description: 'The customer, who gets invoices and the page to cancel by email.' },
  ),
})
export type SubscriptionInput = Static<typeof SubscriptionInput>

export const Subscription = nameSchema(
  'PaymentSubscription',
  Type.Object({
    id: withDescription(Uuid, 'Id of the subscription.'),
    status: Type.Enum(['pending', 'active', 'past_due', 'canceled', 'completed'], {
      description:
        'pending: the first payment has not arrived. past_due: a charge failed and is repeated. ' +
        'completed: all periods are paid.',
    }),
    description,
    amount_eur: amount,
    vat_percent: Type.Number({ description: 'The VAT rate in percent.', examples: [9] }),
    interval,
    times: orNull(times, 'How many periods are paid; null for no end.'),
    paid_times: Type.Integer({ description: 'How many periods are paid so far.', examples: [3] }),
    customer: Type.Object(
      {
        name: markAsOutsiders(orNull(person.name, 'Name; null if unknown.')),
        email: markAsOutsiders(orNull(person.email, 'Email address; null if erased.')),
      },
      { description: 'The customer.' },
    ),
    next_payment_at: orNull(Timestamp, 'When the next charge is due; null if none is.'),
    manage_url: Type.String({
      description: 'The page on which the customer sees and cancels it.',
      examples: ['https://home.example/pay/subscription/AZr-4nw6fUGfUjuOahxNIA'],
    }),
    ended_at: orNull(Timestamp, 'When it was canceled or completed; null before.'),
    created_at: withDescription(Timestamp, 'When it was created.'),
    test: Type.Boolean({ description: 'true if no money moves.' }),
  }),
)
export type Subscription = Static<typeof Subscription>

export const NewSubscription = Type.Object({
  subscription: withDescription(Subscription, 'The subscription.'),
  checkout_url: Type.String({
    description: 'The page on which the customer pays the first period.',
    examples: ['https://home.example/pay/AZr-4nw6fUGfUjuOahxNIA'],
  }),
})
export type NewSubscription = Static<typeof NewSubscription>

export const SubscriptionPage = PageReply(Subscription)
export type SubscriptionPage = Static<typeof SubscriptionPage>

export const SubscriptionsQuery = closed({
  ...PageQuery.properties,
  customer_email: Type.Optional(
    emailFilter('Only the subscriptions of the customer with this email address.'),
  ),
  test: Type.Optional(Type.Boolean({ description: 'Only test subscriptions, or only real ones.' })),
})
export type SubscriptionsQuery = Static<typeof SubscriptionsQuery>

export const SubscriptionId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the subscription.' }),
})
