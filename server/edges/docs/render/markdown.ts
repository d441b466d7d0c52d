/**
 * Converts a page to Markdown, for agents and other readers without a browser. The page is the only
 * source: each element has a Markdown form. Interactive and decorative elements (filters, pager
 * links, pictures) are omitted.
 */
import type * as parse5 from 'parse5'
import type { DefaultTreeAdapterMap } from 'parse5'
import { onFirstUse } from '../../../kernel/process/first-use.ts'
import { runAtOnce } from '../../../kernel/limits/slices.ts'
import { renderToText } from '../../html/html.ts'
import { toMarkdownPath, paths, type DocsPage, type DocsSite } from '../site.ts'

const parser = onFirstUse<typeof parse5>('parse5')
const tree = () => parser().defaultTreeAdapter

type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

const leftOut = new Set(['nav', 'svg', 'wbr', 'script', 'style', 'caption', 'input', 'figcaption'])
const headings: Readonly<Record<string, string>> = { h1: '#', h2: '##', h3: '###', h4: '####' }

export function toMarkdown(site: DocsSite, page: DocsPage): string {
  return runAtOnce(writeMarkdown(site, page))
}

/** Yields after each part of the work, because the longest pages take tens of milliseconds. */
export function* writeMarkdown(
  site: DocsSite,
  { main, markdown }: DocsPage,
): Generator<void, string> {
  if (markdown !== undefined) return markdown
  const text = renderToText(main)
  yield
  const { childNodes } = parser().parseFragment(text)
  yield
  return `${(yield* writeBlocks(childNodes, site)).trim()}\n`
}

function blocks(nodes: readonly Node[], site: DocsSite): string {
  return runAtOnce(writeBlocks(nodes, site))
}

/** Writes blocks, separated by empty lines. Yields after each. */
function* writeBlocks(nodes: readonly Node[], site: DocsSite): Generator<void, string> {
  const written: string[] = []
  let line = ''
  const endLine = () => {
    if (line.trim() !== '') written.push(tidy(line))
    line = ''
  }
  for (const node of nodes) {
    const block = tree().isElementNode(node) ? blockOf(node, site) : null
    if (block === null) line += inline(node, site)
    else {
      endLine()
      if (block.trim() !== '') written.push(block)
      yield
    }
  }
  endLine()
  return written.join('\n\n')
}

type Write = (element: Element, site: DocsSite) => string

const ofBlocks: Readonly<Record<string, Write>> = {
  p: ({ childNodes }, site) => textIn(childNodes, site),
  dt: bold,
  summary: bold,
  pre: (element) => fenced(rawText(element)),
  ul: listOf,
  ol: listOf,
  table: tableOf,
  blockquote: ({ childNodes }, site) => indented(blocks(childNodes, site), '> '),
}
const ofLines = new Set(['a', 'code', 'strong', 'em', 'span', 'br'])

/** A block element; null for an inline one. */
function blockOf(element: Element, site: DocsSite): string | null {
  const { tagName, childNodes } = element
  if (leftOut.has(tagName) || isForHands(element)) return ''
  if (ofLines.has(tagName)) return null
  const heading = headings[tagName]
  if (heading !== undefined) return `${heading} ${textIn(childNodes, site)}`
  return ofBlocks[tagName]?.(element, site) ?? blocks(childNodes, site)
}

function bold({ childNodes }: Element, site: DocsSite): string {
  return `**${textIn(childNodes, site).replaceAll('**', '')}**`
}

function isForHands({ attrs }: Element): boolean {
  return attrs.some(({ name, value }) => name === 'class' && /\bfilter\b|\bunseen\b/.test(value))
}

function fenced(text: string): string {
  const fence = text.includes('```') ? '````' : '```'
  return `${fence}\n${text.trimEnd()}\n${fence}`
}

function listOf({ tagName, childNodes }: Element, site: DocsSite): string {
  const items = childNodes.filter((node) => tree().isElementNode(node))
  return items
    .map((item, index) => {
      const mark = tagName === 'ol' ? `${index + 1}. ` : '- '
      return mark + indented(blocks(item.childNodes, site), ' '.repeat(mark.length)).trimStart()
    })
    .join(items.some((item) => blocks(item.childNodes, site).includes('\n')) ? '\n\n' : '\n')
}

function indented(text: string, by: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? by.trimEnd() : by + line))
    .join('\n')
}

function tableOf(table: Element, site: DocsSite): string {
  const rows = elementsIn(table, 'tr').map((row) =>
    row.childNodes.filter((node) => tree().isElementNode(node)).map((cell) => cellOf(cell, site)),
  )
  const [head = [], ...rest] = rows
  const ruled = [head, head.map(() => '---'), ...rest]
  return ruled.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Renders a table cell, which must be a single line. */
function cellOf(cell: Element, site: DocsSite): string {
  const text = blocks(cell.childNodes, site)
  return tidy(text.replaceAll(/\n+/g, ' ')).replaceAll('|', '\\|')
}

function elementsIn(element: Element, name: string): Element[] {
  return element.childNodes.flatMap((node) => {
    if (!tree().isElementNode(node)) return []
    return node.tagName === name ? [node] : elementsIn(node, name)
  })
}

function textIn(nodes: readonly Node[], site: DocsSite): string {
  return tidy(nodes.map((node) => inline(node, site)).join(''))
}

function inline(node: Node, site: DocsSite): string {
  if (tree().isTextNode(node)) return node.value.replaceAll(/\s+/g, ' ')
  if (!tree().isElementNode(node) || leftOut.has(node.tagName) || isForHands(node)) return ''
  const inside = () => node.childNodes.map((one) => inline(one, site)).join('')
  switch (node.tagName) {
    case 'code':
      return `\`${tidy(rawText(node))}\``
    case 'strong':
      return `**${inside().trim()}**`
    case 'a':
      return linkOf(inside().trim(), addressOf(node, site))
    case 'span':
      // On a page, CSS separates types and marks from names; in Markdown they need spaces.
      return `${GAP}${inside()}${GAP}`
    default:
      return inside()
  }
}

/** Our Markdown has no anchors, so a link within the page becomes plain text. */
function linkOf(text: string, address: string): string {
  return address.startsWith('#') ? text : `[${text}](${address})`
}

/** Links within the documentation become links to Markdown. */
function addressOf({ attrs }: Element, { docs_url }: DocsSite): string {
  const href = attrs.find(({ name }) => name === 'href')?.value ?? ''
  if (!href.startsWith(`${paths.home}/`) && href !== paths.home) return href
  const [path = '', anchor] = href.split('#')
  return toMarkdownUrl(docs_url, path) + (anchor === undefined ? '' : `#${anchor}`)
}

/** Returns the absolute URL of the Markdown of a page. */
export function toMarkdownUrl(docs_url: string, path: string): string {
  return docs_url.slice(0, -paths.home.length) + toMarkdownPath(path)
}

function rawText(element: Element): string {
  return element.childNodes
    .map((node) =>
      tree().isTextNode(node) ? node.value : tree().isElementNode(node) ? rawText(node) : '',
    )
    .join('')
}

/** A character that stands for the space around a span; it is omitted before punctuation. */
const GAP = '\ue000'

function tidy(text: string): string {
  return text
    .replaceAll(/\s*\ue000[\s\ue000]*(?=[.,;:!?)])/g, '')
    .replaceAll('\ue000', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
