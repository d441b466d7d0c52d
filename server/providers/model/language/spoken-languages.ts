/** Recognizes the question whether the assistant speaks a language, asked in any known language. */
import { languages, type Language } from './language.ts'
import { fold, languageOf } from './words.ts'

const WORDS_MAX = 7

/** Languages that callers ask for, besides the known ones. */
const others = 'pl tr ar pt ru uk zh fy da sv no fi ja ro hu cs sk bg hr sr el hi fa he ko vi id'

const verbs =
  /\b(?:speak|talk|spreek|spreekt|spreken|praat|praten|sprechen|sprichst|sprecht|parlez|parles|habla|hablan|hablas|hablais|parla|parlate|parli|parlano)\b/

/** Language tags by the name of the language, in each known language. */
const named = new Map<string, string>(
  languages.flatMap((spoken) => {
    const display = new Intl.DisplayNames(spoken, { type: 'language' })
    return [...languages, ...others.split(' ')].map((tag) => {
      return [fold(display.of(tag) ?? tag), tag] as const
    })
  }),
)

/** The tag of the requested language; null for other questions. */
export function findRequestedLanguage(said: string): string | null {
  const folded = fold(said)
  const words = folded.split(' ')
  if (words.length > WORDS_MAX || !verbs.test(folded)) return null
  return words.map((word) => named.get(word)).find((tag) => tag !== undefined) ?? null
}

/** Formats a list of languages: "Dutch and German". */
export function nameLanguages(tags: readonly string[], language: Language): string {
  const display = new Intl.DisplayNames(language, { type: 'language' })
  const known = tags.map(languageOf).filter((one) => one !== null)
  const names = [...new Set(known.length > 0 ? known : [language])].map(
    (tag) => display.of(tag) ?? tag,
  )
  return new Intl.ListFormat(language).format(names)
}
