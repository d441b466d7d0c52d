/** Finds passages of the documentation for a sentence. */
import type { PortalSource } from '../../areas/portal-assistant/schema.ts'
import type { DocsReader } from '../docs/docs.ts'
import { fold, nameWords } from './words.ts'
import { cutText } from '../../kernel/values/cut-text.ts'

const PASSAGES_MAX = 5
const PASSAGE_CHARACTERS_MAX = 700

/** `otherwise`: English search words, for a sentence in another language. */
export async function findPassages(
  docs: DocsReader,
  words: string,
  otherwise = '',
): Promise<PortalSource[]> {
  const asked = nameWords(words)
  const own = await docs.search(asked.join(' '))
  const other = otherwise === '' ? [] : await docs.search(otherwise)
  const isEnglish = own.length > 0 && isAbout(own[0]?.title ?? '', own[0]?.about ?? '', asked)
  const hits = (isEnglish ? [...own, ...other] : [...other, ...own]).filter(
    ({ not_yet }) => !not_yet,
  )
  const distinct = new Map(hits.map((hit) => [hit.href, hit]))
  return [...distinct.values()].slice(0, PASSAGES_MAX).map(({ href, title, about }) => {
    const passage = readPassage(docs, href, asked)
    return { kind: 'docs', title, about: passage || about, href }
  })
}

function isAbout(title: string, about: string, words: readonly string[]): boolean {
  const text = fold(`${title} ${about}`)
  return words.some((word) => text.includes(word))
}

/** The section of the page that the link names, or the one with the most of the words. */
function readPassage(docs: DocsReader, href: string, words: readonly string[]): string {
  const [path = '', anchor] = href.split('#')
  const sections = (docs.readMarkdown(path) ?? '').split(/\n(?=## )/)
  const named = anchor === undefined ? undefined : sections.find((one) => isNamed(one, anchor))
  const counted = sections.map((section) => {
    const text = fold(section)
    return { section, count: words.filter((word) => text.includes(word)).length }
  })
  const best = counted.toSorted((one, other) => other.count - one.count)[0]
  return plain(named ?? best?.section ?? '')
}

function isNamed(section: string, anchor: string): boolean {
  const [heading = ''] = section.split('\n')
  const words = fold(heading).replaceAll(/[^\p{L}\d]+/gu, '-')
  return words.includes(fold(anchor).replaceAll(/[^\p{L}\d]+/gu, '-'))
}

/** Text without code blocks and marks of Markdown, cut at the end of a sentence. */
function plain(markdown: string): string {
  const text = markdown
    .replaceAll(/```[^]*?(?:```|$)/g, ' ')
    .replaceAll(/^ {0,8}(?:#{1,6} |\||<).*$/gm, ' ')
    .replaceAll(/\[([^\]]{1,200})\]\([^)]{1,500}\)/g, '$1')
    .replaceAll(/[*`_]{1,3}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (text.length <= PASSAGE_CHARACTERS_MAX) return text
  const cut = cutText(text, PASSAGE_CHARACTERS_MAX)
  const end = cut.lastIndexOf('. ')
  return end > PASSAGE_CHARACTERS_MAX / 2 ? cut.slice(0, end + 1) : `${cut}…`
}
