/**
 * Multinomial naive Bayes over the phrases of entries. Features are words, pairs of adjacent words, and
 * the four-letter n-grams of words, which match compounds, inflections and misspellings. A phrase is a
 * vector of features weighted by rarity, of length 1.
 */
import { folded, splitWords } from './terms.ts'
import { searchLanguages, type Phrases } from './word-lists.ts'

/** The log-likelihood of a query for each entry with phrases, up to a constant. */
export type PhraseModel = (query: string) => ReadonlyMap<string, number>

const GRAM_LETTERS = 4
/** Additive smoothing. */
const SMOOTHING = 0.03

interface Entry {
  id: string
  phrases: Phrases
}

interface Posting {
  /** The count of phrases with the feature. */
  phrases: number
  /** The entries with the feature, ascending, and the sum of its weights in each. */
  entries: number[]
  sums: number[]
}

export function* phraseModelOf(entries: readonly Entry[]): Generator<void, PhraseModel> {
  const postings = new Map<string, Posting>()
  const known = entries.filter(({ phrases }) => phrasesIn(phrases).length > 0)
  let count = 0
  for (const { phrases } of known) {
    for (const phrase of phrasesIn(phrases)) {
      count += 1
      for (const feature of featuresOf(phrase)) {
        const posting = postings.get(feature) ?? { phrases: 0, entries: [], sums: [] }
        posting.phrases += 1
        postings.set(feature, posting)
      }
      yield
    }
  }
  const vectorOf = (text: string) => weighted(text, postings, count)
  const totals: number[] = []
  for (const [at, { phrases }] of known.entries()) {
    let total = SMOOTHING * postings.size
    for (const phrase of phrasesIn(phrases)) {
      for (const [posting, weight] of vectorOf(phrase)) {
        addWeight(posting, at, weight)
        total += weight
      }
      yield
    }
    totals.push(total)
  }
  for (const posting of postings.values()) {
    // Copies have no spare capacity.
    posting.entries = [...posting.entries]
    posting.sums = [...posting.sums]
    yield
  }
  return (query) => {
    const vector = vectorOf(query)
    const whole = vector.reduce((sum, [, weight]) => sum + weight, 0)
    const scores = totals.map((total) => -whole * Math.log(total))
    for (const [{ entries: having, sums }, weight] of vector)
      for (const [place, at] of having.entries()) {
        const sum = sums[place] ?? 0
        scores[at] = (scores[at] ?? 0) + weight * Math.log(1 + sum / SMOOTHING)
      }
    return new Map(known.map(({ id }, at) => [id, scores[at] ?? 0]))
  }
}

function addWeight({ entries, sums }: Posting, at: number, weight: number): void {
  const last = entries.length - 1
  if (entries[last] === at) sums[last] = (sums[last] ?? 0) + weight
  else {
    entries.push(at)
    sums.push(weight)
  }
}

function weighted(
  text: string,
  postings: ReadonlyMap<string, Posting>,
  phrases: number,
): [Posting, number][] {
  const found = [...featuresOf(text)].flatMap((feature) => postings.get(feature) ?? [])
  const weights = found.map((posting) => Math.log(phrases / posting.phrases))
  const length = Math.hypot(...weights) || 1
  return found.map((posting, at) => [posting, (weights[at] ?? 0) / length])
}

function phrasesIn(phrases: Phrases): string[] {
  return searchLanguages
    .flatMap((language) => phrases[language].split(','))
    .filter((phrase) => phrase.trim() !== '')
}

function featuresOf(phrase: string): ReadonlySet<string> {
  const words = splitWords(phrase).map((word) => folded(word, 'de'))
  const pairs = words.slice(1).map((word, at) => `${words[at]}+${word}`)
  // An equals sign keeps words apart from n-grams.
  return new Set([...words.map((word) => `=${word}`), ...pairs, ...words.flatMap(gramsOf)])
}

/** The n-grams of a word with a blank at its beginning and end. */
function gramsOf(word: string): string[] {
  const text = ` ${word} `
  return Array.from({ length: Math.max(1, text.length - GRAM_LETTERS + 1) }, (_, at) =>
    text.slice(at, at + GRAM_LETTERS),
  )
}
