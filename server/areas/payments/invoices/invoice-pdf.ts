/** Draws an invoice or credit note as PDF, on A4 pages. The library is loaded with the first one. */
import type { PDFFont, PDFPage } from 'pdf-lib'
import type { OpenedInvoice } from './open-invoice.ts'

export type InvoiceLanguage = 'en' | 'nl'

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56
const LINE = 16
const NAME_CHARACTERS_MAX = 60

const texts = {
  en: {
    invoice: (number: number) => `Invoice ${number}`,
    credit_note: (number: number) => `Credit note ${number}`,
    order: (number: number) => `Order ${number}`,
    test: 'TEST: this is not an invoice, and no money moved.',
    refund: 'Refund',
    total: 'Total with VAT',
    vat: (percent: number, amount: string) => `VAT ${percent}% of ${amount}`,
    reverse: 'VAT reverse charged to the customer (article 196 of Directive 2006/112/EC).',
    vat_number: (number: string) => `VAT number ${number}`,
  },
  nl: {
    invoice: (number: number) => `Factuur ${number}`,
    credit_note: (number: number) => `Creditnota ${number}`,
    order: (number: number) => `Bestelling ${number}`,
    test: 'TEST: dit is geen factuur, en er is geen geld overgemaakt.',
    refund: 'Terugbetaling',
    total: 'Totaal inclusief btw',
    vat: (percent: number, amount: string) => `Btw ${percent}% over ${amount}`,
    reverse: 'Btw verlegd naar de klant (artikel 196 van richtlijn 2006/112/EG).',
    vat_number: (number: string) => `Btw-nummer ${number}`,
  },
} as const

interface Pen {
  page: PDFPage
  y: number
  font: PDFFont
  known: ReadonlySet<number>
  newPage(): PDFPage
}

export async function drawInvoice(
  { invoice, order }: OpenedInvoice,
  language: InvoiceLanguage,
): Promise<Buffer> {
  const { PDFDocument, StandardFonts } = await import('pdf-lib')
  const t = texts[language]
  const document = await PDFDocument.create()
  const title = t[invoice.kind](invoice.number)
  document.setTitle(title)
  document.setLanguage(language)
  document.setCreationDate(invoice.issued_at)
  document.setModificationDate(invoice.issued_at)
  const font = await document.embedFont(StandardFonts.Helvetica)
  const newPage = () => document.addPage([WIDTH, HEIGHT])
  const known = new Set(font.getCharacterSet())
  const pen: Pen = { page: newPage(), y: HEIGHT - MARGIN, font, known, newPage }
  const money = createMoneyFormat(language)
  write(pen, invoice.seller.name, { size: 14 })
  for (const line of invoice.seller.lines) write(pen, line)
  pen.y -= LINE
  write(pen, title, { size: 18 })
  const day = invoice.issued_at.toISOString().slice(0, 10)
  write(pen, `${day} · ${t.order(order.number)}`)
  if (invoice.test) write(pen, t.test)
  pen.y -= LINE / 2
  for (const line of customerLines(order, t)) write(pen, line)
  pen.y -= LINE
  if (invoice.kind === 'credit_note') write(pen, t.refund)
  else {
    for (const { name, quantity, amount_cents, vat_percent } of order.items) {
      const text = `${quantity} × ${name.slice(0, NAME_CHARACTERS_MAX)} (${vat_percent}%)`
      write(pen, text, { right: money(amount_cents) })
    }
  }
  pen.y -= LINE / 2
  for (const { vat_percent, amount_cents, vat_cents } of invoice.vat) {
    write(pen, t.vat(vat_percent, money(amount_cents - vat_cents)), { right: money(vat_cents) })
  }
  write(pen, t.total, { size: 12, right: money(Number(invoice.amount_cents)) })
  if (order.reverse_charge) write(pen, t.reverse)
  return Buffer.from(await document.save())
}

function customerLines(
  order: OpenedInvoice['order'],
  t: { vat_number(number: string): string },
): string[] {
  const { customer_company, customer_name, customer_address, customer_vat_number } = order
  return [
    customer_company,
    customer_name,
    ...(customer_address?.split('\n') ?? []),
    customer_vat_number && t.vat_number(customer_vat_number),
  ].flatMap((line) => line || [])
}

function createMoneyFormat(language: InvoiceLanguage): (cents: number) => string {
  const locale = language === 'nl' ? 'nl-NL' : 'en-IE'
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  return (cents) => format.format(cents / 100)
}

function write(pen: Pen, text: string, { size = 10, right = '' } = {}): void {
  if (pen.y < MARGIN) Object.assign(pen, { page: pen.newPage(), y: HEIGHT - MARGIN })
  const { page, y, font } = pen
  page.drawText(encodable(pen, text), { x: MARGIN, y, size, font })
  if (right !== '') {
    const amount = encodable(pen, right)
    const x = WIDTH - MARGIN - font.widthOfTextAtSize(amount, size)
    page.drawText(amount, { x, y, size, font })
  }
  pen.y -= LINE + (size > 12 ? 6 : 0)
}

/** The standard fonts have the characters of western Europe; others lose their accent, or are `?`. */
function encodable({ known }: Pen, text: string): string {
  return [...text.normalize('NFC').replaceAll(/\s/g, ' ')]
    .map((character) => {
      if (known.has(character.codePointAt(0)!)) return character
      const plain = character.normalize('NFD')[0] ?? '?'
      return known.has(plain.codePointAt(0)!) ? plain : '?'
    })
    .join('')
}
