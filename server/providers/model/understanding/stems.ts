/** Stems of words in the six languages of the built-in model, and its words without a subject. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { languages, type Language } from '../language/language.ts'

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  nl: dutch,
  en: english,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
}
const known: Record<Language, Map<string, string>> = {
  nl: new Map(),
  en: new Map(),
  de: new Map(),
  fr: new Map(),
  es: new Map(),
  it: new Map(),
}
const KNOWN_MAX = 20_000

export function readData(file: string): string {
  return readFileSync(join(import.meta.dirname, 'data', file), 'utf8')
}

/** Lower-case words; hyphens and apostrophes within a word are removed: "wi-fi", "what's". */
export function splitWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFC')
      .replace(/(?<=\p{L})['’](?=\p{L})/gu, '')
      .replace(/(?<=\p{L})-(?=\p{L})/gu, '')
      .match(/\p{L}+|\p{N}+(?:[.,:]\p{N}+)*/gu) ?? []
  )
}

/** The stem of a lower-case word, without accents; the German stemmer needs them. */
export function stemOf(word: string, language: Language): string {
  const stems = known[language]
  const found = stems.get(word)
  if (found !== undefined) return found
  if (stems.size >= KNOWN_MAX) stems.clear()
  const stem = withoutAccents(stemmers[language](word.replaceAll('ß', 'ss')))
  stems.set(word, stem)
  return stem
}

export function withoutAccents(word: string): string {
  return word.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')
}

const stopWords = new Map(languages.map((language) => [language, new Set<string>()]))
for (const line of readData('stopwords.txt').split('\n')) {
  const language = languages.find((one) => line.startsWith(`${one}:`))
  if (language === undefined) continue
  for (const word of splitWords(line.slice(3))) stopWords.get(language)?.add(word)
}

export function isStopWord(word: string, language: Language): boolean {
  return stopWords.get(language)?.has(word) ?? false
}
