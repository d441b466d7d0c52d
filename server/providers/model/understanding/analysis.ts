/**
 * Turns text into its content words. Each word has the keys by which it matches others: its stem,
 * its concepts and their broader ones, and the parts of a compound.
 */
import type { Language } from '../language/language.ts'
import { findPhrase, singleStems, widen, type Concept } from './lexicon.ts'
import { lettersApart } from './spelling.ts'
import { isStopWord, splitWords, stemOf, withoutAccents } from './stems.ts'

export interface Word {
  text: string
  /** The share of the word's meaning that each key has: `#concept` or a stem. */
  keys: ReadonlyMap<string, number>
  /** `weak` words are too general to be a subject; `unknown` words are not in the lexicon. */
  kind: 'subject' | 'weak' | 'unknown'
}

const WORDS_MAX = 60
const WORD_CHARACTERS_MAX = 60
const PART_CHARACTERS_MIN = 4
const COMPOUND_CHARACTERS_MIN = 8
const TYPO_CHARACTERS_MIN = 5
const MISSPELT_SHARE = 0.8
const lookedUp: readonly Language[] = ['en', 'nl', 'de', 'fr', 'es', 'it']

/** Returns the content words of a text: separable verbs, then the others in their order. */
export function analyse(text: string, language: Language): Word[] {
  const words = splitWords(text)
    .slice(0, WORDS_MAX)
    .map((word) => word.slice(0, WORD_CHARACTERS_MAX))
  const stems = words.map((word) => stemOf(word, language))
  const found = separableVerbs(words, language)
  let covered_to = 0
  for (const [at, word] of words.entries()) {
    const phrase = findPhrase({ words, stems }, at, language)
    const length = phrase?.length ?? 0
    if (phrase !== null && length > 1 && at + length > covered_to) {
      covered_to = at + length
      const text = words.slice(at, covered_to).join(' ')
      found.push(knownWord(text, stems.slice(at, covered_to), phrase.concepts))
    } else if (at >= covered_to && !isStopWord(word, language)) {
      const stem = stems[at] ?? word
      if (phrase === null) found.push(...otherWord(word, stem, language))
      else found.push(knownWord(word, [stem], phrase.concepts))
    }
  }
  return found
}

const particles = new Set(
  (
    'aan af bij binnen door in los mee na neer om op over terug toe uit vast voor weg ' +
    'ab an auf aus durch ein her hin mit nach raus rein um vor weg zurück zusammen'
  ).split(' '),
)

/** Dutch and German verbs whose prefix stands apart: "ik zeg het af", "ich sage ab". */
function separableVerbs(words: readonly string[], language: Language): Word[] {
  if (language !== 'nl' && language !== 'de') return []
  const stems = singleStems(language)
  return words.flatMap((particle, at) => {
    if (!particles.has(particle)) return []
    return words.slice(0, at).flatMap((verb) => {
      const stem = stemOf(particle + verb, language)
      const concepts = verb.length > 2 ? stems.get(stem) : undefined
      return concepts === undefined ? [] : [knownWord(`${verb} ${particle}`, [stem], concepts)]
    })
  })
}

function knownWord(text: string, stems: readonly string[], concepts: readonly Concept[]): Word {
  const keys = widen(concepts)
  // A phrase matches by its concepts only, because its single words can mean something else.
  if (stems.length === 1) keys.set(stems[0] ?? '', 1)
  const is_weak = concepts.every((concept) => concept.is_weak)
  return { text, keys, kind: is_weak ? 'weak' : 'subject' }
}

/** A word without an entry of its own: in another language, a compound, misspelt, or unknown. */
function otherWord(text: string, stem: string, language: Language): Word[] {
  if (/^\p{N}/u.test(text)) return [{ text, keys: new Map([[text, 1]]), kind: 'weak' }]
  if (stem.length < 2) return []
  for (const other of lookedUp) {
    if (other === language) continue
    if (isStopWord(text, other) && text.length < PART_CHARACTERS_MIN) continue
    const foreign = stemOf(text, other)
    const phrase = findPhrase({ words: [text], stems: [foreign] }, 0, other)
    if (phrase !== null) return [withStem(knownWord(text, [foreign], phrase.concepts), stem)]
  }
  const base = withoutDiminutive(text, language)
  if (base !== text) return otherOrKnown(base, language)
  const parts = splitCompound(text, language)
  if (parts !== null) return [compoundOf(text, stem, parts)]
  const meant = findMisspelt(stem, language)
  if (meant !== null) return [misspeltWord(text, stem, meant)]
  // The unstemmed word is a key too, because a text in an unknown language has other stems.
  const keys = new Map([[stem, 1]]).set(withoutAccents(text), 1)
  return [{ text, keys, kind: 'unknown' }]
}

function otherOrKnown(text: string, language: Language): Word[] {
  const stem = stemOf(text, language)
  const phrase = findPhrase({ words: [text], stems: [stem] }, 0, language)
  if (phrase !== null) return [knownWord(text, [stem], phrase.concepts)]
  return isStopWord(text, language) ? [] : otherWord(text, stem, language)
}

