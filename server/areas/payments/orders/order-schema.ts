/** Shapes of orders and refunds in the API. */
import { Type, type Static, type TProperties } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import {
  oneLine,
  orNull,
  RequestTime,
  Timestamp,
  Uuid,
  withDescription,
} from '../../../contract/schema/shapes.ts'
import { checkoutProviders } from '../../../providers/checkout/checkout-contract.ts'
import { orderStatuses } from './transitions.ts'

export const closed = <Properties extends TProperties>(properties: Properties, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const money = (description: string, example = 12.5) =>
  Type.Number({ minimum: 0, description, examples: [example] })

const NAME_CHARACTERS_MAX = 200
const URL_CHARACTERS_MAX = 2_000
const VALUE_CHARACTERS_MAX = 500

const itemName = Type.String({
  minLength: 1,
  maxLength: NAME_CHARACTERS_MAX,
  description: 'Name of the product or service.',
  examples: ['Sourdough loaf'],
})
const quantity = Type.Integer({
  minimum: 1,
  maximum: limits.order_quantity_max,
  description: 'How many pieces.',
  examples: [2],
})
const unitPrice = Type.Number({
  minimum: 0,
  maximum: limits.order_amount_eur_max,
  description: 'Price of one piece in euro, with VAT, in whole cents.',
  examples: [4.5],
})
const vatPercent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'The VAT rate in percent, with at most two decimals.',
  examples: [9],
})

export const OrderItemInput = closed({
  name: itemName,
  quantity,
  unit_price_eur: unitPrice,
  vat_percent: vatPercent,
})
export type OrderItemInput = Static<typeof OrderItemInput>

export const customerFields = {
  name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    description: 'Their name.',
    examples: ['Anna de Vries'],
  }),
  email: Type.String({
    format: 'email',
    maxLength: 254,
    description: 'Their email address.',
    examples: ['anna@example.com'],
  }),
  phone: Type.String({
    minLength: 3,
    maxLength: 32,
    description: 'How to call them.',
    examples: ['+31612345678'],
  }),
  company_name: Type.String({
    minLength: 1,
    maxLength: NAME_CHARACTERS_MAX,
    description: 'Their company, for the invoice.',
    examples: ['De Vries BV'],
  }),
  vat_number: Type.String({
    pattern: '^[A-Z]{2}[A-Z0-9]{2,13}$',
    title: 'a VAT number',
    description: 'Their VAT number, for the invoice.',
    examples: ['DE123456789'],
  }),
  address: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'Their address, for the invoice; lines are separated by line breaks.',
    examples: ['Hauptstraße 1\n10115 Berlin'],
  }),
}

/** Line breaks, but no other control characters, and none that change the direction of text. */
const LINES = String.raw`^[^\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$`

const NO_CONTROLS = String.raw`^[^\u0000-\u001f\u007f-\u009f]*$`

export const CustomerInput = closed(
  {
    name: Type.Optional(oneLine(customerFields.name)),
    email: Type.Optional(customerFields.email),
    // Phones copied from contacts have direction characters around them.
    phone: Type.Optional({ ...customerFields.phone, pattern: NO_CONTROLS }),
    company_name: Type.Optional(oneLine(customerFields.company_name)),
    vat_number: Type.Optional(customerFields.vat_number),
    address: Type.Optional({ ...customerFields.address, pattern: LINES }),
  },
  { description: 'The customer, as far as known.' },
)

/** Addresses are stored in lower case, so the filter accepts any. */
export const emailFilter = (description: string) =>
  Type.String({ maxLength: 254, description, examples: ['anna@example.com'] })

const pageUrl = (description: string) =>
  Type.String({
    format: 'uri',
    pattern: '^https?://',
    maxLength: URL_CHARACTERS_MAX,
    title: 'an address that starts with https://',
    description,
    examples: ['https://www.bakery.example/thanks'],
  })

