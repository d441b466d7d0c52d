/**
 * The features of a phrase for the phrase model: its words, the four-letter n-grams of words, which match
 * compounds, inflections and misspellings, and its meanings (synonyms.md), which match words of another
 * language.
 */
import type { Meanings } from '../meanings.ts'
import { foldAccents, joinSeparableVerbs, removeDiminutive, splitWords, toStem } from '../terms.ts'
import { searchLanguages, type SearchLanguage } from '../words/word-lists.ts'

export type PhraseFeatures = (phrase: string) => readonly string[]

interface ReadWord {
  features: readonly string[]
  stems: Readonly<Record<SearchLanguage, string>>
}

const GRAM_LETTERS = 4

export function createPhraseFeatures(meanings: Meanings): PhraseFeatures {
  return featuresBy(meanings, (word) => readWord(word, meanings))
}

/** Like `createPhraseFeatures`, but reads each word once: for phrases, whose words are few. */
export function createCachedPhraseFeatures(meanings: Meanings): PhraseFeatures {
  const kept = new Map<string, ReadWord>()
  return featuresBy(meanings, (word) => {
    const found = kept.get(word) ?? readWord(word, meanings)
    kept.set(word, found)
    return found
  })
}

function featuresBy(meanings: Meanings, read: (word: string) => ReadWord): PhraseFeatures {
  return (phrase) => {
    const words = splitWords(phrase)
    const all = words.map(read)
    const verbs = joinSeparableVerbs(words)
    const said = [
      ...verbs.flatMap((verb) => [...meanings.ofWord(verb, 'nl'), ...meanings.ofWord(verb, 'de')]),
      ...searchLanguages.flatMap((language) =>
        meanings.ofRows(
          all.map(({ stems }) => stems[language]),
          language,
        ),
      ),
    ]
    return [...new Set([...all.flatMap(({ features }) => features), ...said])]
  }
}

function readWord(word: string, meanings: Meanings): ReadWord {
  const folded = foldAccents(word, 'de')
  const forms = [word, ...removeDiminutive(word)]
  const meant = searchLanguages.flatMap((language) =>
    forms.flatMap((form) => meanings.ofWord(form, language)),
  )
  return {
    // An equals sign keeps words apart from n-grams.
    features: [...new Set([`=${folded}`, ...gramsOf(folded), ...meant])],
    stems: { en: toStem(word, 'en'), nl: toStem(word, 'nl'), de: toStem(word, 'de') },
  }
}

/** The n-grams of a word with a blank at its beginning and end. */
function gramsOf(word: string): string[] {
  const text = ` ${word} `
  return Array.from({ length: Math.max(1, text.length - GRAM_LETTERS + 1) }, (_, at) =>
    text.slice(at, at + GRAM_LETTERS),
  )
}
