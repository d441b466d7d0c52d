/** The statement of a month as PDF: the balances, the sums and every transaction. */
import { PDFDocument, rgb, StandardFonts, type PDFFont, type PDFPage } from 'pdf-lib'
import type { Format } from '../../../language/format.ts'
import type { Translate } from '../../../language/texts.ts'
import type { Transaction } from '../queries.ts'
import { nameSource } from '../source-name.ts'
import { nameTransaction } from '../transaction-name.ts'
import type { useBillingTexts } from '../texts.ts'
import { saveFile } from './save-file.ts'

export interface Statement {
  name: string
  project: string
  month: string
  /** Oldest first. */
  rows: readonly Transaction[]
  t: Translate<(typeof useBillingTexts)['table']>
  format: Format
  language: string
}

/** A4 in points. */
const WIDTH = 595
const HEIGHT = 842
const MARGIN = 56
const LINE = 16
const muted = rgb(0.33, 0.38, 0.42)
const ink = rgb(0.07, 0.09, 0.11)

interface Pen {
  document: PDFDocument
  page: PDFPage
  y: number
  plain: PDFFont
  bold: PDFFont
  /** The code points that the fonts have. */
  known: ReadonlySet<number>
}

export async function savePdf(statement: Statement): Promise<void> {
  const document = await PDFDocument.create()
  const { t, format, month, project, name, language } = statement
  document.setTitle(`${project}: ${t('statement_of', { month: format.monthAndYear(month) })}`)
  document.setLanguage(language)
  const plain = await document.embedFont(StandardFonts.Helvetica)
  const pen: Pen = {
    document,
    page: document.addPage([WIDTH, HEIGHT]),
    y: HEIGHT - MARGIN,
    plain,
    bold: await document.embedFont(StandardFonts.HelveticaBold),
    known: new Set(plain.getCharacterSet()),
  }
  writeHead(pen, statement)
  writeSums(pen, statement)
  for (const row of statement.rows) writeRow(pen, statement, row)
  numberPages(pen, statement)
  const bytes = await document.save()
  saveFile(`${name}.pdf`, new Blob([Uint8Array.from(bytes)], { type: 'application/pdf' }))
}

function writeHead(pen: Pen, { t, format, project, month }: Statement): void {
  write(pen, t('statement_of', { month: format.monthAndYear(month) }), { size: 20, bold: true })
  pen.y -= LINE * 1.5
  write(pen, project, { size: 12 })
  pen.y -= LINE
  write(pen, t('without_vat'), { colour: muted })
  pen.y -= LINE * 2
}

function writeSums(pen: Pen, { t, format, rows }: Statement): void {
  const first = rows[0]
  const last = rows.at(-1)
  const sum = (some: readonly Transaction[]) =>
    some.reduce((total, { amount_eur }) => total + amount_eur, 0)
  const spent = Map.groupBy(
    rows.filter(({ type }) => type === 'charge'),
    ({ source }) => source,
  )
  const pairs: [string, number][] = [
    [t('opening'), first === undefined ? 0 : first.balance_after_eur - first.amount_eur],
    [t('added'), sum(rows.filter(({ type }) => type === 'top_up'))],
    [t('total_spent'), sum([...spent.values()].flat())],
    [t('closing'), last?.balance_after_eur ?? 0],
  ]
  for (const [name, amount] of pairs) writePair(pen, name, format.euro(amount))
  pen.y -= LINE
  write(pen, t('by_category'), { bold: true })
  pen.y -= LINE
  for (const [source, some] of spent) writePair(pen, nameSource(source, t), format.euro(sum(some)))
  pen.y -= LINE
  write(pen, t('entries'), { bold: true })
  pen.y -= LINE * 1.25
}

function writePair(pen: Pen, name: string, value: string): void {
  makeRoom(pen)
  write(pen, name)
  writeRight(pen, value, WIDTH - MARGIN)
  pen.y -= LINE
}

const DESCRIPTION_X = 150
const AMOUNT_X = 450

function writeRow(pen: Pen, { format, t }: Statement, row: Transaction): void {
  makeRoom(pen)
  write(pen, format.date(row.created_at), { colour: muted })
  const name = nameTransaction(row.description, t, format)
  write(pen, fit(pen, name, AMOUNT_X - DESCRIPTION_X - 70), { x: DESCRIPTION_X })
  writeRight(pen, format.euro(row.amount_eur), AMOUNT_X)
  writeRight(pen, format.euro(row.balance_after_eur), WIDTH - MARGIN)
  pen.y -= LINE
}

function makeRoom(pen: Pen): void {
  if (pen.y > MARGIN + LINE) return
  pen.page = pen.document.addPage([WIDTH, HEIGHT])
  pen.y = HEIGHT - MARGIN
}

function numberPages({ document, plain }: Pen, { t }: Statement): void {
  const pages = document.getPages()
  for (const [index, page] of pages.entries()) {
    const text = t('page', { number: index + 1, all: pages.length })
    page.drawText(text, { x: MARGIN, y: MARGIN / 2, size: 9, font: plain, color: muted })
  }
}

interface Style {
  x?: number
  size?: number
  bold?: boolean
  colour?: ReturnType<typeof rgb>
}

function write(pen: Pen, text: string, style: Style = {}): void {
  const { x = MARGIN, size = 10, bold = false, colour = ink } = style
  const font = bold ? pen.bold : pen.plain
  pen.page.drawText(printable(pen, text), { x, y: pen.y, size, font, color: colour })
}

function writeRight(pen: Pen, text: string, right: number): void {
  const shown = printable(pen, text)
  write(pen, shown, { x: right - pen.plain.widthOfTextAtSize(shown, 10) })
}

/** Shortens a text to a width in points. */
function fit(pen: Pen, text: string, width: number): string {
  let shown = printable(pen, text)
  while (shown.length > 1 && pen.plain.widthOfTextAtSize(shown, 10) > width) {
    shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
  }
  return shown
}

/** The standard fonts of PDF lack most scripts; a sign that they lack becomes a question mark. */
function printable({ known }: Pen, text: string): string {
  return [...text.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll('\u2212', '-')]
    .map((sign) => (known.has(sign.codePointAt(0) ?? 0) ? sign : '?'))
    .join('')
}
