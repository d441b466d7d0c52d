/**
 * Synonyms across the three languages (synonyms.md). A meaning is an index term like a stem, so that a
 * query finds phrases that use other words.
 */
import { toStem, splitWords } from './terms.ts'
import { searchLanguages, type SearchLanguage, type WordSection } from './words/word-lists.ts'

export interface Meanings {
  ofWord(word: string, language: SearchLanguage): readonly string[]
  /** Returns the meanings of two to four adjacent words, such as "no longer", given as stems. */
  ofRows(stems: readonly string[], language: SearchLanguage): readonly string[]
}

interface Row {
  stems: readonly string[]
  meaning: string
}

interface Index {
  words: Map<string, string[]>
  /** By the first stem. */
  rows: Map<string, Row[]>
}

const ROW_WORDS_MAX = 4
const none: readonly string[] = []

export function* readMeanings(sections: Iterable<WordSection>): Generator<void, Meanings> {
  const indexes: Readonly<Record<SearchLanguage, Index>> = {
    en: { words: new Map(), rows: new Map() },
    nl: { words: new Map(), rows: new Map() },
    de: { words: new Map(), rows: new Map() },
  }
  for (const { name, phrases } of sections)
    for (const language of searchLanguages) {
      for (const phrase of phrases[language].split(','))
        addPhrase(indexes[language], toStems(splitWords(phrase), language), `~${name}`)
      yield
    }
  return {
    ofWord: (word, language) => indexes[language].words.get(toStem(word, language)) ?? none,
    ofRows(stems, language) {
      const { rows } = indexes[language]
      const found = stems.flatMap((stem, at) =>
        (rows.get(stem) ?? []).filter((row) => isAt(row.stems, stems, at)),
      )
      return [...new Set(found.map(({ meaning }) => meaning))]
    },
  }
}

export function toStems(words: readonly string[], language: SearchLanguage): string[] {
  return words.map((word) => toStem(word, language))
}

function addPhrase({ words, rows }: Index, stems: readonly string[], meaning: string): void {
  const [first] = stems
  if (first === undefined || stems.length > ROW_WORDS_MAX) return
  if (stems.length > 1) rows.set(first, [...(rows.get(first) ?? []), { stems, meaning }])
  else words.set(first, [...new Set([...(words.get(first) ?? []), meaning])])
}

function isAt(part: readonly string[], whole: readonly string[], start: number): boolean {
  return part.every((stem, at) => stem === whole[start + at])
}
