/**
 * Converts the words of phrases and queries to index terms. A phrase has a known language, a query does
 * not: each word of a query is stemmed in every language and split if it is a compound of known words.
 */
import { toStems, type Meanings } from './meanings.ts'
import {
  foldAccents,
  findCompoundEnd,
  splitCompound,
  joinSeparableVerbs,
  toStem,
  removeDiminutive,
  splitWords,
} from './terms.ts'
import { searchLanguages, type SearchLanguage, type Phrases } from './words/word-lists.ts'

/** A possible index term of a query word, and the weight of a match. */
export type WeightedTerm = readonly [term: string, weight: number]

export interface QueryWord {
  /** Readings of the word; the best one counts. The terms of one reading are added up. */
  readings: readonly (readonly WeightedTerm[])[]
  /** Lower for words that fit many wishes. */
  weight: number
  /** Two adjacent words: a match raises the score, and no match does not lower it. */
  is_pair: boolean
}

/** A word of a phrase. */
export interface PhraseWord {
  stem: string
  /** Its stem, its meanings and the parts of a compound. */
  terms: readonly string[]
  /** Lower for words that fit many wishes; 0 for a term that is derived from other words. */
  weight: number
}

export interface SearchVocabulary {
  /** The words of each phrase. */
  phrasesOf(phrases: Phrases): Generator<void, PhraseWord[][]>
  wordsOfQuery(query: string): QueryWord[]
}

export interface CommonWords {
  /** Stop words. */
  fillers: Phrases
  /** Words that fit many wishes. */
  weak: Phrases
  meanings: Meanings
}

const PART_WEIGHT = 0.6
const PAIR_WEIGHT = 0.6
const WEAK_WEIGHT = 0.35
const MEANING_WEIGHT = 0.8
/** The weight of a part of a compound whose other part is unknown. */
const HEAD_WEIGHT = 0.5
const compounding = ['nl', 'de'] as const
/**
 * Minimum length of a part that may match by its stem; a shorter part must be a known word itself.
 */
const STEMMED_PART_CHARACTERS_MIN = 5

export function* createVocabulary(
  known: readonly Phrases[],
  common: CommonWords,
): Generator<void, SearchVocabulary> {
  const isFiller = allWords(common.fillers)
  const isWeak = allWords(common.weak)
  const { meanings } = common
  const words = yield* knownWords(known)
  const contentOf = (all: readonly string[]) => {
    const content = all.filter((word) => !isFiller.has(typed(word)))
    // Some phrases consist of stop words only, such as "who am I".
    return content.length > 0 ? content : [...all]
  }
  const compounds = compoundsOf(words, isFiller)
  const meaningsIn = (all: readonly string[], language: SearchLanguage) =>
    all.flatMap((word) => meanings.ofWord(word, language))
  const wordsOfPhrase = phraseReader({ contentOf, meaningsIn, meanings, compounds, isWeak })
  const compoundReadings = (word: string): WeightedTerm[][] =>
    compounding.flatMap((language) => {
      const { parts, weight } = compounds.read(word, language)
      const said = [...new Set(meaningsIn(parts, language))]
      return [
        parts.map((part): WeightedTerm => [toStem(part, language), weight]),
        said.map((term): WeightedTerm => [term, weight * MEANING_WEIGHT]),
      ]
    })
  const single = (word: string): QueryWord => {
    const plain = removeDiminutive(word)
    const said = searchLanguages.flatMap((language) => meaningsIn([word, ...plain], language))
    return {
      readings: [
        ...stemReadings(word),
        ...plain.map((one): WeightedTerm[] => [[toStem(one, 'nl'), 1]]),
        ...[...new Set(said)].map((term): WeightedTerm[] => [[term, MEANING_WEIGHT]]),
        ...[word, ...plain].flatMap(compoundReadings),
      ],
      weight: isWeak.has(typed(word)) ? WEAK_WEIGHT : 1,
      is_pair: false,
    }
  }
  const isVerb = (word: string) =>
    compounding.some((language) => words[language].stems.has(toStem(word, language)))
  return {
    *phrasesOf(phrases) {
      const found: PhraseWord[][] = []
      for (const language of searchLanguages) {
        for (const phrase of phrases[language].split(','))
          found.push(wordsOfPhrase(phrase, language))
        yield
      }
      return found
    },
    wordsOfQuery(query) {
      const all = splitWords(query)
      const content = contentOf(all)
      const verbs = joinSeparableVerbs(all).filter(isVerb)
      return [
        ...content.map(single),
        ...verbs.map((verb) => ({ readings: stemReadings(verb), weight: 1, is_pair: false })),
        ...pairsIn(content),
        ...rowsIn(all, meanings),
      ]
    },
  }
}

interface Reading {
  contentOf(words: readonly string[]): string[]
  meaningsIn(words: readonly string[], language: SearchLanguage): string[]
  meanings: Meanings
  compounds: { partsIn(word: string, language: SearchLanguage): string[] }
  isWeak: ReadonlySet<string>
}

