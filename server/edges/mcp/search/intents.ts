/**
 * Classifies wishes (read, create, change …; verbs.md) by naive Bayes over all words of a query,
 * including those that belong to no noun, such as "why". It learns from verbs.md and from the phrases
 * of operations. There a word counts once for each noun of a class, so that words of a single noun
 * have little influence.
 */
import { joinSeparableVerbs, toStem, splitWords } from './terms.ts'
import {
  searchLanguages,
  type SearchLanguage,
  type Phrases,
  type WordSection,
} from './words/word-lists.ts'

export interface IntentClassifier {
  /** The probability of each class; the sum is 1. */
  in(query: string): ReadonlyMap<string, number>
}

export interface Lesson {
  noun: string
  /** The first word of the operation's action. */
  verb: string
  phrases: Phrases
}

type Counts = Map<string, Map<string, number>>

/** A phrase in verbs.md counts as much as this number of nouns. */
const LISTED_WEIGHT = 12
/** Weight of the evidence. Below 1, because the words of a query depend on each other. */
const EVIDENCE_WEIGHT = 0.6
/**
 * Returns the classes for each verb in operation names, from lines such as `Verbs of names: list,
 * get.`
 */
export function readClasses(
  sections: Iterable<WordSection>,
): ReadonlyMap<string, readonly string[]> {
  const classes = new Map<string, string[]>()
  for (const { name, about } of sections)
    for (const verb of about.replace(/^.*: /, '').match(/\w+/g) ?? [])
      classes.set(verb, [...(classes.get(verb) ?? []), name])
  return classes
}

export function* trainIntents(
  sections: ReadonlyMap<string, WordSection>,
  lessons: Iterable<Lesson>,
): Generator<void, IntentClassifier> {
  const counts: Counts = new Map()
  yield* learnLists(counts, sections.values())
  yield* learnLessons(counts, readClasses(sections.values()), lessons)
  const totals = sums([...counts.values()])
  const all = totalOf(totals)
  const names = [...sections.keys()]
  const shares = new Map(names.map((name) => [name, (totals.get(name) ?? 0) / all]))
  return {
    in(query) {
      const words = splitWords(query)
      const features = new Set(searchLanguages.flatMap((language) => allFeatures(words, language)))
      const known = [...features].flatMap((feature) => counts.get(feature) ?? [])
      const odds = names.map((name) => {
        const evidence = known.map((of) => Math.log(ratioOf(of, name, shares)))
        const sum = evidence.reduce((total, one) => total + one, 0)
        return [name, (shares.get(name) ?? 0) * Math.exp(EVIDENCE_WEIGHT * sum)] as const
      })
      const whole = odds.reduce((total, [, one]) => total + one, 0)
      return new Map(odds.map(([name, one]) => [name, one / whole]))
    },
  }
}

/** The frequency of a feature in a class relative to the average, with add-one smoothing. */
function ratioOf(
  of: ReadonlyMap<string, number>,
  name: string,
  shares: ReadonlyMap<string, number>,
): number {
  const share = shares.get(name) ?? 0
  const count = of.get(name) ?? 0
  return (count / share + shares.size) / (totalOf(of) + shares.size)
}

function* learnLists(counts: Counts, sections: Iterable<WordSection>): Generator<void> {
  for (const { name, phrases } of sections)
    for (const language of searchLanguages) {
      const features = phrases[language].split(',').flatMap((one) => listedFeatures(one, language))
      for (const feature of features) add(counts, { feature, name, weight: LISTED_WEIGHT })
      yield
    }
}

/** A phrase of several words is one feature, because its single words may mean something else. */
function listedFeatures(phrase: string, language: SearchLanguage): string[] {
  const words = splitWords(phrase)
  if (words.length === 1) return stemsOf(words, language)
  return [...rowsOf(words, language), ...joinedVerbs(words, language)]
}

function* learnLessons(
  counts: Counts,
  classes: ReadonlyMap<string, readonly string[]>,
  lessons: Iterable<Lesson>,
): Generator<void> {
  const heard = new Set<string>()
  for (const { noun, verb, phrases } of lessons)
    for (const language of searchLanguages) {
      const own = classes.get(verb) ?? []
      const features = new Set(stemsOf(splitWords(phrases[language]), language))
      const found = [...features].flatMap((feature) => own.map((name) => ({ feature, name })))
      for (const one of found.filter((pair) => isNew(heard, { noun, ...pair })))
        add(counts, { ...one, weight: 1 / own.length })
      yield
    }
}

function isNew(heard: Set<string>, { noun, name, feature }: Record<string, string>): boolean {
  const key = `${noun} ${name} ${feature}`
  const is_new = !heard.has(key)
  heard.add(key)
  return is_new
}

function add(
  counts: Counts,
  { feature, name, weight }: { feature: string; name: string; weight: number },
): void {
  const of = counts.get(feature) ?? new Map<string, number>()
  counts.set(feature, of.set(name, (of.get(name) ?? 0) + weight))
}

function sums(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const one of all)
    for (const [name, count] of one) totals.set(name, (totals.get(name) ?? 0) + count)
  return totals
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}

function allFeatures(words: readonly string[], language: SearchLanguage): string[] {
  return [...stemsOf(words, language), ...rowsOf(words, language), ...joinedVerbs(words, language)]
}

function stemsOf(words: readonly string[], language: SearchLanguage): string[] {
  return words.map((word) => `${language} ${toStem(word, language)}`)
}

function joinedVerbs(words: readonly string[], language: SearchLanguage): string[] {
  return language === 'en' ? [] : stemsOf(joinSeparableVerbs(words), language)
}

/** Returns sequences of two and three stems. */
function rowsOf(words: readonly string[], language: SearchLanguage): string[] {
  const stems = stemsOf(words, language)
  return [2, 3].flatMap((length) =>
    stems.slice(length - 1).map((_, at) => stems.slice(at, at + length).join('+')),
  )
}
