/**
 * How near a query comes to the nearest phrases of an entry: cosines of their words, each weighted
 * by its rarity. A bag of all phrases of an entry cannot tell whether words were said together.
 */
import type { PhraseWord } from './vocabulary.ts'

/** A word of the query. */
export interface Sought {
  weight: number
  /** How well each term matches the word, from 0 to 1. */
  terms: ReadonlyMap<string, number>
}

/** From 0 (nothing in common) to 1, by the id of the entry. */
export type Nearest = (sought: readonly Sought[]) => ReadonlyMap<string, number>

/** The nearest phrase counts most, the second half as much, the third a quarter. */
const RANK_WEIGHTS = [1, 0.5, 0.25]
const RANK_WEIGHTS_SUM = 1.75

export function* nearestOver(
  entries: Iterable<readonly [id: string, phrases: readonly PhraseWord[][]]>,
  rarityOf: (term: string) => number,
): Generator<void, Nearest> {
  const owners: string[] = []
  const lengths: number[] = []
  const postings = new Map<string, number[]>()
  for (const [id, phrases] of entries) {
    for (const words of phrases) {
      const at = owners.push(id) - 1
      const length = Math.hypot(...words.map(({ stem, weight }) => weight * rarityOf(stem)))
      lengths.push(Math.max(length, 1))
      const terms = new Set(words.flatMap((word) => word.terms))
      for (const term of terms) post(postings, term, at)
    }
    yield
  }
  return (sought) => {
    const products = new Map<number, number>()
    for (const word of sought)
      for (const [at, match] of matchesIn(postings, word))
        products.set(at, (products.get(at) ?? 0) + match * word.weight ** 2)
    const length = Math.hypot(...sought.map(({ weight }) => weight))
    const nearest = new Map<string, number[]>()
    for (const [at, product] of products) {
      const cosine = Math.min(1, product / (length * (lengths[at] ?? 1)))
      const id = owners[at] ?? ''
      nearest.set(id, inserted(cosine, nearest.get(id) ?? []))
    }
    return new Map([...nearest].map(([id, cosines]) => [id, mean(cosines)]))
  }
}

function post(postings: Map<string, number[]>, term: string, at: number): void {
  const kept = postings.get(term)
  if (kept) kept.push(at)
  else postings.set(term, [at])
}

/** How well each phrase matches one word of the query. */
function matchesIn(postings: ReadonlyMap<string, readonly number[]>, { terms }: Sought) {
  const best = new Map<number, number>()
  for (const [term, match] of terms)
    for (const at of postings.get(term) ?? []) best.set(at, Math.max(best.get(at) ?? 0, match))
  return best
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