export const OrderInput = closed({
  items: Type.Array(OrderItemInput, {
    minItems: 1,
    maxItems: limits.order_items_max,
    description: 'The lines of the order.',
  }),
  customer: Type.Optional(CustomerInput),
  reverse_charge: Type.Optional(
    Type.Boolean({
      description:
        'true: the customer owes the VAT. Needs customer.vat_number, and 0 percent in each line.',
    }),
  ),
  success_url: Type.Optional(
    pageUrl('Where the customer goes after paying. Default: a page of this server.'),
  ),
  cancel_url: Type.Optional(
    pageUrl('Where the customer goes without having paid. Default: a page of this server.'),
  ),
  site_id: Type.Optional(Type.String({ format: 'uuid', description: 'The site that sells it.' })),
  metadata: Type.Optional(
    Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: VALUE_CHARACTERS_MAX }), {
      maxProperties: limits.order_metadata_max,
      description: 'Texts of your own, which come back with the order.',
      examples: [{ table: '12' }],
    }),
  ),
  expires_at: Type.Optional(
    withDescription(
      RequestTime,
      'Until when it can be paid: half an hour to a day from now. Default: an hour.',
    ),
  ),
})
export type OrderInput = Static<typeof OrderInput>

const OrderItem = Type.Object({
  name: markAsOutsiders(itemName),
  quantity,
  unit_price_eur: unitPrice,
  vat_percent: vatPercent,
  amount_eur: money('Quantity times price, with VAT.', 9),
  vat_eur: money('The VAT in that amount, rounded half up to a cent.', 0.74),
  product_id: orNull(Uuid, 'The product that a visitor ordered; null for any other line.'),
})

const Customer = Type.Object(
  {
    name: markAsOutsiders(orNull(customerFields.name, 'Their name; null if unknown.')),
    email: markAsOutsiders(orNull(customerFields.email, 'Their email address; null if unknown.')),
    phone: markAsOutsiders(orNull(customerFields.phone, 'How to call them; null if unknown.')),
    company_name: markAsOutsiders(
      orNull(customerFields.company_name, 'Their company; null if none is known.'),
    ),
    vat_number: markAsOutsiders(
      orNull(customerFields.vat_number, 'Their VAT number; null if none is known.'),
    ),
    address: markAsOutsiders(orNull(customerFields.address, 'Their address; null if unknown.')),
  },
  { description: 'The customer.' },
)

const status = Type.Enum([...orderStatuses], {
  description:
    'open: not paid yet. pending: the customer paid in a way that takes days. failed, expired, ' +
    'canceled: not paid. charged_back: the bank took it back. A status never goes back, but money ' +
    'that arrives late still makes an order paid.',
})

/** The payload of webhooks about an order: every field but the address of its page. */
export const OrderFacts = nameSchema(
  'OrderFacts',
  Type.Object({
    id: withDescription(Uuid, 'Id of the order.'),
    number: Type.Integer({
      minimum: 1,
      description:
        'Number of the order in the project: 1, 2, 3, without gaps, apart for test mode.',
      examples: [17],
    }),
    status,
    amount_eur: money('What the customer pays, with VAT.', 9),
    vat_eur: money('The VAT in the amount: the sum of its lines.', 0.74),
    currency: Type.Literal('EUR', { description: 'Always EUR.' }),
    items: Type.Array(OrderItem, { description: 'The lines.' }),
    customer: Customer,
    provider: Type.Enum([...checkoutProviders], {
      description: 'The provider that takes the payment.',
    }),
    provider_reference: orNull(
      Type.String({ examples: ['tr_7UhSN1zuXS'], description: 'Its id of the payment.' }),
      'Its id of the payment; null until the customer opens the checkout page.',
    ),
    refunded_eur: money('What was refunded so far.', 0),
    // Visitors of websites write `note`.
    metadata: Type.Record(Type.String(), markAsOutsiders(Type.String()), {
      description: 'Texts of your own, and `note` of a customer who ordered on a website.',
      examples: [{ table: '12' }],
    }),
    site_id: orNull(Uuid, 'The site that sold it; null if none is known.'),
    payment_link_id: orNull(Uuid, 'The payment link that created it; null for any other order.'),
    subscription_id: orNull(
      Uuid,
      'The subscription of which it pays a period; null for any other.',
    ),
    reverse_charge: Type.Boolean({ description: 'Whether the customer owes the VAT.' }),
    paid_at: orNull(Timestamp, 'When it was paid; null before.'),
    expires_at: withDescription(Timestamp, 'Until when it can be paid.'),
    created_at: withDescription(Timestamp, 'When it was created.'),
    test: Type.Boolean({ description: 'true if no money moves.' }),
  }),
)
export type OrderFacts = Static<typeof OrderFacts>

