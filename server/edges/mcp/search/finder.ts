/**
 * Ranks entries for a query in English, Dutch or German by a linear model of three features: BM25 over
 * stems (MiniSearch), of which only the best reading of each word counts; the probability of the entry
 * by its phrases (phrase-model.ts); and how well the entry serves the class of the wish.
 */
import MiniSearch from 'minisearch'
import type { IntentClassifier } from './intents.ts'
import { trainPhraseModel } from './phrases/phrase-model.ts'
import {
  joinIndexTerms,
  createVocabulary,
  type CommonWords,
  type QueryWord,
  type WeightedTerm,
} from './vocabulary.ts'
import { noPhrases, type Phrases } from './words/word-lists.ts'

export interface SearchEntry {
  id: string
  /** Phrases for this entry alone. */
  phrases: Phrases
  /** Phrases for all entries of the same noun. */
  shared: Phrases
  /** The classes of wishes that it serves (verbs.md); empty if the class does not matter. */
  classes: readonly string[]
  /** English words of the declaration: name, route, arguments, description. */
  declared: string
}

export interface Ranked {
  id: string
  /** Comparable between the entries of one query only. */
  score: number
  /** The weighted share of query words that this entry has, from 0 to 1. */
  share: number
}

export type Finder = (query: string) => Ranked[]

const boost = { phrases: 1, shared: 0.5, declared: 0.35 }
/** A high k, because a word that many phrases of an entry contain is typical of it. */
const bm25 = { k: 4, b: 0.4, d: 0.2 }
/**
 * Fitted on sets of phrases. For each set the word lists were used as they were before the set was
 * read.
 */
const WEIGHTS = { bm25: 3, probability: 1.5, fit: 3 }
/** The class of the wish changes the fit by up to this share. */
const CLASS_WEIGHT = 0.5
/** The weight of an unknown word in `share`, relative to the rarest known word. */
const UNKNOWN_WEIGHT = 0.5
/** The weight of a corrected misspelling in `share`. */
const GUESS_TRUST = 0.6
/** Maximum number of guesses, which bounds the work that one word of a query can cause. */
const GUESSES_MAX = 20
/** Minimum length of a corrected word; shorter words are too similar to each other. */
const GUESSED_CHARACTERS_MIN = { fuzzy: 6, prefix: 5 }
/** The share of letters that may be wrong. */
const FUZZY_SHARE = 0.2
/** Maximum number of edits; more would visit most of the index for a long word. */
const FUZZY_MAX = 2
const GUESS_WEIGHTS = { fuzzy: 0.8, prefix: 0.5 }

type Scores = Map<string, number>

export function* createFinder(
  entries: readonly SearchEntry[],
  { intents, ...common }: CommonWords & { intents: IntentClassifier },
): Generator<void, Finder> {
  const known = entries.flatMap(({ phrases, shared }) => [phrases, shared])
  const vocabulary = yield* createVocabulary(known, common)
  const index = new MiniSearch({
    fields: Object.keys(boost),
    tokenize: (text) => text.split(' ').filter((term) => term !== ''),
    processTerm: (term) => term,
    searchOptions: { boost, bm25 },
  })
  // Entries of one noun or verb share their phrases.
  const kept = new Map<Phrases, string>()
  for (const { id, phrases, shared, declared } of entries) {
    const fields = { shared, declared: { ...noPhrases, en: declared } }
    const words = yield* vocabulary.phrasesOf(phrases)
    const document: Record<string, string> = { id, phrases: joinIndexTerms(words) }
    for (const [field, said] of Object.entries(fields)) {
      const terms = kept.get(said) ?? joinIndexTerms(yield* vocabulary.phrasesOf(said))
      kept.set(said, terms)
      document[field] = terms
    }
    index.add(document)
    yield
  }
  const rarity = rarityIn(index, entries.length)
  const probabilitiesOf = yield* trainPhraseModel(entries, common.meanings)
  return (query) => {
    const totals = new Map<string, { score: number; known: number }>()
    let whole = 0
    for (const word of vocabulary.wordsOfQuery(query)) {
      const { weight, trust, scores } = matchesOf(word, index, rarity)
      if (!word.is_pair) whole += weight
      for (const [id, score] of scores) {
        const total = totals.get(id) ?? { score: 0, known: 0 }
        const heard = word.is_pair ? 0 : weight * trust
        totals.set(id, { score: total.score + word.weight * score, known: total.known + heard })
      }
    }
    const probabilities = probabilitiesOf(query)
    const intent = intents.in(query)
    const ranked = entries.flatMap(({ id, classes }) => {
      const total = totals.get(id)
      if (!total) return []
      const score =
        WEIGHTS.bm25 * Math.log(1 + total.score) +
        WEIGHTS.probability * (probabilities.get(id) ?? -Infinity) +
        WEIGHTS.fit * Math.log(fitOf(classes, intent))
      return { id, score, share: whole === 0 ? 0 : total.known / whole }
    })
    return ranked.toSorted((left, right) => right.score - left.score)
  }
}

