/** Shapes of payment links in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import {
  orNull,
  RequestTime,
  Timestamp,
  Uuid,
  withDescription,
} from '../../../contract/schema/shapes.ts'
import { closed, money } from '../orders/order-schema.ts'

const description = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  title: 'a text',
  description: 'What the customer pays for.',
  examples: ['Workshop sourdough, 12 December'],
})
const amount = Type.Number({
  exclusiveMinimum: 0,
  maximum: limits.order_amount_eur_max,
  description: 'The amount in euro, with VAT, in whole cents.',
  examples: [45],
})
const vatPercent = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'The VAT rate in percent, with at most two decimals.',
  examples: [21],
})

export const PaymentLinkInput = closed({
  description,
  amount_eur: Type.Optional(amount),
  customer_decides: Type.Optional(
    Type.Boolean({
      description: 'true: the customer chooses the amount. Leave out amount_eur then.',
    }),
  ),
  vat_percent: Type.Optional(withDescription(vatPercent, 'The VAT rate in percent. Default: 21.')),
  reusable: Type.Optional(
    Type.Boolean({
      description: 'true: many customers can pay. Default: false, so it can be paid once.',
    }),
  ),
  expires_at: Type.Optional(withDescription(RequestTime, 'Until when it works. Default: no end.')),
})
export type PaymentLinkInput = Static<typeof PaymentLinkInput>

export const PaymentLinkChange = closed(
  {
    description: Type.Optional(description),
    active: Type.Optional(Type.Boolean({ description: 'false turns the link off.' })),
    expires_at: Type.Optional(
      orNull(RequestTime, 'Until when it works; null for no end. A time that is over ends it now.'),
    ),
  },
  { minProperties: 1 },
)
export type PaymentLinkChange = Static<typeof PaymentLinkChange>

export const PaymentLink = nameSchema(
  'PaymentLink',
  Type.Object({
    id: withDescription(Uuid, 'Id of the link.'),
    description,
    amount_eur: orNull(amount, 'The amount; null if the customer chooses it.'),
    customer_decides: Type.Boolean({ description: 'Whether the customer chooses the amount.' }),
    vat_percent: vatPercent,
    reusable: Type.Boolean({ description: 'Whether many customers can pay.' }),
    active: Type.Boolean({ description: 'false if it was turned off.' }),
    status: Type.Enum(['active', 'paid', 'expired', 'off'], {
      description: 'paid: it was paid, and is not reusable. off: it was turned off.',
    }),
    url: Type.String({
      description: 'The page for customers. Send it, or print its QR code.',
      examples: ['https://home.example/pay/link/AZr-4nw6fUGfUjuOahxNIA'],
    }),
    qr_url: Type.String({
      description: 'The QR code of the page, as an SVG picture.',
      examples: ['https://home.example/pay/link/AZr-4nw6fUGfUjuOahxNIA/qr.svg'],
    }),
    paid_orders: Type.Integer({
      minimum: 0,
      description: 'How many orders were paid.',
      examples: [3],
    }),
    paid_eur: money('What they paid together, before refunds.', 135),
    expires_at: orNull(Timestamp, 'Until when it works; null for no end.'),
    created_at: withDescription(Timestamp, 'When it was created.'),
    test: Type.Boolean({ description: 'true if no money moves.' }),
  }),
)
export type PaymentLink = Static<typeof PaymentLink>

export const PaymentLinkPage = PageReply(PaymentLink)
export type PaymentLinkPage = Static<typeof PaymentLinkPage>

export const PaymentLinkId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the payment link.' }),
})
