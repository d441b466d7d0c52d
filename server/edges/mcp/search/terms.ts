/**
 * Turns words into index terms: stems of English, Dutch and German words, the parts of compounds,
 * and separable verbs in one piece.
 */
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as german } from '@orama/stemmers/german'
import { LRUCache } from 'lru-cache'
import { findInfinitive } from './verb-forms.ts'
import type { SearchLanguage } from './words/word-lists.ts'

const stemmers: Readonly<Record<SearchLanguage, (word: string) => string>> = {
  en: english,
  nl: dutch,
  de: german,
}
/** Cached, because most words occur in many phrases. */
const stems = new LRUCache<string, string>({ max: 20_000 })
const asciiOnly = /^[a-z0-9]*$/
const PART_CHARACTERS_MIN = 3
const COMPOUND_CHARACTERS_MIN = 7
const HEAD_CHARACTERS_MIN = 4
/** Maximum length of a compound, which bounds the work that one word of a query can cause. */
const COMPOUND_CHARACTERS_MAX = 40

/** Prefixes of Dutch and German verbs that stand apart from the verb in most sentences. */
const particles = new Set(
  (
    'aan af bij binnen door in los mee na neer om op over terug toe uit vast voor weg ' +
    'ab an auf aus durch ein fest frei her herunter hin hoch los nach raus rein runter um vor weg ' +
    'weiter zu zurück zurueck zusammen'
  ).split(' '),
)

export function splitWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/**
 * Returns the stem without accents. Accents are removed last, because the German stemmer reads
 * umlauts.
 */
export function toStem(word: string, language: SearchLanguage): string {
  const key = `${language} ${word}`
  const known = stems.get(key)
  if (known !== undefined) return known
  const infinitive = findInfinitive(word, language) ?? word
  const stem = foldAccents(stemmers[language](infinitive.replaceAll('ß', 'ss')), language)
  stems.set(key, stem)
  return stem
}

/** Removes accents; in German `oe` is folded like `ö`, because many people type it so. */
export function foldAccents(word: string, language: SearchLanguage): string {
  const plain = asciiOnly.test(word)
    ? word
    : word.replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, '')
  return language === 'de' ? plain.replaceAll(/([aou])e/g, '$1') : plain
}

/**
 * Returns the parts of a compound without linking letters; empty unless every part is a known word.
 */
export function splitCompound(word: string, isKnown: (part: string) => boolean): string[] {
  if (word.length < COMPOUND_CHARACTERS_MIN || word.length > COMPOUND_CHARACTERS_MAX) return []
  for (let cut = word.length - PART_CHARACTERS_MIN; cut >= PART_CHARACTERS_MIN; cut -= 1) {
    const first = knownPart(word.slice(0, cut), isKnown)
    if (first === null) continue
    const rest = word.slice(cut)
    if (isKnown(rest)) return [first, rest]
    const parts = splitCompound(rest, isKnown)
    if (parts.length > 0) return [first, ...parts]
  }
  return []
}

function knownPart(part: string, isKnown: (part: string) => boolean): string | null {
  const unlinked = part.replace(/(?:es|en|s|n|e)$/, '')
  if (isKnown(part)) return part
  return unlinked.length >= PART_CHARACTERS_MIN && isKnown(unlinked) ? unlinked : null
}

/** Joins particle and verb as in an infinitive: `zet … uit` and `uitgezet` become `uitzet`. */
export function joinSeparableVerbs(words: readonly string[]): string[] {
  const apart = words.flatMap((particle, at) =>
    particles.has(particle)
      ? words.slice(0, at).map((verb) => particle + (verbInfinitive(verb) ?? verb))
      : [],
  )
  return [...apart, ...words.flatMap(joinedVerbs)]
}

/** Splits `uitgezet`, `auszuschalten`, `rausgenommen` and `rausnimmt` to join them as infinitives. */
function joinedVerbs(word: string): string[] {
  const splits = [...particles].filter((particle) => word.startsWith(particle))
  return splits.flatMap((particle) => {
    const rest = word.slice(particle.length)
    const infinitive = verbInfinitive(rest)
    if (infinitive !== null) return [particle + infinitive]
    const [, verb] = /^(?:ge|zu|te)(\p{L}{3,})$/u.exec(rest) ?? []
    return verb === undefined ? [] : [particle + verb, particle + verb.replace(/e?[td]$/, '')]
  })
}

function verbInfinitive(form: string): string | null {
  return findInfinitive(form, 'de') ?? findInfinitive(form, 'nl')
}

/**
 * Returns the longest known end of a compound whose beginning is unknown, otherwise its known
 * beginning.
 */
export function findCompoundEnd(word: string, isKnown: (part: string) => boolean): string | null {
  if (word.length > COMPOUND_CHARACTERS_MAX) return null
  const lengths = Array.from({ length: word.length }, (_, at) => word.length - 2 - at)
  const long = lengths.filter((length) => length >= HEAD_CHARACTERS_MIN)
  const ends = long.map((length) => word.slice(-length))
  const beginnings = long.map((length) => word.slice(0, length))
  return [...ends, ...beginnings].find(isKnown) ?? null
}

/** Removes the ending of a Dutch diminutive: `zinnetje` becomes `zin`. */
export function removeDiminutive(word: string): string[] {
  const [, stem] = /^(\p{L}{3,}?)(?:etje|tje|pje|je)s?$/u.exec(word) ?? []
  if (stem === undefined) return []
  return [stem, stem.replace(/(\p{L})\1$/u, '$1')]
}
