/**
 * Invoices of paid orders, and credit notes of refunds. One is issued in the transaction of the payment or
 * refund, with the company details of that time; its PDF is drawn when it is opened.
 */
import type { Caller } from '../../../contract/caller.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as projects from '../../projects/service.ts'
import { euroFromCents } from '../orders/amounts.ts'
import type { OrderRow } from '../orders/order-store.ts'
import { enqueueMail } from './mail.ts'
import type { Invoice, InvoicePage, InvoicesQuery } from './invoice-schema.ts'
import * as store from './invoice-store.ts'
import { createInvoiceUrl } from './open-invoice.ts'
import { creditOf, groupByRate } from './vat-groups.ts'

/** `refunded` has what was refunded before and after; null for the invoice itself. */
export async function issue(
  tx: Transaction,
  runtime: Runtime,
  { row, refunded }: { row: OrderRow; refunded: { before: bigint; after: bigint } | null },
): Promise<void> {
  const { project_id, test, id: order_id } = row
  const vat = refunded
    ? creditOf(row.items, { before: Number(refunded.before), after: Number(refunded.after) })
    : groupByRate(row.items)
  const id = newId(runtime.clock)
  await store.insert(tx, {
    project_id,
    id,
    test,
    number: await store.takeNumber(tx, row),
    kind: refunded ? 'credit_note' : 'invoice',
    order_id,
    seller: JSON.stringify(await readSeller(tx, project_id)),
    vat: JSON.stringify(vat),
    amount_cents: BigInt(vat.reduce((sum, { amount_cents }) => sum + amount_cents, 0)),
    vat_cents: BigInt(vat.reduce((sum, { vat_cents }) => sum + vat_cents, 0)),
    issued_at: runtime.clock.now(),
  })
  if (row.customer_email !== null) await enqueueMail(tx, runtime, { project_id, id })
}

async function readSeller(
  tx: Transaction,
  project_id: string,
): Promise<store.InvoiceRow['seller']> {
  const company = await projects.findCompany(tx, project_id)
  const project = await projects.find(tx, project_id)
  const { address } = company ?? {}
  const lines = [
    address && `${address.street} ${address.house_number}`,
    address && `${address.postal_code} ${address.city}, ${address.country}`,
    company?.kvk_number && `KVK ${company.kvk_number}`,
    company?.registration_number,
    company?.vat_number && `VAT ${company.vat_number}`,
  ]
  return {
    name: company?.company_name ?? project?.name ?? '',
    lines: lines.flatMap((line) => line || []),
  }
}

export async function list(caller: Caller, query: InvoicesQuery): Promise<InvoicePage> {
  const { db, project, runtime } = caller
  const { order_id, ...paging } = query
  const { data, next_cursor } = await readPage(caller, {
    list: order_id === undefined ? 'invoices' : `invoices ${order_id}`,
    query: paging,
    read: (count, after) => store.list(db, { project_id: project.id, count, after, order_id }),
  })
  return { data: data.map((row) => present(runtime, row)), next_cursor }
}

function present(runtime: Runtime, row: store.InvoiceRow): Invoice {
  return {
    id: row.id,
    number: row.number,
    kind: row.kind,
    order_id: row.order_id,
    amount_eur: euroFromCents(row.amount_cents),
    vat_eur: euroFromCents(row.vat_cents),
    vat: row.vat.map(({ vat_percent, amount_cents, vat_cents }) => ({
      vat_percent,
      amount_eur: euroFromCents(amount_cents),
      vat_eur: euroFromCents(vat_cents),
    })),
    pdf_url: createInvoiceUrl(runtime, row),
    issued_at: row.issued_at.toISOString(),
    test: row.test,
  }
}
