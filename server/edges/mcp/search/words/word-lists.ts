/**
 * Reads the word lists of the search: Markdown files with a section for each operation (or `noun.*` for
 * all operations of a noun), and in each section a line of comma-separated phrases for each language.
 * Each area has its list in `words.md`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const searchLanguages = ['en', 'nl', 'de'] as const
export type SearchLanguage = (typeof searchLanguages)[number]
export type Phrases = Readonly<Record<SearchLanguage, string>>

export interface WordSection {
  name: string
  /** The sentences before the phrases. */
  about: string
  phrases: Phrases
  /** The portal page that the file names, relative to the project; empty without one. */
  portal_page: string
}

export const noPhrases: Phrases = { en: '', nl: '', de: '' }

/** Reads the sections of all areas, by name. */
export function* readAreaSections(): Generator<void, ReadonlyMap<string, WordSection>> {
  const areas = new URL('../../../../areas/', import.meta.url)
  const files = readdirSync(areas).map((area) => new URL(`${area}/words.md`, areas))
  const sections: WordSection[] = []
  for (const file of files.filter((one) => existsSync(one)))
    sections.push(...(yield* readWordList(file)))
  return byName(sections)
}

/** Reads the sections of a list in this folder, by name. */
export function* readSections(file: string): Generator<void, ReadonlyMap<string, WordSection>> {
  return byName(yield* readWordList(new URL(file, import.meta.url)))
}

function byName(sections: readonly WordSection[]): ReadonlyMap<string, WordSection> {
  return new Map(sections.map((section) => [section.name, section]))
}

function* readWordList(file: URL): Generator<void, WordSection[]> {
  const [head = '', ...texts] = readFileSync(file, 'utf8').split(/^## /m)
  const [, portal_page = ''] = /^Portal page: (\S+)$/m.exec(head) ?? []
  const sections: WordSection[] = []
  for (const text of texts) {
    sections.push({ ...sectionOf(text), portal_page })
    yield
  }
  return sections
}

function sectionOf(text: string): Omit<WordSection, 'portal_page'> {
  const [title = '', ...lines] = text.split('\n')
  const [about = '', ...items] = lines.join('\n').split(/^- /m).map(inOneLine)
  const phrasesIn = (language: SearchLanguage) =>
    items.find((item) => item.startsWith(`${language}: `))?.slice(language.length + 2) ?? ''
  return {
    name: title.trim(),
    about,
    phrases: { en: phrasesIn('en'), nl: phrasesIn('nl'), de: phrasesIn('de') },
  }
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
