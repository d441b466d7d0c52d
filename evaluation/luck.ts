/**
 * Generates random facts, so that no agent knows an answer without reading it. A printed seed
 * determines all facts of a run, so that a run can be repeated.
 */

export interface RandomFacts {
  /** Returns an integer, both ends included. */
  between(least: number, most: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Returns the same items in another order. */
  shuffled<Item>(items: readonly Item[]): Item[]
  /** Returns random letters. */
  letters(count: number): string
  /** Returns distinct names of people. */
  people(count: number): string[]
  business(): string
  /** Returns an amount such as 14.95, never a round one. */
  price(): string
  /** The language of owner and callers; three consecutive seeds have all three. */
  language: OwnerLanguage
}

export type OwnerLanguage = 'en' | 'nl' | 'de'
const ownerLanguages = ['en', 'nl', 'de'] as const

const first = ['Anna', 'Bram', 'Chloe', 'Daan', 'Eva', 'Femke', 'Guus', 'Hanna', 'Ivo', 'Julia']
const last = ['Bakker', 'de Wit', 'Jansen', 'Kok', 'Mulder', 'Peters', 'Smit', 'Visser']
const trades = ['Bakery', 'Bicycles', 'Flowers', 'Pottery', 'Garage', 'Bookshop', 'Tea House']

export function createRandomFacts(seed: number): RandomFacts {
  const next = numbersFrom(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const pick: RandomFacts['pick'] = (items) => {
    const item = items[between(0, items.length - 1)]
    if (item === undefined) throw new Error('There is nothing to pick from.')
    return item
  }
  const shuffled: RandomFacts['shuffled'] = (items) =>
    items
      .map((item) => ({ item, at: next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item)
  const letters = (count: number) =>
    Array.from({ length: count }, () => pick([...'bcdfghjkmnpqrtvwxz'])).join('')
  return {
    between,
    pick,
    shuffled,
    letters,
    people(count) {
      const all = first.flatMap((one) => last.map((other) => `${one} ${other}`))
      return shuffled(all).slice(0, count)
    },
    business: () => `${pick(trades)} ${letters(1).toUpperCase()}${letters(5)}`,
    language: ownerLanguages[seed % ownerLanguages.length] ?? 'en',
    price: () => `${between(3, 89)}.${between(11, 49) * 2 - 1}`,
  }
}

/** Mulberry32: small, fast, and the same on every machine. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
