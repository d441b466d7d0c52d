/** Formats the standard sentences, and recognizes them in transcripts. */
import { languages, type Language, type Sentences } from './language.ts'
import { phrases } from './phrases.ts'
import { fold } from './words.ts'

/** Fills placeholders such as `{name}` in one pass, so that inserted text is never filled again. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

export function writeSentence(
  language: Language,
  sentence: keyof Sentences,
  values: Readonly<Record<string, string>> = {},
): string {
  return fillTemplate(phrases[language].say[sentence], values)
}

/** The constant beginning of each standard sentence, or its end if it begins with a placeholder. */
const marks = new Map<keyof Sentences, string[]>()

/** Whether a text contains a standard sentence in any language. */
export function containsSentence(text: string, sentence: keyof Sentences): boolean {
  const folded = ` ${fold(text)} `
  return marksOf(sentence).some((mark) => folded.includes(` ${mark} `))
}

function marksOf(sentence: keyof Sentences): string[] {
  const known = marks.get(sentence)
  if (known !== undefined) return known
  const made = languages.map((language) => {
    const parts = phrases[language].say[sentence].split(/\{\w+\}/).map(fold)
    return parts.toSorted((a, b) => b.length - a.length)[0] ?? ''
  })
  marks.set(sentence, made)
  return made
}

export function quoteText(text: string): string {
  return `“${text}”`
}

/** The texts in quotation marks. */
export function listQuotes(text: string): string[] {
  return [...text.matchAll(/“([^“”]+)”/g)].map(([, quoted = '']) => quoted)
}

/** The text in the last pair of quotation marks; null if there is none. */
export function findLastQuote(text: string): string | null {
  const open = text.lastIndexOf('“')
  const close = open < 0 ? -1 : text.indexOf('”', open)
  return close < 0 ? null : text.slice(open + 1, close)
}

export function capitalise(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}
