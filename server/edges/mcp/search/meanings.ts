/**
 * Synonyms across the three languages (synonyms.md). A meaning is an index term like a stem, so that a
 * query finds phrases that use other words.
 */
import { toStem, splitWords } from './terms.ts'
import { searchLanguages, type SearchLanguage, type WordSection } from './words/word-lists.ts'

export interface Meanings {
  ofWord(word: string, language: SearchLanguage): readonly string[]
  /** Returns the meanings of two to four adjacent words, such as "no longer". */
  ofRows(words: readonly string[], language: SearchLanguage): readonly string[]
}

const ROW_WORDS_MAX = 4

export function* readMeanings(sections: Iterable<WordSection>): Generator<void, Meanings> {
  const kept = new Map<string, Set<string>>()
  const stemsOf = (words: readonly string[], language: SearchLanguage) =>
    words.map((word) => toStem(word, language))
  const keyOf = (stems: readonly string[], language: SearchLanguage) =>
    [language, ...stems].join(' ')
  for (const { name, phrases } of sections)
    for (const language of searchLanguages) {
      for (const phrase of phrases[language].split(',')) {
        const key = keyOf(stemsOf(splitWords(phrase), language), language)
        kept.set(key, (kept.get(key) ?? new Set()).add(`~${name}`))
      }
      yield
    }
  const of = (stems: readonly string[], language: SearchLanguage) => [
    ...(kept.get(keyOf(stems, language)) ?? []),
  ]
  return {
    ofWord: (word, language) => of(stemsOf([word], language), language),
    ofRows(words, language) {
      const stems = stemsOf(words, language)
      const rows = stems.flatMap((_, at) =>
        Array.from({ length: ROW_WORDS_MAX - 1 }, (_row, more) => stems.slice(at, at + more + 2)),
      )
      return [...new Set(rows.filter((row) => row.length > 1).flatMap((row) => of(row, language)))]
    },
  }
}