/** Converts the words of phrases, each word once, because most occur in many phrases. */
function phraseReader({ contentOf, meaningsIn, meanings, compounds, isWeak }: Reading) {
  const kept = new Map<string, PhraseWord>()
  const read = (word: string, language: SearchLanguage): PhraseWord => {
    const parts = language === 'en' ? [] : compounds.partsIn(word, language)
    const stems = [word, ...parts].map((one) => toStem(one, language))
    return {
      stem: stems[0] ?? '',
      terms: [...new Set([...stems, ...meaningsIn([word, ...parts], language)])],
      weight: isWeak.has(typed(word)) ? WEAK_WEIGHT : 1,
    }
  }
  const readOnce = (word: string, language: SearchLanguage): PhraseWord => {
    const key = `${language} ${word}`
    const found = kept.get(key) ?? read(word, language)
    kept.set(key, found)
    return found
  }
  return (phrase: string, language: SearchLanguage): PhraseWord[] => {
    const all = splitWords(phrase)
    const verbs = language === 'en' ? [] : joinSeparableVerbs(all)
    const more = [
      ...meanings.ofRows(toStems(all, language), language),
      ...verbs.map((verb) => toStem(verb, language)),
    ]
    return [
      ...contentOf(all).map((word) => readOnce(word, language)),
      ...more.map((term) => ({ stem: term, terms: [term], weight: 0 })),
    ]
  }
}

/** Returns the meanings of adjacent words. A missing match does not lower the score. */
function rowsIn(all: readonly string[], meanings: Meanings): QueryWord[] {
  const found = searchLanguages.flatMap((language) =>
    meanings.ofRows(toStems(all, language), language),
  )
  return [...new Set(found)].map((term) => ({
    readings: [[[term, MEANING_WEIGHT]]],
    weight: 1,
    is_pair: true,
  }))
}

interface Known {
  plain: ReadonlySet<string>
  stems: ReadonlySet<string>
}

type KnownWords = Readonly<Record<SearchLanguage, Known>>

/** Splits compounds into known parts, or finds one known end if the rest is unknown. */
function compoundsOf(words: KnownWords, isFiller: ReadonlySet<string>) {
  const partsIn = (word: string, language: SearchLanguage): string[] => {
    const { plain, stems } = words[language]
    return splitCompound(word, (part) => {
      if (part === word || isFiller.has(typed(part))) return false
      if (plain.has(foldAccents(part, language))) return true
      return part.length >= STEMMED_PART_CHARACTERS_MIN && stems.has(toStem(part, language))
    })
  }
  return {
    partsIn,
    read(word: string, language: SearchLanguage): { parts: string[]; weight: number } {
      const parts = partsIn(word, language)
      if (parts.length > 0) return { parts, weight: PART_WEIGHT }
      const { plain } = words[language]
      const head = findCompoundEnd(
        word,
        (part) => plain.has(foldAccents(part, language)) && !isFiller.has(typed(part)),
      )
      return { parts: head === null ? [] : [head], weight: HEAD_WEIGHT }
    },
  }
}

function allWords(phrases: Phrases): ReadonlySet<string> {
  return new Set(searchLanguages.flatMap((language) => splitWords(phrases[language]).map(typed)))
}

/**
 * Folds spellings: `fuer` and `für` become `fur`. Short words keep their letters, so that `due` is
 * not `du`.
 */
function typed(word: string): string {
  return word.length < 4 ? foldAccents(word, 'en') : foldAccents(word, 'de')
}

function* knownWords(known: readonly Phrases[]): Generator<void, KnownWords> {
  return {
    en: yield* knownIn('en', known),
    nl: yield* knownIn('nl', known),
    de: yield* knownIn('de', known),
  }
}

function* knownIn(language: SearchLanguage, known: readonly Phrases[]): Generator<void, Known> {
  const words = new Set(known.flatMap((phrases) => splitWords(phrases[language])))
  const plain = new Set<string>()
  const stems = new Set<string>()
  for (const word of words) {
    plain.add(foldAccents(word, language))
    stems.add(toStem(word, language))
    yield
  }
  return { plain, stems }
}

function stemReadings(word: string): WeightedTerm[][] {
  const stems = new Set(searchLanguages.map((language) => toStem(word, language)))
  return [...stems].map((stem) => [[stem, 1]])
}

/** Joins the terms of phrases into a bag of words, separated by blanks. */
export function joinIndexTerms(phrases: readonly PhraseWord[][]): string {
  return phrases
    .flatMap((words) => [
      ...words.flatMap(({ terms }) => terms),
      ...pairsOf(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem)),
    ])
    .join(' ')
}

function pairsOf(stems: readonly string[]): string[] {
  return stems.slice(1).map((stem, at) => `${stems[at]}+${stem}`)
}

function pairsIn(content: readonly string[]): QueryWord[] {
  const [en, nl, de] = searchLanguages.map((language) =>
    pairsOf(content.map((word) => toStem(word, language))),
  )
  return (en ?? []).map((pair, at) => {
    const readings = [...new Set([pair, nl?.[at] ?? pair, de?.[at] ?? pair])]
    return {
      readings: readings.map((term): WeightedTerm[] => [[term, PAIR_WEIGHT]]),
      weight: 1,
      is_pair: true,
    }
  })
}
