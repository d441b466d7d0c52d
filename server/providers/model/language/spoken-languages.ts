/** Recognises the question whether the assistant speaks a language, asked in any that it knows. */
import { languages, type Language } from './language.ts'
import { fold, languageOf } from './words.ts'

const WORDS_MAX = 7

/** Languages that callers ask for, beside those that the assistant knows. */
const others = 'pl tr ar pt ru uk zh fy da sv no fi ja ro hu cs sk bg hr sr el hi fa he ko vi id'

const verbs =
  /\b(?:speak|talk|spreek|spreekt|spreken|praat|praten|sprechen|sprichst|sprecht|parlez|parles|habla|hablan|hablas|hablais|parla|parlate|parli|parlano)\b/

/** Tags by what a language is called, in each language that the assistant knows. */
const named = new Map<string, string>(
  languages.flatMap((spoken) => {
    const display = new Intl.DisplayNames(spoken, { type: 'language' })
    return [...languages, ...others.split(' ')].map((tag) => {
      return [fold(display.of(tag) ?? tag), tag] as const
    })
  }),
)

/** The tag of the language that somebody asks for; null: they ask something else. */
export function languageAskedFor(said: string): string | null {
  const folded = fold(said)
  const words = folded.split(' ')
  if (words.length > WORDS_MAX || !verbs.test(folded)) return null
  return words.map((word) => named.get(word)).find((tag) => tag !== undefined) ?? null
}

/** Languages in a sentence: "Dutch and German". */
export function nameLanguages(tags: readonly string[], language: Language): string {
  const display = new Intl.DisplayNames(language, { type: 'language' })
  const known = tags.map(languageOf).filter((one) => one !== null)
  const names = [...new Set(known.length > 0 ? known : [language])].map(
    (tag) => display.of(tag) ?? tag,
  )
  return new Intl.ListFormat(language).format(names)
}
