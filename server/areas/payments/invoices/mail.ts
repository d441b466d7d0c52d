/**
 * Mails invoices to customers from the project's own domain, if its email module is on. `assemble.ts`
 * hands in how customers are mailed, because email knows the customers of payments.
 */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'
import * as projects from '../../projects/service.ts'
import type { OrderKey, OrderRow } from '../orders/order-store.ts'
import { createSubscriptionUrl } from '../subscriptions/subscription-url.ts'
import { drawInvoice } from './invoice-pdf.ts'
import { createInvoiceUrl, findOpened } from './open-invoice.ts'

export interface CustomerMail {
  project_id: string
  test: boolean
  to: string
  subject: string
  text: string
  attachment: { filename: string; content: Buffer }
}

/** Checks a mail; null if the project cannot send it. The result writes it in a transaction. */
export type PrepareMail = (
  runtime: Runtime,
  mail: CustomerMail,
) => Promise<((tx: Transaction) => Promise<void>) | null>

let prepare: PrepareMail = async () => null

export function setCustomerMail(given: PrepareMail): void {
  prepare = given
}

const texts = {
  en: {
    invoice: (number: number) => `Invoice ${number}`,
    credit_note: (number: number) => `Credit note ${number}`,
    paid: (order: number) => `We received your payment of order ${order}.`,
    refunded: (order: number) => `We refunded order ${order}.`,
    manage: (url: string) => `See or cancel your subscription: ${url}`,
    subject: (name: string, seller: string) => `${name} of ${seller}`,
  },
  nl: {
    invoice: (number: number) => `Factuur ${number}`,
    credit_note: (number: number) => `Creditnota ${number}`,
    paid: (order: number) => `Wij ontvingen uw betaling van bestelling ${order}.`,
    refunded: (order: number) => `Wij hebben bestelling ${order} terugbetaald.`,
    manage: (url: string) => `Uw abonnement bekijken of opzeggen: ${url}`,
    subject: (name: string, seller: string) => `${name} van ${seller}`,
  },
} as const

/** The language in which the customer opened the checkout page, else that of the company's country. */
async function findLanguage(
  { db }: Runtime,
  { customer_language, project_id }: OrderRow,
): Promise<MailLanguage> {
  if (customer_language !== null) return customer_language
  const company = await projects.findCompany(db, project_id)
  return company?.address?.country === 'NL' ? 'nl' : 'en'
}

export const mailInvoice = job({
  name: 'orders.mail_invoice',
  payload: Type.Object({ project_id: Type.String(), id: Type.String() }),
  retry_after_s: [30, 600, 3_600],
  async run({ runtime, payload: key, finish }) {
    const opened = await findOpened(runtime, key)
    const to = opened?.order.customer_email
    if (!opened || !to) return finish()
    const { invoice, order } = opened
    const language = await findLanguage(runtime, order)
    const t = texts[language]
    const name = t[invoice.kind](invoice.number)
    const { subscription_id: id, project_id } = order
    const manage = id === null ? null : createSubscriptionUrl(runtime, { project_id, id })
    const text = [
      (invoice.kind === 'invoice' ? t.paid : t.refunded)(order.number),
      `${name}: ${createInvoiceUrl(runtime, invoice)}`,
      manage && t.manage(manage),
      invoice.seller.name,
    ]
    const timezone = runtime.config.billing_timezone
    const content = await drawInvoice(opened, { language, timezone })
    const mail = await prepare(runtime, {
      project_id,
      test: order.test,
      to,
      subject: t.subject(name, invoice.seller.name),
      text: text.filter(Boolean).join('\n\n'),
      attachment: { filename: `${name.toLowerCase().replaceAll(' ', '-')}.pdf`, content },
    })
    await finish(mail ?? undefined)
  },
})

export function enqueueMail(tx: Transaction, runtime: Runtime, key: OrderKey): Promise<void> {
  const payload = { project_id: key.project_id, id: key.id }
  return enqueue(tx, runtime, mailInvoice, { payload, project_id: key.project_id })
}
