/** The door of payments for the checkout page and the callbacks of providers. */
export {
  findByToken,
  openPayment,
  play,
  returnFromPayment,
  takeBuiltinCallback,
} from './pay/checkout-page.ts'
export { findInvoiceByToken, INVOICE_PATH, type OpenedInvoice } from './invoices/open-invoice.ts'
export { drawInvoice } from './invoices/invoice-pdf.ts'
export { setCustomerMail, type CustomerMail } from './invoices/mail.ts'
export {
  cancelByToken,
  findSubscriptionByToken,
  type OpenedSubscription,
} from './subscriptions/subscriptions.ts'
export { SUBSCRIPTION_PATH } from './subscriptions/subscription-url.ts'
export { findCustomerAddresses } from './orders/order-store.ts'
export { takeAccountCallback } from './pay/callbacks.ts'
export { findLinkByToken, orderByLink, renderQr, type OpenedLink } from './links/link-page.ts'
export { createLinkUrl, LINK_PATH } from './links/link-url.ts'
export type { LinkRow } from './links/link-store.ts'
export { CHECKOUT_PATH, createCheckoutUrl, QR_FILE } from './orders/checkout-url.ts'
export { euroFromCents } from './orders/amounts.ts'
export type { OrderRow } from './orders/order-store.ts'
