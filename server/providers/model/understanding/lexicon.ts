/**
 * The concepts that customers and businesses talk about, with their words in Dutch, English and
 * German, so that a question finds a fact in other words and in another language. data/lexicon.txt
 * has one line for each: its name, its broader concepts, and the words; a word may be a phrase.
 */
import { concepts as subjects } from '../language/concepts.ts'
import type { Language } from '../language/language.ts'
import { readData, splitWords, stemOf } from './stems.ts'

export interface Concept {
  id: string
  broader: readonly string[]
  /** Whether it is too general to be a subject: persons, times, common verbs. */
  is_weak: boolean
}

interface Entry {
  language: Language
  /** Concepts by phrase; the phrase is a sequence of stems. */
  phrases: Map<string, Concept[]>
  /** Concepts by unstemmed phrase, because "Wartung" and "warten" have the same stem. */
  exact: Map<string, Concept[]>
  /** The longest phrase in words, by its first stem. */
  lengths: Map<string, number>
}

const columns: readonly Language[] = ['en', 'nl', 'de']
/** Subjects of summaries (language/concepts.ts) whose concept in the lexicon has another name. */
const renamed: Readonly<Record<string, string>> = {
  'phone number': 'phone_call',
  price: 'money',
  returns: 'return',
  cancellation: 'cancel',
  warranty: 'guarantee',
  accessibility: 'wheelchair',
  'public transport': 'public_transport',
  pets: 'pet',
  children: 'child',
  allergies: 'allergen',
  jobs: 'job',
  'gift card': 'voucher',
}

interface Lexicon {
  byId: Map<string, Concept>
  entries: Record<Language, Entry>
}

let lexicon: Lexicon | null = null

/** The lexicon is read at the first question, because it takes 4 MB of memory. */
function getLexicon(): Lexicon {
  lexicon ??= readLexicon()
  return lexicon
}

function readLexicon(): Lexicon {
  const byId = new Map<string, Concept>()
  const entries = {
    en: newEntry('en'),
    nl: newEntry('nl'),
    de: newEntry('de'),
    fr: newEntry('fr'),
    es: newEntry('es'),
    it: newEntry('it'),
  }
  let is_weak = false
  for (const line of readData('lexicon.txt').split('\n')) {
    if (line.startsWith('## ')) is_weak = line === '## weak'
    const [head = '', body = ''] = line.split(/: (.*)/)
    if (body === '') continue
    const [id = '', ...broader] = head.split('<')
    const concept = { id, broader, is_weak }
    byId.set(id, concept)
    const cells = body.split('|')
    for (const [at, language] of columns.entries())
      for (const phrase of cells[at]?.split(',') ?? [])
        addPhrase(entries[language], phrase, concept)
  }
  addSubjects({ byId, entries })
  return { byId, entries }
}

function newEntry(language: Language): Entry {
  return { language, phrases: new Map(), exact: new Map(), lengths: new Map() }
}

/** The subjects of summaries also have French, Spanish and Italian words. */
function addSubjects({ byId, entries }: Lexicon): void {
  for (const { id, words } of subjects) {
    const concept = byId.get(renamed[id] ?? id)
    if (concept === undefined) continue
    for (const language of ['fr', 'es', 'it'] as const)
      for (const word of words) addPhrase(entries[language], word.replace('*', ''), concept)
  }
}

function addPhrase(entry: Entry, phrase: string, concept: Concept): void {
  const words = splitWords(phrase)
  const stems = words.map((word) => stemOf(word, entry.language))
  const [first] = stems
  if (first === undefined) return
  for (const [known, key] of [
    [entry.phrases, stems.join(' ')],
    [entry.exact, words.join(' ')],
  ] as const) {
    const concepts = known.get(key) ?? []
    if (!concepts.includes(concept)) known.set(key, [...concepts, concept])
  }
  entry.lengths.set(first, Math.max(entry.lengths.get(first) ?? 0, stems.length))
}

/** A text as words and as their stems. */
export interface Spelled {
  words: readonly string[]
  stems: readonly string[]
}

/** The concepts of the longest phrase that begins at a position, and its number of words. */
export function findPhrase(
  { words, stems }: Spelled,
  at: number,
  language: Language,
): { concepts: readonly Concept[]; length: number } | null {
  const { lengths, exact, phrases } = getLexicon().entries[language]
  const longest = lengths.get(stems[at] ?? '') ?? 0
  for (let length = Math.min(longest, stems.length - at); length > 0; length -= 1) {
    const concepts =
      exact.get(words.slice(at, at + length).join(' ')) ??
      phrases.get(stems.slice(at, at + length).join(' '))
    if (concepts !== undefined) return { concepts, length }
  }
  return null
}

/** Returns the keys of concepts and their broader ones, each with its share of the meaning. */
export function widen(concepts: readonly Concept[]): Map<string, number> {
  const { byId } = getLexicon()
  const keys = new Map<string, number>()
  const add = (concept: Concept | undefined, share: number): void => {
    if (concept === undefined || share < 0.2) return
    keys.set(`#${concept.id}`, Math.max(keys.get(`#${concept.id}`) ?? 0, share))
    for (const id of concept.broader) add(byId.get(id), share * 0.6)
  }
  for (const concept of concepts) add(concept, 1)
  return keys
}

/** Stems of single words, for compounds and misspellings. */
export function singleStems(language: Language): ReadonlyMap<string, readonly Concept[]> {
  const known = singles.get(language)
  if (known !== undefined) return known
  const { phrases } = getLexicon().entries[language]
  const made = new Map([...phrases].filter(([phrase]) => !phrase.includes(' ')))
  singles.set(language, made)
  return made
}

const singles = new Map<Language, ReadonlyMap<string, readonly Concept[]>>()
