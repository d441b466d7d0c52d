/**
 * Finds quotations of the owner's instructions in the text of a model, against prompt extraction.
 * Only directives count, not sentences about the business. Paraphrases are not recognized.
 */
import { LRUCache } from 'lru-cache'
import { isDirective } from '../../../providers/model/language/words.ts'
import { splitSentences } from '../knowledge/passages.ts'

/** Number of consecutive words of an instruction that count as a quotation. */
const QUOTED_WORDS = 6
const BASE64_CHARACTERS_MIN = 24
/** Length of the text before new text in which a quotation may have begun. */
const QUOTED_CHARACTERS_MAX = 600

/** Long enough that few pieces begin alike. */
const START_CHARACTERS = 8
/** Length of all instructions whose guards are kept. */
const KEPT_CHARACTERS = 500_000

type OrderGuard = (text: string) => boolean

const guards = new LRUCache<string, OrderGuard>({
  maxSize: KEPT_CHARACTERS,
  sizeCalculation: (_, instructions) => instructions.length + 1,
})

/**
 * Returns a function that is true for a text that quotes an instruction, also in other letter case,
 * spelled out, reversed or as base64.
 */
export function createOrderGuard(instructions: string): OrderGuard {
  const known = guards.get(instructions)
  if (known) return known
  const orders = splitSentences(instructions).filter(isDirective)
  const guard = guardOf(orders.flatMap(piecesOf))
  guards.set(instructions, guard)
  return guard
}

/** Finds the pieces by their first letters, so the cost hardly depends on their number. */
function guardOf(pieces: readonly string[]): OrderGuard {
  if (pieces.length === 0) return () => false
  /** By their start the pieces that begin so, by their length. */
  const starts = new Map<string, Map<number, Set<string>>>()
  for (const piece of pieces) {
    const start = piece.slice(0, START_CHARACTERS)
    const alike = starts.get(start) ?? new Map<number, Set<string>>()
    starts.set(start, alike)
    alike.set(piece.length, (alike.get(piece.length) ?? new Set()).add(piece))
  }
  const lengths = [...new Set([...starts.keys()].map((start) => start.length))]
  const hasPieceAt = (letters: string, at: number) =>
    lengths.some((length) => {
      const alike = starts.get(letters.slice(at, at + length))
      if (alike === undefined) return false
      return [...alike].some(([size, same]) => same.has(letters.slice(at, at + size)))
    })
  const containsPiece = (letters: string) => {
    for (let at = 0; at < letters.length; at += 1) if (hasPieceAt(letters, at)) return true
    return false
  }
  return (text) =>
    [text, [...text].toReversed().join(''), ...decodedIn(text)].map(lettersOf).some(containsPiece)
}

/**
 * The same for a text that grows: each call checks only what is new, with as much before it as a
 * quotation can be long. Once a text quotes an order, each longer text does.
 */
export function createGrowingGuard(quotesOrder: OrderGuard): OrderGuard {
  let before = ''
  let is_quoted = false
  return (text) => {
    const grows = text.startsWith(before)
    const from = grows ? Math.max(0, before.length - QUOTED_CHARACTERS_MAX) : 0
    is_quoted = (grows && is_quoted) || quotesOrder(text.slice(from))
    before = text
    return is_quoted
  }
}

/** Each run of `QUOTED_WORDS` words; the whole instruction if it is shorter. */
function piecesOf(order: string): string[] {
  const words = order.split(/\s+/)
  const count = Math.max(1, words.length - QUOTED_WORDS + 1)
  return Array.from({ length: count }, (_, at) =>
    lettersOf(words.slice(at, at + QUOTED_WORDS).join('')),
  ).filter(Boolean)
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function decodedIn(text: string): string[] {
  const coded = text.match(/[A-Za-z0-9+/_-]+={0,2}/g) ?? []
  return coded
    .filter(({ length }) => length >= BASE64_CHARACTERS_MIN)
    .map((one) => Buffer.from(one, 'base64').toString('utf8'))
}
