/**
 * Splits knowledge into passages for search and speech: facts as they are, the sentences of the
 * instructions that describe the business, and short pieces of website text. Text that contains
 * instructions to the model is omitted, except in facts.
 */
import {
  detectLanguage,
  fold,
  containsInjection,
  isDirective,
} from '../../../providers/model/language/words.ts'
import type { Profile } from '../profile.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import type { NewPassage } from '../store.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'

const SENTENCE_CHARACTERS_MIN = 15
const PIECE_CHARACTERS_MAX = 320
const LINE_CHARACTERS_MIN = 20
const SENTENCES_MAX = 300
const HEADING_CHARACTERS_MAX = 40
const PIECES_PER_PAGE_MAX = 60
const PIECES_PER_TEXT_MAX = 2_000

export interface WebsitePage {
  url: string
  title: string
  text: string
}

export function extractFactPassages({ facts, languages }: Profile): NewPassage[] {
  return facts
    .filter(({ question, answer }) => !containsInjection(`${question} ${answer}`))
    .map(({ question, answer }) =>
      createPassage({ title: question, body: answer, url: null, languages }),
    )
}

export function extractInstructionPassages({ instructions, languages }: Profile): NewPassage[] {
  return splitSentences(instructions)
    .filter((sentence) => sentence.length >= SENTENCE_CHARACTERS_MIN)
    .filter((sentence) => !isDirective(sentence) && !containsInjection(sentence))
    .slice(0, SENTENCES_MAX)
    .map((body) => createPassage({ title: '', body, url: null, languages }))
}

/**
 * Splits a text or a document; a line may be short, because the team wrote it. Pauses, because a
 * document can have hundreds of thousands of characters.
 */
export async function extractTextPassages({
  title,
  body,
  languages,
}: Omit<Piece, 'url'>): Promise<NewPassage[]> {
  const pause = createPause()
  const pieces: string[] = []
  for (const line of body.split('\n')) {
    pieces.push(...packSentences(line.replace(/\s+/g, ' ').trim()))
    await pause()
  }
  const passages: NewPassage[] = []
  for (const piece of joinHeadings(pieces)) {
    if (passages.length === PIECES_PER_TEXT_MAX) break
    if (!containsInjection(piece))
      passages.push(createPassage({ title, body: piece, url: null, languages }))
    await pause()
  }
  return passages
}

/** Joins a short line, such as a heading, with the text below it. */
function joinHeadings(pieces: readonly string[]): string[] {
  const joined: string[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    const is_heading = last !== undefined && last.length < HEADING_CHARACTERS_MAX
    if (is_heading && last.length + piece.length < PIECE_CHARACTERS_MAX) {
      joined[joined.length - 1] = `${last}${/[.:!?]$/.test(last) ? '' : ':'} ${piece}`
    } else {
      joined.push(piece)
    }
  }
  return joined
}

/** Text that occurs on several pages, such as a footer, is kept once. */
export function extractPagePassages(
  pages: readonly WebsitePage[],
  languages: readonly string[],
): NewPassage[] {
  const seen = new Set<string>()
  return pages.flatMap(({ url, title, text }) =>
    piecesOf(text)
      .filter((body) => {
        const folded = fold(body)
        if (folded === '' || seen.has(folded) || containsInjection(body)) return false
        seen.add(folded)
        return true
      })
      .slice(0, PIECES_PER_PAGE_MAX)
      .map((body) => createPassage({ title, body, url, languages })),
  )
}

interface Piece {
  title: string
  body: string
  url: string | null
  languages: readonly string[]
}

/** Returns the passage of a text with its language and its form for searching. */
export function createPassage({ title, body, url, languages }: Piece): NewPassage {
  const text = `${title} ${body}`
  const [first = 'en'] = languages
  const language = detectLanguage(text) ?? first.toLowerCase().split('-')[0] ?? 'en'
  return { title, body, url, language, folded: fold(text) }
}

/** Lines of a page, with sentences packed into pieces of speakable length. */
function piecesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
  return lines
    .filter((line) => line.length >= LINE_CHARACTERS_MIN)
    .flatMap((line) => packSentences(line, isCopyright))
}

const year = /\b(?:19|20)\d\d\b(?! ?[A-Z]{2}\b)/g
const reserved =
  /^(?:all rights reserved|alle rechten voorbehouden|alle rechte vorbehalten|tous droits réservés)\.?$/i

/** Whether a sentence is a copyright notice, without what may be a phone number or an address. */
function isCopyright(sentence: string): boolean {
  if (reserved.test(sentence)) return true
  const is_notice = /^(?:©|copyright (?:©|\d))/i.test(sentence)
  return is_notice && !/[\d@]/.test(sentence.replaceAll(year, ''))
}

function packSentences(line: string, isLeftOut = (_sentence: string) => false): string[] {
  const pieces: string[] = []
  for (const sentence of splitSentences(line)) {
    if (isLeftOut(sentence)) continue
    const last = pieces.at(-1)
    const joined = `${last} ${sentence}`
    if (last !== undefined && joined.length <= PIECE_CHARACTERS_MAX)
      pieces[pieces.length - 1] = joined
    else pieces.push(cutText(sentence, PIECE_CHARACTERS_MAX))
  }
  return pieces
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Splits text into sentences, also at list marks and line ends. */
export function splitSentences(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–]|\d+[.)])\s+/, ''))
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter(Boolean)
}
