/** Splits what a customer says into the questions in it: "are you open on Sunday and can I park?" */
import type { Language } from '../language/language.ts'

const conjunctions: Readonly<Record<Language, string>> = {
  nl: 'en(?: ook| dan)?',
  en: 'and(?: also| then)?',
  de: 'und(?: auch| dann)?',
  fr: 'et(?: aussi)?',
  es: 'y(?: también)?',
  it: 'e(?: anche)?',
}
const WORDS_MIN = 2
const PARTS_MAX = 3

/** The parts that may be questions of their own; one if the text has no joint. */
export function splitQuestions(text: string, language: Language): string[] {
  const joint = new RegExp(
    `[?!;]+\\s+|(?<=\\p{L}{2})\\.\\s+|,?\\s+(?:${conjunctions[language]})\\s+|,\\s+`,
    'iu',
  )
  const parts = text.split(joint).map((part) => part.trim())
  const long = parts.filter((part) => part.split(/\s+/).length >= WORDS_MIN)
  return long.length > 1 ? long.slice(0, PARTS_MAX + 1) : [text]
}
