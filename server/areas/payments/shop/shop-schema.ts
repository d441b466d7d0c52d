/** Shapes of products, of orders by visitors, and of refused orders in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { guestQuery } from '../../../contract/operations/guests.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'
import { closed, CustomerInput, money, OrderFacts } from '../orders/order-schema.ts'

const name = Type.String({ description: 'Its name.', examples: ['Sourdough loaf'] })
// Forms may have written the documents before they became products.
const anyName = markAsOutsiders(orNull(name, 'Its name; null if the document has none.'))
const picture = orNull(Uuid, 'Id of its picture in the media library; null without one.')
const vat_percent = Type.Number({ description: 'Its VAT rate in percent.', examples: [9] })

const FaultOfProduct = Type.Object({
  field: Type.Enum(['name', 'price_eur', 'vat_percent', 'stock', 'picture'], {
    description: 'The field of the document.',
  }),
  message: Type.String({
    description: 'What is wrong with it.',
    examples: ['must be a number such as 4.5, without quotes'],
  }),
})

export const Product = nameSchema(
  'Product',
  Type.Object({
    id: withDescription(Uuid, 'Id of the document, with which websites order it.'),
    collection: Type.String({ description: 'Its collection.', examples: ['products'] }),
    can_be_sold: Type.Boolean({
      description: 'Whether its fields allow a sale; if false, see faults.',
    }),
    faults: Type.Array(FaultOfProduct, {
      description: 'What is wrong with its fields. A product with a missing picture can be sold.',
    }),
    name: anyName,
    price_eur: orNull(money('The price of one piece, with VAT.', 4.5), 'null if it is not valid.'),
    vat_percent: orNull(vat_percent, 'Its VAT rate in percent; null if it is not valid.'),
    stock: orNull(
      Type.Integer({ minimum: 0, examples: [50], description: 'Pieces in stock.' }),
      'Pieces in stock, including those that unpaid orders hold; null if they are not counted.',
    ),
    reserved: Type.Integer({
      minimum: 0,
      description: 'Pieces that unpaid orders hold.',
      examples: [3],
    }),
    picture,
  }),
)
export type Product = Static<typeof Product>

export const ProductsQuery = closed({
  ...PageQuery.properties,
  collection: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Only the products of this collection.',
      examples: ['products'],
    }),
  ),
})
export type ProductsQuery = Static<typeof ProductsQuery>

export const ProductPage = PageReply(Product)
export type ProductPage = Static<typeof ProductPage>

const ID_CHARACTERS = 36

export const PublicProductsQuery = closed({
  ...guestQuery,
  ids: Type.String({
    pattern: '^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36})*$',
    maxLength: limits.order_items_max * (ID_CHARACTERS + 1),
    title: 'ids of products separated by commas',
    description: 'Ids of products, separated by commas.',
    examples: ['019aa0e4-7f1c-7d3e-9b1a-52f6c3d4e5f6'],
  }),
})
export type PublicProductsQuery = Static<typeof PublicProductsQuery>

export const PublicProducts = Type.Object({
  data: Type.Array(
    Type.Object({
      id: withDescription(Uuid, 'Id of the product.'),
      name,
      price_eur: money('The price of one piece, with VAT.', 4.5),
      left: Type.Integer({
        minimum: 0,
        maximum: limits.shop_item_quantity_max,
        description: `How many can be ordered now, at most ${limits.shop_item_quantity_max}.`,
        examples: [12],
      }),
    }),
    { description: 'The requested products that can be sold.' },
  ),
})
export type PublicProducts = Static<typeof PublicProducts>

const control = (description: string, example: string, maxLength = 2_000) =>
  Type.Optional(Type.String({ maxLength, description, examples: [example] }))

const page = (when: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        `Where the customer goes ${when}: a page on an allowed origin of the token, or a path on ` +
        'the origin of the page. Default: a page of this server.',
      examples: ['/thanks'],
    }),
  )

export const PublicOrderInput = closed({
  items: Type.Array(
    closed({
      product_id: Type.String({ format: 'uuid', description: 'Id of the product.' }),
      quantity: Type.Integer({
        minimum: 1,
        maximum: limits.shop_item_quantity_max,
        description: 'How many pieces.',
        examples: [2],
      }),
    }),
    {
      minItems: 1,
      maxItems: limits.order_items_max,
      description: 'The products. A form without a script repeats product_id and quantity instead.',
    },
  ),
  customer: Type.Optional(CustomerInput),
  note: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'A note of the customer, such as the delivery address. Stored in metadata.note.',
      examples: ['Please ring twice.'],
    }),
  ),
  success_url: page('after paying'),
  cancel_url: page('without having paid'),
  hp_submission: control(
    'Random text of 8 to 100 characters, the same for retries.',
    '3f0c6d2a-1c55-4a52-9a53-1f4d7a5d1e0b',
    100,
  ),
  hp_challenge: control('The solution of the challenge.', 'eyJhbGdvcml0aG0iOiJTSEEtMjU2In0='),
  hp_website: control('Must be empty: people do not see this field.', ' '),
})
export type PublicOrderInput = Static<typeof PublicOrderInput>

export const PlacedOrder = Type.Object({
  order: Type.Object(
    {
      id: OrderFacts.properties.id,
      number: OrderFacts.properties.number,
      amount_eur: OrderFacts.properties.amount_eur,
      vat_eur: OrderFacts.properties.vat_eur,
      currency: OrderFacts.properties.currency,
      items: OrderFacts.properties.items,
      expires_at: OrderFacts.properties.expires_at,
      test: OrderFacts.properties.test,
    },
    { description: 'The order.' },
  ),
  checkout_url: Type.String({
    description: 'The page on which the customer pays.',
    examples: ['https://home.example/pay/AZr-4nw6fUGfUjuOahxNIA'],
  }),
})
export type PlacedOrder = Static<typeof PlacedOrder>

const refusalReasons = [
  'rate_limited_address',
  'rate_limited_token',
  'too_many_open',
  'too_many_without_script',
  'amount_too_high',
  'failed_payments',
  'challenge_failed',
  'robot',
  'product_unavailable',
  'account_missing',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export const OrderRefusal = nameSchema(
  'OrderRefusal',
  Type.Object({
    id: withDescription(Uuid, 'Id of this count.'),
    day: Type.String({
      format: 'date',
      description: 'The day, in the time zone of the server.',
      examples: ['2026-11-28'],
    }),
    reason: Type.Enum([...refusalReasons], {
      description:
        'rate_limited_address, rate_limited_token: too many orders in a short time from one ' +
        'address, or with one public token. too_many_open: too many orders are not paid yet. ' +
        'too_many_without_script: too many plain forms in an hour. failed_payments: so many ' +
        'payments failed that it looks like a test of stolen cards. robot: a hidden field was ' +
        'filled in. product_unavailable: sold out, or not for sale. amount_too_high: above the ' +
        'maximum of an order. account_missing: no account is connected for real payments.',
    }),
    orders: Type.Integer({ minimum: 1, description: 'How many orders.', examples: [4] }),
    first_at: withDescription(Timestamp, 'When the first one was refused.'),
    last_at: withDescription(Timestamp, 'When the last one was refused.'),
    test: Type.Boolean({ description: 'Whether payments were in test mode.' }),
  }),
)
export type OrderRefusal = Static<typeof OrderRefusal>

export const RefusalPage = PageReply(OrderRefusal)
export type RefusalPage = Static<typeof RefusalPage>
