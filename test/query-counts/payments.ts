/** The requests that count the statements of payments. */
import { loaf } from '../fixtures/payments/shop.ts'
import { openStorefront } from '../fixtures/payments/storefront.ts'
import { newAddress, ORIGIN } from '../fixtures/sites/site.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

const newOrder = async ({ made }: Place) =>
  (await made('POST /orders', { items: [loaf] })).order.id as string

async function newPaid(place: Place): Promise<string> {
  const id = await newOrder(place)
  await place.made(`POST /test/orders/${id}`, { outcome: 'paid' })
  return id
}

const workshop = { description: 'Workshop', amount_eur: 45, reusable: true }
const newLink = async ({ made }: Place) =>
  (await made('POST /payment-links', workshop)).id as string

const weekly = {
  description: 'A loaf every week',
  amount_eur: 18,
  interval: 'week',
  customer: { email: 'anna@example.com' },
}
const newSubscription = async ({ made }: Place) =>
  (await made('POST /payment-subscriptions', weekly)).subscription.id as string

type OnPage = (product_id: string, solution: string) => Asked

/** A scenario on the page of a visitor of a shop with this many products. */
function onShopPage(asked: OnPage): Scenario {
  return {
    rows: [1, 12],
    async ready({ runtime, project_id }, rows) {
      const store = await openStorefront(runtime, { project_id })
      const id = await store.product()
      await times(rows - 1, () => store.product())
      return async () => ({
        ...asked(id, await store.solve()),
        key: store.site.token,
        headers: { origin: ORIGIN, 'x-forwarded-for': newAddress() },
      })
    },
  }
}

export const payments: Readonly<Record<string, Scenario>> = {
  'orders.list': {
    rows: [1, 12],
    async ready(place, rows) {
      await times(rows, () => newOrder(place))
      return () => ({ route: 'GET /orders' })
    },
  },
  'orders.create': {
    ready: async () => () => ({ route: 'POST /orders', body: { items: [loaf] } }),
  },
  'orders.get': {
    async ready(place) {
      const id = await newPaid(place)
      return () => ({ route: `GET /orders/${id}` })
    },
  },
  'orders.refund': {
    ready: async (place) => async () => ({
      route: `POST /orders/${await newPaid(place)}/refunds`,
      body: {},
      headers: { 'idempotency-key': crypto.randomUUID() },
    }),
  },
  'orders.simulate': {
    ready: async (place) => async () => ({
      route: `POST /test/orders/${await newOrder(place)}`,
      body: { outcome: 'paid' },
    }),
  },
  'payment_links.create': {
    ready: async () => () => ({ route: 'POST /payment-links', body: workshop }),
  },
  'payment_links.list': {
    rows: [1, 12],
    async ready(place, rows) {
      await times(rows, () => newLink(place))
      return () => ({ route: 'GET /payment-links' })
    },
  },
  'payment_links.get': {
    async ready(place) {
      const id = await newLink(place)
      return () => ({ route: `GET /payment-links/${id}` })
    },
  },
  'payment_links.update': {
    async ready(place) {
      const id = await newLink(place)
      return () => ({ route: `PATCH /payment-links/${id}`, body: { active: false } })
    },
  },
  'payment_subscriptions.create': {
    ready: async () => () => ({ route: 'POST /payment-subscriptions', body: weekly }),
  },
  'payment_subscriptions.list': {
    rows: [1, 12],
    async ready(place, rows) {
      await times(rows, () => newSubscription(place))
      return () => ({ route: 'GET /payment-subscriptions' })
    },
  },
  'payment_subscriptions.get': {
    async ready(place) {
      const id = await newSubscription(place)
      return () => ({ route: `GET /payment-subscriptions/${id}` })
    },
  },
  'payment_subscriptions.cancel': {
    ready: async (place) => async () => ({
      route: `POST /payment-subscriptions/${await newSubscription(place)}/cancel`,
    }),
  },
  'customers.list': {
    rows: [1, 12],
    async ready({ made }, rows) {
      await times(rows, (n) =>
        made('POST /orders', { items: [loaf], customer: { email: `customer-${n}@example.com` } }),
      )
      return () => ({ route: 'GET /customers' })
    },
  },
  'invoices.list': {
    rows: [1, 12],
    async ready(place, rows) {
      await times(rows, () => newPaid(place))
      return () => ({ route: 'GET /invoices' })
    },
  },
  'orders.revenue': {
    rows: [1, 12],
    async ready(place, rows) {
      await times(rows, () => newPaid(place))
      return () => ({ route: 'GET /payments/revenue' })
    },
  },
  'products.list': {
    rows: [1, 12],
    async ready({ runtime, project_id }, rows) {
      const store = await openStorefront(runtime, { project_id })
      await times(rows, () => store.product())
      return () => ({ route: 'GET /products' })
    },
  },
  'order_refusals.list': {
    rows: [1, 2],
    async ready({ runtime, project_id }, rows) {
      const store = await openStorefront(runtime, { project_id })
      const items = [{ product_id: crypto.randomUUID(), quantity: 1 }]
      await store.buy(items)
      // Another reason is another row.
      if (rows > 1) await store.buy(items, { hp_website: 'filled in' })
      return () => ({ route: 'GET /order-refusals' })
    },
  },
  'public_orders.create': onShopPage((product_id, hp_challenge) => ({
    route: 'POST /public/orders',
    body: {
      items: [{ product_id, quantity: 1 }],
      hp_challenge,
      hp_submission: crypto.randomUUID(),
    },
  })),
  'public_orders.challenge': onShopPage(() => ({ route: 'GET /public/orders/challenge' })),
  'public_products.get': onShopPage((id) => ({ route: `GET /public/products?ids=${id}` })),
}
