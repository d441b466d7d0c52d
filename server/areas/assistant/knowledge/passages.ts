/**
 * Splits knowledge into passages for search and speech: facts as they are, the sentences of the
 * instructions that describe the business, and short pieces of website text. Text that contains
 * instructions to the model is omitted, except in facts.
 */
import {
  findConcepts,
  detectLanguage,
  fold,
  containsInjection,
  isDirective,
  languageOf,
  extractTerms,
} from '../../../providers/model/language/words.ts'
import type { Profile } from '../profile.ts'
import type { NewPassage } from '../store.ts'

const SENTENCE_CHARACTERS_MIN = 15
const PIECE_CHARACTERS_MAX = 320
const LINE_CHARACTERS_MIN = 20
const SENTENCES_MAX = 300
const PIECES_PER_PAGE_MAX = 60

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
    .map((body) => passage({ title: '', body, url: null, languages }))
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
      .map((body) => passage({ title, body, url, languages })),
  )
}

interface Piece {
  title: string
  body: string
  url: string | null
  languages: readonly string[]
}

/** Returns the passage of a text with its search terms; the title determines the subject. */
export function createPassage(piece: Piece): NewPassage {
  const found = passage(piece)
  const terms = extractTerms(piece.title, languageOf(found.language) ?? 'en')
  const named = terms.flatMap(({ concept }) => concept ?? [])
  const subject = terms.flatMap(({ concept, word }) => (concept === null ? word : []))
  return { ...found, subject: subject.join(' '), title_concepts: [...new Set(named)] }
}

function passage({ title, body, url, languages }: Piece): NewPassage {
  const text = `${title} ${body}`
  const [first = 'en'] = languages
  const language = detectLanguage(text) ?? first.toLowerCase().split('-')[0] ?? 'en'
  const folded = fold(text)
  const concepts = findConcepts(folded).map(({ id }) => id)
  return { title, body, url, language, folded, subject: '', title_concepts: [], concepts }
}

/** Lines of a page, with sentences packed into pieces of speakable length. */
function piecesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
  return lines.filter((line) => line.length >= LINE_CHARACTERS_MIN).flatMap(packSentences)
}

function packSentences(line: string): string[] {
  const pieces: string[] = []
  for (const sentence of splitSentences(line)) {
    const last = pieces.at(-1)
    const joined = `${last} ${sentence}`
    if (last !== undefined && joined.length <= PIECE_CHARACTERS_MAX)
      pieces[pieces.length - 1] = joined
    else pieces.push(sentence.slice(0, PIECE_CHARACTERS_MAX))
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
