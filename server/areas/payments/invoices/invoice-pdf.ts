/** Draws an invoice or credit note as PDF, on A4 pages. The library is loaded with the first one. */
import type { PDFFont, PDFPage } from 'pdf-lib'
import type { OpenedInvoice } from './open-invoice.ts'

export type InvoiceLanguage = 'en' | 'nl'

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56
const LINE = 16
const GAP = 12

const texts = {
  en: {
    invoice: (number: number) => `Invoice ${number}`,
    credit_note: (number: number) => `Credit note ${number}`,
    order: (number: number) => `Order ${number}`,
    corrects: (number: number) => `Corrects invoice ${number}`,
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
    corrects: (number: number) => `Corrigeert factuur ${number}`,
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

/** The day of the invoice is that of the timezone. */
export async function drawInvoice(
  { invoice, order, corrects }: OpenedInvoice,
  { language, timezone }: { language: InvoiceLanguage; timezone: string },
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
  for (const line of invoice.seller.lines) write(pen, sellerLine(line, t))
  pen.y -= LINE
  write(pen, title, { size: 18 })
  write(pen, `${dayOf(invoice.issued_at, timezone)} · ${t.order(order.number)}`)
  if (corrects !== null) write(pen, t.corrects(corrects))
  if (invoice.test) write(pen, t.test)
  pen.y -= LINE / 2
  for (const line of customerLines(order, t)) write(pen, line)
  pen.y -= LINE
  if (invoice.kind === 'credit_note') write(pen, t.refund)
  else {
    for (const { name, quantity, amount_cents, vat_percent } of order.items) {
      const text = `${quantity} × ${name} (${vat_percent}%)`
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

function dayOf(moment: Date, timezone: string): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(moment.getTime())
  return instant.toZonedDateTimeISO(timezone).toPlainDate().toString()
}

/** The lines are stored in English. */
function sellerLine(line: string, t: { vat_number(number: string): string }): string {
  const [, vat_number] = /^VAT ([A-Z]{2}[A-Z0-9]+)$/.exec(line) ?? []
  return vat_number === undefined ? line : t.vat_number(vat_number)
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

/** A text that is too wide continues on the next line; the amount at the right is on the first. */
function write(pen: Pen, text: string, { size = 10, right = '' } = {}): void {
  const { font } = pen
  const amount = encodable(pen, right)
  const amount_x = WIDTH - MARGIN - font.widthOfTextAtSize(amount, size)
  const width = amount_x - MARGIN - (right === '' ? 0 : GAP)
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= width
  for (const [index, line] of wrap(encodable(pen, text), fits).entries()) {
    if (pen.y < MARGIN) Object.assign(pen, { page: pen.newPage(), y: HEIGHT - MARGIN })
    const { page, y } = pen
    page.drawText(line, { x: MARGIN, y, size, font })
    if (index === 0 && right !== '') page.drawText(amount, { x: amount_x, y, size, font })
    pen.y -= LINE + (size > 12 ? 6 : 0)
  }
}

/** Breaks at the last space that fits, and inside a word that is longer than a line. */
function wrap(text: string, fits: (line: string) => boolean): string[] {
  if (fits(text)) return [text]
  const lines: string[] = []
  let line = ''
  for (const character of text) {
    if (line !== '' && !fits(line + character)) {
      const space = line.lastIndexOf(' ')
      const end = space > 0 ? space : line.length
      lines.push(line.slice(0, end))
      line = line.slice(end).trimStart()
    }
    line += character
  }
  return [...lines, line]
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
