/**
 * Which words mean the same, in any language (synonyms.md). A meaning is a term of the index like a
 * stem, so a query finds phrases that say it in other words.
 */
import { stemOf, wordsOf } from './terms.ts'
import { languages, type Language, type Section } from './word-lists.ts'

export interface Meanings {
  ofWord(word: string, language: Language): readonly string[]
  /** Meanings of two to four words in a row, such as "no longer". */
  ofRows(words: readonly string[], language: Language): readonly string[]
}

const ROW_WORDS_MAX = 4

export function* meaningsOf(sections: Iterable<Section>): Generator<void, Meanings> {
  const kept = new Map<string, Set<string>>()
  const stemsOf = (words: readonly string[], language: Language) =>
    words.map((word) => stemOf(word, language))
  const keyOf = (stems: readonly string[], language: Language) => [language, ...stems].join(' ')
  for (const { name, phrases } of sections)
    for (const language of languages) {
      for (const phrase of phrases[language].split(',')) {
        const key = keyOf(stemsOf(wordsOf(phrase), language), language)
        kept.set(key, (kept.get(key) ?? new Set()).add(`~${name}`))
      }
      yield
    }
  const of = (stems: readonly string[], language: Language) => [
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
