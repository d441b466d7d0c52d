/** Limits of orders. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  order_items_max: {
    value: 50,
    unit: 'lines',
    about: 'Lines of one order',
    applies_to: 'POST /orders',
  },
  order_quantity_max: {
    value: 999,
    unit: 'pieces',
    about: 'Quantity of one line of an order',
    applies_to: 'POST /orders',
  },
  order_amount_eur_max: {
    value: 50_000,
    unit: 'euro',
    about: 'Amount of one order, with VAT',
    applies_to: 'POST /orders',
  },
  order_lifetime_default_s: {
    value: 3_600,
    unit: 'seconds',
    about: 'Time in which an order can be paid, unless it says otherwise',
    applies_to: 'POST /orders',
  },
  order_lifetime_min_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'Shortest time in which an order can be paid',
    applies_to: 'POST /orders',
  },
  order_lifetime_max_s: {
    value: 86_400,
    unit: 'seconds',
    about: 'Longest time in which an order can be paid',
    applies_to: 'POST /orders',
  },
  order_refunds_max: {
    value: 50,
    unit: 'refunds',
    about: 'Refunds of one order',
    applies_to: 'POST /orders/{id}/refunds',
  },
  order_metadata_max: {
    value: 20,
    unit: 'fields',
    about: 'Fields in the metadata of an order',
    applies_to: 'POST /orders',
  },
  customer_list_orders_max: {
    value: 20_000,
    unit: 'orders',
    about: 'Orders that fit the filters, in which one page of customers is looked for',
    applies_to: 'GET /customers',
  },
  customer_search_s_max: {
    value: 3,
    unit: 'seconds',
    about: 'Time to read a page of customers',
    applies_to: 'GET /customers',
  },
  payment_links_max: {
    value: 500,
    unit: 'links',
    about: 'Payment links of a project that are not turned off',
    applies_to: 'POST /payment-links',
  },
  payment_link_amount_eur_min: {
    value: 1,
    unit: 'euro',
    about: 'Smallest amount that a customer can choose',
    applies_to: 'pages of payment links',
  },
  payment_link_orders_per_hour_max: {
    value: 120,
    unit: 'orders',
    about: 'Orders of customers by one payment link in any hour',
    applies_to: 'pages of payment links',
  },
  payment_link_orders_per_address_max: {
    value: 10,
    unit: 'orders',
    about: 'Orders of customers by payment links from one address in a minute',
    applies_to: 'pages of payment links',
  },
  shop_item_quantity_max: {
    value: 99,
    unit: 'pieces',
    about: 'Pieces of one product in an order of a visitor',
    applies_to: 'POST /public/orders',
  },
  shop_order_amount_eur_max: {
    value: 5_000,
    unit: 'euro',
    about: 'Amount of one order of a visitor',
    applies_to: 'POST /public/orders',
  },
  shop_order_lifetime_s: {
    value: 1_800,
    unit: 'seconds',
    about: 'Time in which a visitor can pay an order, while it holds its pieces',
    applies_to: 'POST /public/orders',
  },
  shop_open_orders_max: {
    value: 500,
    unit: 'orders',
    about: 'Orders of visitors of a project that are not paid yet',
    applies_to: 'POST /public/orders',
  },
  shop_orders_per_address_max: {
    value: 10,
    unit: 'orders',
    about: 'Orders of one address at one project in any 10 minutes; an IPv6 /64 is one address',
    applies_to: 'POST /public/orders',
  },
  shop_orders_per_token_max: {
    value: 300,
    unit: 'orders',
    about: 'Orders with one public token in any minute',
    applies_to: 'POST /public/orders',
  },
  shop_plain_orders_per_hour_max: {
    value: 60,
    unit: 'orders',
    about: 'Orders by forms without a script at one project in any hour',
    applies_to: 'POST /public/orders',
  },
  shop_failed_payments_per_hour_max: {
    value: 10,
    unit: 'payments',
    about:
      'Failed payments of visitors in any hour after which orders are refused, if more than twice as many failed as were paid',
    applies_to: 'POST /public/orders',
  },
  order_refusals_kept_days: {
    value: 90,
    unit: 'days',
    about: 'How long the counts of refused orders of visitors are kept',
    applies_to: 'GET /order-refusals',
  },
  checkout_requests_per_address_max: {
    value: 60,
    unit: 'requests',
    about: 'Requests for checkout pages by one address in a minute; an IPv6 /64 is one address',
    applies_to: 'checkout pages',
  },
} as const satisfies Record<string, LimitEntry>