/**
 * Removes a Dutch diminutive: "dagje" becomes "dag". A German one can change the vowel, so it
 * stays.
 */
function withoutDiminutive(text: string, language: Language): string {
  if (language !== 'nl' || text.length < PART_CHARACTERS_MIN) return text
  return text.replace(/(?<=\p{L}{3})(?:etje|tje|pje|je)s?$/u, '')
}

function withStem(word: Word, stem: string): Word {
  return { ...word, keys: new Map([...word.keys, [stem, 1]]) }
}

/**
 * The correction is a guess, so its keys count less than those of a word that is spelled correctly.
 */
function misspeltWord(text: string, stem: string, meant: Part): Word {
  const keys = new Map<string, number>([[stem, 1]])
  for (const [key, share] of knownWord(text, [meant.stem], meant.concepts).keys)
    keys.set(key, share * MISSPELT_SHARE)
  return { text, keys, kind: 'unknown' }
}

interface Part {
  stem: string
  concepts: readonly Concept[]
}

/** The head, at the end, carries more of the meaning than the parts before it. */
function compoundOf(text: string, stem: string, [first, head]: readonly [Part, Part]): Word {
  const keys = new Map<string, number>([[stem, 1]])
  const add = ({ stem: part, concepts }: Part, share: number) => {
    keys.set(part, Math.max(keys.get(part) ?? 0, share))
    for (const [key, of] of widen(concepts)) keys.set(key, Math.max(keys.get(key) ?? 0, of * share))
  }
  const is_known = first.concepts.length > 0
  add(first, 0.6)
  add(head, is_known ? 0.7 : 0.5)
  return { text, keys, kind: is_known ? 'subject' : 'unknown' }
}

const compounds = new Map<string, readonly [Part, Part] | null>()
const CACHED_MAX = 5_000

function splitCompound(word: string, language: Language): readonly [Part, Part] | null {
  if (word.length < COMPOUND_CHARACTERS_MIN || (language !== 'nl' && language !== 'de')) return null
  const key = `${language} ${word}`
  const known = compounds.get(key)
  if (known !== undefined) return known
  if (compounds.size >= CACHED_MAX) compounds.clear()
  const made = bestSplit(word, language)
  compounds.set(key, made)
  return made
}

/** The split with a known head and, if possible, a known first part. */
function bestSplit(word: string, language: Language): readonly [Part, Part] | null {
  const stems = singleStems(language)
  let best: readonly [Part, Part] | null = null
  for (let at = PART_CHARACTERS_MIN - 1; at <= word.length - PART_CHARACTERS_MIN + 1; at += 1) {
    const head = partOf(word.slice(at), language, stems)
    if (head === null) continue
    const start = word.slice(0, at)
    const first =
      partOf(start, language, stems) ??
      partOf(start.replace(/(?:en|es|er|n|s|e)$/, ''), language, stems)
    if (first !== null) return [first, head]
    best ??= [{ stem: stemOf(start.replace(/s$/, ''), language), concepts: [] }, head]
  }
  return best
}

function partOf(
  text: string,
  language: Language,
  stems: ReadonlyMap<string, readonly Concept[]>,
): Part | null {
  if (text.length < PART_CHARACTERS_MIN - 1) return null
  const stem = stemOf(text, language)
  const concepts = stems.get(stem)
  return concepts === undefined ? null : { stem, concepts }
}

const misspelt = new Map<string, Part | null>()
const byLetter = new Map<Language, ReadonlyMap<string, readonly Part[]>>()

/** The closest known stem with the same first letter: one letter differs, or two in a long word. */
function findMisspelt(stem: string, language: Language): Part | null {
  if (stem.length < TYPO_CHARACTERS_MIN) return null
  const key = `${language} ${stem}`
  const known = misspelt.get(key)
  if (known !== undefined) return known
  if (misspelt.size >= CACHED_MAX) misspelt.clear()
  let best: Part | null = null
  let least = stem.length >= COMPOUND_CHARACTERS_MIN ? 2 : 1
  for (const part of stemsByLetter(language).get(stem.charAt(0)) ?? []) {
    const distance = lettersApart(part.stem, stem, least)
    if (distance > least || (distance === least && best !== null)) continue
    best = part
    least = distance
  }
  misspelt.set(key, best)
  return best
}

function stemsByLetter(language: Language): ReadonlyMap<string, readonly Part[]> {
  const known = byLetter.get(language)
  if (known !== undefined) return known
  const parts = [...singleStems(language)].map(([stem, concepts]) => ({ stem, concepts }))
  const made = Map.groupBy(
    parts.filter(({ stem }) => stem.length >= TYPO_CHARACTERS_MIN - 1),
    ({ stem }) => stem.charAt(0),
  )
  byLetter.set(language, made)
  return made
}
