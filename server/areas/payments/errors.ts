/** Errors of orders and refunds. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
  payment_account_missing: {
    status: 409,
    about: 'The project has no account at a payment provider, so customers cannot pay it.',
    user: 'Payments are not connected yet, so customers cannot pay.',
    next: 'Ask the owner to connect an account in the portal under Payments, then try again.',
  },
  product_unavailable: {
    status: 409,
    about:
      'A product of the order is not for sale, or not in this quantity; `errors` names the lines.',
    user: 'One of the products is sold out, or not available in this quantity.',
    next: 'Show the visitor the lines in errors, and send the order again with what is left.',
  },
  order_refused: {
    status: 403,
    about: 'Orders by visitors are refused for now. The owner sees the reason with the orders.',
    user: 'This order cannot be placed now.',
    next: 'Do not repeat the order. The owner sees the reason in GET /order-refusals.',
  },
} as const satisfies Record<string, ErrorEntry>
