/**
 * Similarity of a query to the nearest phrases of an entry: the cosine of their four-letter n-grams,
 * weighted by rarity. Unlike the bag of all words of an entry, it respects which words occur together,
 * and it matches compounds, inflections and misspellings.
 */
import { folded, splitWords } from './terms.ts'
import { searchLanguages, type Phrases } from './word-lists.ts'

/** From 0 (nothing in common) to 1, by the id of the entry. */
export type Nearest = (query: string) => ReadonlyMap<string, number>

const GRAM_LETTERS = 4
/** Weights of the three nearest phrases. */
const RANK_WEIGHTS = [1, 0.5, 0.25]
const RANK_WEIGHTS_SUM = 1.75

export function* nearestOver(
  entries: readonly { id: string; phrases: Phrases }[],
): Generator<void, Nearest> {
  const owners: string[] = []
  const postings = new Map<string, number[]>()
  for (const { id, phrases } of entries) {
    for (const phrase of phrasesIn(phrases)) {
      const at = owners.push(id) - 1
      for (const gram of gramsOf(phrase)) post(postings, gram, at)
    }
    yield
  }
  const rarityOf = (gram: string) => Math.log(1 + owners.length / (postings.get(gram)?.length ?? 1))
  const lengths: number[] = []
  for (const { phrases } of entries) {
    for (const phrase of phrasesIn(phrases)) lengths.push(lengthOf(gramsOf(phrase), rarityOf))
    yield
  }
  return (query) => {
    const grams = gramsOf(query)
    const products = new Map<number, number>()
    for (const gram of grams) {
      const product = rarityOf(gram) ** 2
      for (const at of postings.get(gram) ?? []) products.set(at, (products.get(at) ?? 0) + product)
    }
    const length = lengthOf(grams, rarityOf)
    const nearest = new Map<string, number[]>()
    for (const [at, product] of products) {
      const id = owners[at] ?? ''
      const cosine = product / (length * (lengths[at] ?? 1))
      nearest.set(id, inserted(cosine, nearest.get(id) ?? []))
    }
    return new Map([...nearest].map(([id, cosines]) => [id, mean(cosines)]))
  }
}

function phrasesIn(phrases: Phrases): string[] {
  return searchLanguages.flatMap((language) => phrases[language].split(','))
}

function post(postings: Map<string, number[]>, gram: string, at: number): void {
  const kept = postings.get(gram)
  if (kept) kept.push(at)
  else postings.set(gram, [at])
}

function lengthOf(grams: ReadonlySet<string>, rarityOf: (gram: string) => number): number {
  return Math.max(1, Math.hypot(...[...grams].map(rarityOf)))
}

/** The n-grams of each word, with a blank at its beginning and end. */
function gramsOf(phrase: string): ReadonlySet<string> {
  const grams = splitWords(phrase).flatMap((word) => {
    const text = ` ${folded(word, 'de')} `
    return Array.from({ length: Math.max(1, text.length - GRAM_LETTERS + 1) }, (_, at) =>
      text.slice(at, at + GRAM_LETTERS),
    )
  })
  return new Set(grams)
}

/** The highest cosines so far, highest first. */
function inserted(cosine: number, kept: number[]): number[] {
  if (kept.length === RANK_WEIGHTS.length && cosine <= (kept.at(-1) ?? 0)) return kept
  return [...kept, cosine].toSorted((left, right) => right - left).slice(0, RANK_WEIGHTS.length)
}

function mean(cosines: readonly number[]): number {
  const sum = cosines.reduce((total, cosine, at) => total + cosine * (RANK_WEIGHTS[at] ?? 0), 0)
  return sum / RANK_WEIGHTS_SUM
}
