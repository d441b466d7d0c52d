/** The operations on products, orders by visitors, and refused orders. */
import { guestOperation } from '../../../contract/operations/guests.ts'
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import { Challenge, GuestQuery } from '../../data/service.ts'
import { listRefusals } from '../refusals.ts'
import { createOrderChallenge } from '../shop/guard.ts'
import { placeOrder } from '../shop/place-order.ts'
import { listProducts, showPublicProducts } from '../shop/products.ts'
import {
  PlacedOrder,
  ProductPage,
  ProductsQuery,
  PublicOrderInput,
  PublicProducts,
  PublicProductsQuery,
  RefusalPage,
} from '../shop/shop-schema.ts'

export const products = operation({
  name: 'products.list',
  route: 'GET /products',
  about:
    'The products that websites can sell: the documents of collections with catalogue, newest ' +
    'first, with their stock and what is wrong with their fields.',
  keywords: 'catalogue, shop, goods, stock, prices, what we sell, inventory',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: ProductsQuery,
  status: 200,
  reply: ProductPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => listProducts(caller, query),
})

export const refusals = operation({
  name: 'order_refusals.list',
  route: 'GET /order-refusals',
  about: 'The orders of visitors that were refused, counted by day and reason, newest first.',
  keywords: 'failed checkouts, rejected purchases, why could they not buy, sold out',
  scope: 'payments:read',
  reach: 'project',
  effect: 'read',
  query: PageQuery,
  status: 200,
  reply: RefusalPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => listRefusals(caller, query),
})

export const order = guestOperation({
  name: 'public_orders.create',
  route: 'POST /public/orders',
  about:
    'Orders products of a catalogue. Prices come from the catalogue, and the pieces are held until ' +
    'the order is paid or ends. A browser without JavaScript sends a form and is redirected (303) ' +
    'to the page on which the customer pays.',
  effect: 'write',
  query: GuestQuery,
  body: PublicOrderInput,
  takes: 'form',
  status: 201,
  reply: PlacedOrder,
  leads_to: ({ checkout_url }) => checkout_url,
  errors: [
    'product_unavailable',
    'order_refused',
    'challenge_failed',
    'validation_failed',
    'invalid_parameter',
  ],
  run: (_input, guest) => placeOrder(guest),
})

export const challenge = guestOperation({
  name: 'public_orders.challenge',
  route: 'GET /public/orders/challenge',
  about: 'Creates a proof-of-work challenge for one order, against bots.',
  effect: 'read',
  query: GuestQuery,
  status: 200,
  reply: Challenge,
  errors: [],
  run: (_input, guest) => createOrderChallenge(guest),
})

export const publicProducts = guestOperation({
  name: 'public_products.get',
  route: 'GET /public/products',
  about: 'Names and prices of products, and how many can be ordered, for the cart of a page.',
  effect: 'read',
  query: PublicProductsQuery,
  status: 200,
  reply: PublicProducts,
  errors: [],
  run: ({ query }, guest) => showPublicProducts(guest, query),
})
