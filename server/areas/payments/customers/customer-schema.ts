/** Shapes of customers in the API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { orNull, Timestamp, withDescription } from '../../../contract/schema/shapes.ts'
import { closed, customerFields, emailFilter, money } from '../orders/order-schema.ts'

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

export const Customer = nameSchema(
  'Customer',
  Type.Object({
    email: markAsOutsiders(
      withDescription(customerFields.email, 'Their email address, in lower case.'),
    ),
    name: markAsOutsiders(
      orNull(customerFields.name, 'Their name in the newest order that has one; null if none has.'),
    ),
    orders: count('Their orders, also those that were not paid.', 5),
    paid_orders: count('Orders that were paid, also if they were refunded later.', 4),
    paid_eur: money('What they paid, with VAT.', 36),
    refunded_eur: money('What of it was refunded.', 4.5),
    charged_back_eur: money('What of it their bank took back.', 0),
    running_subscriptions: count('Subscriptions that are active or past_due.', 1),
    first_order_at: withDescription(Timestamp, 'When their first order was created.'),
    last_order_at: withDescription(Timestamp, 'When their newest order was created.'),
    test: Type.Boolean({ description: 'true if these are test orders.' }),
  }),
)
export type Customer = Static<typeof Customer>

export const CustomerPage = PageReply(Customer)
export type CustomerPage = Static<typeof CustomerPage>

export const CustomersQuery = closed({
  ...PageQuery.properties,
  email: Type.Optional(emailFilter('Only the customer with this email address.')),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'Only customers whose email address contains this text.',
      examples: ['anna'],
    }),
  ),
  test: Type.Optional(
    Type.Boolean({ description: 'Only the customers of test orders, or only of real ones.' }),
  ),
})
export type CustomersQuery = Static<typeof CustomersQuery>
