/** Shapes of invoices. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'
import { closed } from '../orders/order-schema.ts'

const amount = (description: string, example: number) =>
  Type.Number({ description, examples: [example] })

export const Invoice = nameSchema(
  'Invoice',
  Type.Object({
    id: withDescription(Uuid, 'Id of the invoice.'),
    number: Type.Integer({
      minimum: 1,
      description: 'Number in the project, of invoices and credit notes together, without gaps.',
      examples: [17],
    }),
    kind: Type.Enum(['invoice', 'credit_note'], {
      description: 'invoice: of a paid order. credit_note: of a refund, with negative amounts.',
    }),
    order_id: withDescription(Uuid, 'Id of the order.'),
    amount_eur: amount('The amount, with VAT.', 9),
    vat_eur: amount('The VAT in the amount.', 0.74),
    vat: Type.Array(
      Type.Object({
        vat_percent: amount('The VAT rate in percent.', 9),
        amount_eur: amount('The amount at this rate, with VAT.', 9),
        vat_eur: amount('The VAT in that amount.', 0.74),
      }),
      { description: 'The amounts by VAT rate.' },
    ),
    pdf_url: Type.String({
      description: 'The PDF. Whoever has the address can open it.',
      examples: ['https://home.example/pay/invoice/AZr-4nw6fUGfUjuOahxNIA'],
    }),
    issued_at: withDescription(Timestamp, 'When it was issued.'),
    test: Type.Boolean({ description: 'true if no money moved.' }),
  }),
)
export type Invoice = Static<typeof Invoice>

export const InvoicePage = PageReply(Invoice)
export type InvoicePage = Static<typeof InvoicePage>

export const InvoicesQuery = closed({
  ...PageQuery.properties,
  order_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only those of this order.' }),
  ),
})
export type InvoicesQuery = Static<typeof InvoicesQuery>
