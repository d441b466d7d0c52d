/**
 * Detects which brand a page claims to be. A title claims a brand if it consists of the brand's
 * name and words of signing in only: "PayPal: log in" does, "Pay with PayPal | Bakery Jansen" and
 * "How to recognise mail that is not from PayPal" do not.
 */
import { foldLookalikes, foldAppearance } from '../links/addresses.ts'
import { brands, type Brand } from './brands.ts'
import { signInWords, slugWords } from './wording.ts'

interface Name {
  brand: Brand
  words: readonly string[]
  /** Whether the name is also an ordinary word or a personal name. */
  common: boolean
}

const byFirstWord = new Map<string, Name[]>()
for (const brand of brands) {
  for (const [names, common] of [
    [brand.names, false],
    [brand.common ?? [], true],
  ] as const) {
    for (const text of names) {
      const words = wordsOf(text)
      const first = words[0] ?? ''
      byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), { brand, words, common }])
    }
  }
}
for (const names of byFirstWord.values()) names.sort((a, b) => b.words.length - a.words.length)

function wordsOf(text: string): string[] {
  return foldLookalikes(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

export interface Identity {
  brand: Brand
  /** Whether only an ambiguous name matches. */
  common: boolean
}

/** Maximum number of words in a title that can claim a brand. */
const WORDS_MAX = 24

/**
 * Returns the brand that a title claims; `other` if it contains other words, so that it is the
 * title of an ordinary page; null if it claims nothing.
 */
export function findBrandInTitle(title: string): Identity | 'other' | null {
  const words = wordsOf(title)
  if (words.length > WORDS_MAX) return 'other'
  let found: Identity | null = null
  for (let at = 0; at < words.length;) {
    const name = nameAt(words, at)
    if (name !== null) {
      found ??= { brand: name.brand, common: true }
      if (!name.common) found = { brand: name.brand, common: false }
      at += name.words.length
      continue
    }
    const word = words[at] ?? ''
    if (!signInWords.has(word) && !/^\d+$/.test(word)) return 'other'
    at += 1
  }
  return found
}

function nameAt(words: readonly string[], at: number): Name | null {
  const names = byFirstWord.get(words[at] ?? '') ?? []
  return (
    names.find(({ words: own }) => own.every((word, step) => words[at + step] === word)) ?? null
  )
}

/**
 * Minimum length of a brand name that matches inside a part of a slug. A shorter name must begin
 * and end at a hyphen or an end of the slug.
 */
const INSIDE_CHARACTERS_MIN = 5

const slugNames: { look: string; identity: Identity }[] = [...byFirstWord.values()]
  .flat()
  .map(({ brand, words, common }) => ({
    look: foldAppearance(words.join('')),
    identity: { brand, common },
  }))
const slugLooks = [...slugWords].map(foldAppearance)

/**
 * Returns the brand that a slug imitates, if the slug consists only of the brand's name and words
 * of signing in.
 */
export function findBrandInSlug(slug: string): Identity | null {
  const parts = slug
    .split('-')
    .filter((part) => !/^\d+$/.test(part))
    .map(foldAppearance)
  const text = parts.join('')
  const edges = new Set<number>([0])
  let length = 0
  for (const part of parts) edges.add((length += part.length))
  // By reachable offset, the match that reached it; unambiguous names take precedence.
  const reached = new Map<number, Identity | null>([[0, null]])
  for (let at = 0; at < text.length; at += 1) {
    const so_far = reached.get(at)
    if (so_far === undefined) continue
    for (const [end, identity] of stepsFrom(text, at, edges)) {
      const surer = surest(so_far, identity)
      reached.set(end, reached.has(end) ? surest(reached.get(end) ?? null, surer) : surer)
    }
  }
  return reached.get(text.length) ?? null
}

function* stepsFrom(
  text: string,
  at: number,
  edges: ReadonlySet<number>,
): Generator<[number, Identity | null]> {
  for (const { look, identity } of slugNames) {
    const whole = edges.has(at) && edges.has(at + look.length)
    const long = look.length >= INSIDE_CHARACTERS_MIN
    if ((whole || long) && text.startsWith(look, at)) yield [at + look.length, identity]
  }
  for (const look of slugLooks) {
    if (text.startsWith(look, at)) yield [at + look.length, null]
  }
}

function surest(one: Identity | null, other: Identity | null): Identity | null {
  if (one === null) return other
  if (other === null) return one
  return one.common && !other.common ? other : one
}
