/** Finds an invoice with its order, also by the address of its PDF. */
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as orders from '../orders/order-store.ts'
import { createToken, readToken } from '../orders/page-token.ts'
import * as store from './invoice-store.ts'

export const INVOICE_PATH = '/pay/invoice'
const PURPOSE = 'invoice-page'

export function createInvoiceUrl(runtime: Runtime, key: orders.OrderKey): string {
  return `${runtime.config.public_url}${INVOICE_PATH}/${createToken(runtime.seal, PURPOSE, key)}`
}

export interface OpenedInvoice {
  invoice: store.InvoiceRow
  order: orders.OrderRow
  /** The number of the invoice that a credit note corrects. */
  corrects: number | null
}

/** Throws not_found for a token that this server did not issue. */
export async function findInvoiceByToken(runtime: Runtime, token: string): Promise<OpenedInvoice> {
  const key = readToken(runtime.seal, PURPOSE, token)
  const opened = key && (await findOpened(runtime, key))
  if (opened) return opened
  throw new Problem('not_found', 'There is no such invoice.')
}

export async function findOpened(
  { db }: Runtime,
  key: orders.OrderKey,
): Promise<OpenedInvoice | null> {
  const invoice = await store.find(db, key)
  const { project_id } = key
  const order = invoice && (await orders.find(db, { project_id, id: invoice.order_id }))
  if (!invoice || !order) return null
  const corrects = invoice.kind === 'credit_note' ? await store.findNumber(db, order) : null
  return { invoice, order, corrects }
}
