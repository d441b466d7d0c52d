/**
 * The phrases of phrases.jsonl: wishes in the words of owners and agents who had not seen the
 * operations, with the operations that serve them. They measure the search. They are also indexed
 * like the phrases of words.md, except for the set that is measured.
 */
import { readFileSync } from 'node:fs'
import type { Phrases, SearchLanguage } from '../words/word-lists.ts'

export interface MeasuredPhrase {
  phrase: string
  /** The accepted operations, the best one first; null if no operation serves the wish. */
  operations: readonly string[] | null
  /** The section of not-offered.md for a wish that no operation serves. */
  kind?: string
  lang: SearchLanguage
  /** The set of phrases that were written and measured together. */
  half: string
}

export function* readMeasuredPhrases(): Generator<void, readonly MeasuredPhrase[]> {
  const lines = readFileSync(new URL('phrases.jsonl', import.meta.url), 'utf8').split('\n')
  const found: MeasuredPhrase[] = []
  for (const line of lines.filter((one) => one.trim() !== '')) {
    found.push(JSON.parse(line))
    yield
  }
  return found
}

export type AddMeasured = (name: string, phrases: Phrases) => Phrases

/**
 * Returns a function that adds measured phrases to those of the operation that serves them best, or of
 * the kind of wishes in not-offered.md.
 */
export function createPhraseAdder(measured: readonly MeasuredPhrase[]): AddMeasured {
  const byName = Map.groupBy(measured, ({ operations, kind }) => operations?.[0] ?? kind)
  return (name, phrases) => {
    const added = byName.get(name) ?? []
    const inLanguage = (language: SearchLanguage) => {
      const own = added.filter(({ lang }) => lang === language)
      // A comma separates phrases.
      return [phrases[language], ...own.map(({ phrase }) => phrase.replaceAll(',', ' '))].join(', ')
    }
    return { en: inLanguage('en'), nl: inLanguage('nl'), de: inLanguage('de') }
  }
}
