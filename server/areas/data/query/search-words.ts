/**
 * The words of a search as patterns. A word is found where one of the text begins like it: in any
 * case, with or without accents, in the forms that the project's languages give it, and with one
 * wrong, missing, doubled or swapped letter in a longer word. The patterns are made of nothing
 * but letters, digits and what is put between them here.
 */

const TYPO_LETTERS_MIN = 5
// The pattern grows with the square of this. A mistake further on does not matter anyway, because
// what follows the first letters is free.
const TYPO_LETTERS_MAX = 8

export interface SearchWord {
  word: string
  /** What its forms begin with, by language. */
  roots: readonly string[]
}

/** The words of a text, in small letters, each once. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)]
}

// Accents that stand after their letter instead of in it, as some programs write them.
const accents = '[\u0300-\u036f]*'

// What a word goes on with: of other letters than ASCII has, PostgreSQL knows only in some locales.
const within = '0-9A-Za-zÀ-ÖØ-öø-\u052f\u1e00-\u1fff'

// Where a word begins in JSON text: after what is none of these, or after an escape.
const beginning = String.raw`(?:^|[^${within}]|\\[bfnrt])`

/** A regular expression of PostgreSQL that finds the word in the JSON text of values. */
export function patternOf({ word, roots }: SearchWord): string {
  const plain = plainOf(word)
  const all = [...new Set([plain, ...roots.map(plainOf)])]
  // What begins with a root begins with the shorter root too.
  const shortest = all.filter((one) => !all.some((other) => other !== one && one.startsWith(other)))
  const long = shortest.filter((root) => lengthOf(root) >= TYPO_LETTERS_MIN)
  // A root that is too short to have mistakes leaves them to the word.
  const mistakable = long.some((root) => plain.startsWith(root)) ? long : [...long, plain]
  const forms = [...shortest.map(wholeOf), ...mistakable.flatMap(misspeltOf)]
  return `${beginning}(?:${forms.join('|')})`
}

function lengthOf(text: string): number {
  return [...text].length
}

function wholeOf(root: string): string {
  return [...root].map(anyForm).join('')
}

function misspeltOf(root: string): string[] {
  if (/\d/.test(root)) return []
  const letters = [...root].map(anyForm)
  if (letters.length >= TYPO_LETTERS_MIN) return misspelt(letters.slice(0, TYPO_LETTERS_MAX))
  // It may be a word that is long enough, without one of its letters.
  return letters.length === TYPO_LETTERS_MIN - 1 ? missing(letters) : []
}

const anyLetter = '[^][ "\\\\,.:;!?(){}_/-]'

/** The word with one mistake, never in its first letter. */
function misspelt(letters: readonly string[]): string[] {
  const wrong = letters.flatMap((letter, at) => {
    if (at === 0) return []
    const before = letters.slice(0, at).join('')
    const after = letters.slice(at + 1).join('')
    const next = letters[at + 1]
    const swapped =
      next === undefined ? [] : [before + next + letter + letters.slice(at + 2).join('')]
    return [`${before}${anyLetter}?${after}`, ...swapped]
  })
  return [...wrong, ...missing(letters)]
}

/** The word with one letter more between two of its own. */
function missing(letters: readonly string[]): string[] {
  return letters.flatMap((_, at) =>
    at === 0 ? [] : [letters.slice(0, at).join('') + anyLetter + letters.slice(at).join('')],
  )
}

function plainOf(word: string): string {
  return [...word].map(plainLetter).join('')
}

const undivided: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** A small letter without accents. */
function plainLetter(letter: string): string {
  const small = letter.toLowerCase()
  const [plain = small] = small.normalize('NFD')
  return undivided[plain] ?? plain
}

/** Every letter that stands for the same plain one. */
const forms = new Map<string, string>()
const ranges = [
  [0xc0, 0x24f],
  [0x1e00, 0x1eff],
] as const
for (const [first, last] of ranges) {
  for (let code = first; code <= last; code += 1) {
    const letter = String.fromCodePoint(code)
    const plain = plainLetter(letter)
    if (/^[a-z]$/.test(plain)) forms.set(plain, (forms.get(plain) ?? '') + letter)
  }
}

function anyForm(plain: string): string {
  const big = plain.toUpperCase()
  const both = [...big].length === 1 && big !== plain ? plain + big : plain
  const all = both + (forms.get(plain) ?? '')
  return ([...all].length === 1 ? all : `[${all}]`) + (forms.has(plain) ? accents : '')
}
