/** The text of a PDF, page by page. Scripts in the file are not run, and nothing is fetched. */
import { getDocumentProxy } from 'unpdf'

const PAGES_MAX = 300
const TEXT_CHARACTERS_MAX = 500_000
/** A line of at least this length that ends without a mark goes on in the next line. */
const WRAPPED_CHARACTERS_MIN = 45

export async function readPdf(bytes: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(bytes), {
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    maxImageSize: 1,
  })
  const pages: string[] = []
  let characters = 0
  for (let number = 1; number <= Math.min(document.numPages, PAGES_MAX); number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const text = items
      .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
      .join('')
    page.cleanup()
    pages.push(joinWrappedLines(text))
    characters += text.length
    if (characters > TEXT_CHARACTERS_MAX) break
  }
  return pages.join('\n')
}

/** Joins the lines of a paragraph, and words that are divided at the end of a line. */
export function joinWrappedLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  let joined = ''
  let last = ''
  for (const line of lines) {
    const is_divided = /\p{L}-$/u.test(last) && /^\p{Ll}/u.test(line)
    const is_wrapped = last.length >= WRAPPED_CHARACTERS_MIN && !/[.:!?]$/.test(last)
    if (is_divided) joined = joined.slice(0, -1) + line
    else joined += (joined === '' ? '' : is_wrapped && line !== '' ? ' ' : '\n') + line
    last = line
  }
  return joined
}