/** Returns a factor around 1 for how well an entry serves the likely classes of the wish. */
function fitOf(classes: readonly string[], intent: ReadonlyMap<string, number>): number {
  if (classes.length === 0) return 1
  const likely = classes.reduce((sum, name) => sum + (intent.get(name) ?? 0), 0)
  return 1 + CLASS_WEIGHT * (likely - 0.5)
}

interface Rarity {
  /**
   * Returns the rarity of a term: 0 for an unknown term; otherwise higher for fewer entries with
   * the term.
   */
  of(term: string): number
  highest: number
}

function rarityIn(index: MiniSearch, entries: number): Rarity {
  const kept = new Map<string, number>()
  const count = (term: string) => index.search(term, { fields: ['phrases', 'shared'] }).length
  return {
    highest: Math.log(1 + entries),
    of(term) {
      const before = kept.get(term)
      if (before !== undefined) return before
      const found = count(term)
      // Unknown terms are not cached, because queries could fill the memory with them.
      if (found === 0) return 0
      kept.set(term, Math.log(1 + entries / found))
      return Math.log(1 + entries / found)
    },
  }
}

interface Matches {
  weight: number
  /** 1 for a known word, lower for a correction. */
  trust: number
  scores: Scores
}

function matchesOf(word: QueryWord, index: MiniSearch, rarity: Rarity): Matches {
  const known = word.readings
    .map((reading) => reading.filter(([term]) => rarity.of(term) > 0))
    .filter((reading) => reading.length > 0)
  const readings = known.length > 0 || word.is_pair ? known : guesses(word, index, rarity)
  const weights = readings.map((reading) =>
    reading.reduce((sum, [term, one]) => sum + one * rarity.of(term), 0),
  )
  const scores = readings.map((reading) => {
    const sums: Scores = new Map()
    for (const [term, one] of reading)
      for (const { id, score } of index.search(term))
        sums.set(id, (sums.get(id) ?? 0) + one * score)
    return sums
  })
  const weight = Math.max(...weights, known.length > 0 ? 0 : UNKNOWN_WEIGHT * rarity.highest)
  return {
    weight: word.weight * weight,
    trust: known.length > 0 ? 1 : GUESS_TRUST,
    scores: highest(scores),
  }
}

/** Returns known terms with the prefix or a similar spelling of an unknown word. */
function guesses({ readings }: QueryWord, index: MiniSearch, rarity: Rarity): WeightedTerm[][] {
  const weights = new Map<string, number>()
  for (const [term] of readings.flat()) {
    const found = index.search(term, {
      fuzzy: term.length >= GUESSED_CHARACTERS_MIN.fuzzy ? FUZZY_SHARE : false,
      maxFuzzy: FUZZY_MAX,
      prefix: term.length >= GUESSED_CHARACTERS_MIN.prefix,
    })
    for (const guess of found.flatMap((one) => one.terms)) {
      const weight = guess.startsWith(term) ? GUESS_WEIGHTS.prefix : GUESS_WEIGHTS.fuzzy
      if (rarity.of(guess) > 0) weights.set(guess, Math.max(weights.get(guess) ?? 0, weight))
    }
  }
  const best = [...weights].toSorted(([, left], [, right]) => right - left)
  return best.slice(0, GUESSES_MAX).map((guess) => [guess])
}

function highest(all: readonly Scores[]): Scores {
  const best: Scores = new Map()
  for (const scores of all)
    for (const [id, score] of scores) best.set(id, Math.max(best.get(id) ?? 0, score))
  return best
}
