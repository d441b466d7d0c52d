/**
 * The text and the links of a web page. The size of the input and the depth and number of its
 * elements are bounded. The text is data, never instructions.
 */
import type * as htmlToText from 'html-to-text'
import { onFirstUse } from '../../../../kernel/process/first-use.ts'
import { cutText } from '../../../../kernel/values/cut-text.ts'
import { cutMarkup } from './cut-markup.ts'

export const PAGE_BYTES_MAX = 1_048_576
const TITLE_CHARACTERS_MAX = 200
const LINKS_MAX = 2_000
const TEXT_CHARACTERS_MAX = 60_000

interface Links {
  found: string[]
}

const settings: Parameters<typeof htmlToText.compile<Links>>[0] = {
  wordwrap: false,
  limits: { maxInputLength: PAGE_BYTES_MAX, maxDepth: 64, maxChildNodes: 5_000 },
  selectors: [
    {
      selector: 'a',
      options: {
        linkBrackets: false,
        pathRewrite: (href, links) => {
          if (links.found.length < LINKS_MAX) links.found.push(href)
          return ''
        },
      },
    },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    { selector: 'ul', options: { itemPrefix: '' } },
    ...['img', 'form', 'button', 'svg', 'noscript', 'template', 'title'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
}

const library = onFirstUse<typeof htmlToText>('html-to-text')
let toText: ReturnType<typeof htmlToText.compile<Links>> | null = null

/** Charset from the header, else from the first bytes of the page, else UTF-8. */
export function decodeText(body: Uint8Array, type: string): string {
  const head = new TextDecoder('latin1').decode(body.subarray(0, 1_024))
  const charset = /charset=["']?([\w-]+)/i
  const label = charset.exec(type)?.[1] ?? charset.exec(head)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    return new TextDecoder().decode(body)
  }
}

export interface PageText {
  title: string
  text: string
  links: string[]
}

export function readPageText(body: string): PageText {
  toText ??= library().compile<Links>(settings)
  const links: Links = { found: [] }
  const html = cutMarkup(body.replaceAll('\u0000', '').toWellFormed())
  const title = /<title[^>]{0,200}>([^<]{0,1000})</i.exec(html)?.[1] ?? ''
  const text = cutText(toText(html, links), TEXT_CHARACTERS_MAX)
  return {
    title: cutText(toText(title, { found: [] }).replace(/\s+/g, ' ').trim(), TITLE_CHARACTERS_MAX),
    text,
    links: links.found,
  }
}