export const Order = nameSchema(
  'Order',
  Type.Object({
    ...OrderFacts.properties,
    checkout_url: Type.String({
      description: 'The page on which the customer pays.',
      examples: ['https://home.example/pay/AZr-4nw6fUGfUjuOahxNIA'],
    }),
    qr_url: Type.String({
      description: 'The QR code of that page, as SVG.',
      examples: ['https://home.example/pay/AZr-4nw6fUGfUjuOahxNIA/qr.svg'],
    }),
  }),
)
export type Order = Static<typeof Order>

export const Refund = nameSchema(
  'Refund',
  Type.Object({
    id: withDescription(Uuid, 'Id of the refund.'),
    order_id: withDescription(Uuid, 'Id of the order.'),
    amount_eur: money('The amount.', 4.5),
    reason: orNull(
      Type.String({ examples: ['One loaf was sold out.'], description: 'The reason.' }),
      'The reason; null if none was given.',
    ),
    status: Type.Enum(['pending', 'succeeded', 'failed'], {
      description: 'pending: on its way to the provider. failed: the provider refused it.',
    }),
    created_at: withDescription(Timestamp, 'When it was asked for.'),
    ended_at: orNull(Timestamp, 'When it succeeded or failed; null before.'),
  }),
)
export type Refund = Static<typeof Refund>

const timelineEvents = [
  'created',
  'checkout_opened',
  'pending',
  'paid',
  'failed',
  'expired',
  'canceled',
  'refund_requested',
  'refunded',
  'refund_failed',
  'charged_back',
  'stock_short',
  'paid_twice',
] as const

export const OrderDetail = nameSchema(
  'OrderDetail',
  Type.Object({
    ...Order.properties,
    refunds: Type.Array(Refund, { description: 'Its refunds, oldest first.' }),
    timeline: Type.Array(
      Type.Object({
        event: Type.Enum([...timelineEvents], {
          description:
            'What happened. stock_short: it was paid, but too few pieces were in stock. ' +
            'paid_twice: a second payment arrived; refund it at the provider.',
        }),
        amount_eur: orNull(money('The amount.', 4.5), 'The amount of a refund; null otherwise.'),
        happened_at: withDescription(Timestamp, 'When.'),
      }),
      { description: 'What happened to it, oldest first.' },
    ),
  }),
)
export type OrderDetail = Static<typeof OrderDetail>

export const NewOrder = Type.Object({
  order: withDescription(Order, 'The order.'),
  checkout_url: withDescription(Order.properties.checkout_url, 'Send the customer to this page.'),
})
export type NewOrder = Static<typeof NewOrder>

export const OrderPage = PageReply(Order)
export type OrderPage = Static<typeof OrderPage>

export const OrderId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the order.' }),
})

export const OrdersQuery = closed({
  ...PageQuery.properties,
  payment_link_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only the orders of this payment link.' }),
  ),
  subscription_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only the orders of this subscription.' }),
  ),
  customer_email: Type.Optional(
    emailFilter('Only the orders of the customer with this email address.'),
  ),
  status: Type.Optional(
    Type.Enum([...orderStatuses], { description: 'Only orders with this status.' }),
  ),
  number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only the order with this number.',
    }),
  ),
  since: Type.Optional(
    withDescription(RequestTime, 'Only orders that were created at or after this time.'),
  ),
  test: Type.Optional(Type.Boolean({ description: 'Only test orders, or only real ones.' })),
})
export type OrdersQuery = Static<typeof OrdersQuery>

export const RefundInput = closed({
  amount_eur: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: limits.order_amount_eur_max,
      description: 'The amount in whole cents. Default: everything that is not refunded yet.',
      examples: [4.5],
    }),
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: VALUE_CHARACTERS_MAX,
      description: 'The reason, for your records and the provider.',
      examples: ['One loaf was sold out.'],
    }),
  ),
})
export type RefundInput = Static<typeof RefundInput>

const simulatedOutcomes = [
  'pending',
  'paid',
  'failed',
  'expired',
  'canceled',
  'charged_back',
] as const

export const TestPaymentInput = closed({
  outcome: Type.Enum([...simulatedOutcomes], {
    description: 'What the customer does, or their bank: charged_back takes a payment back.',
  }),
})
export type TestPaymentInput = Static<typeof TestPaymentInput>
