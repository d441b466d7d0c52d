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

// Where a word begins in JSON text: after what is neither letter nor digit, or after an escape.
const beginning = String.raw`(?:^|[^[:alnum:]]|\\[bfnrt])`

/** A regular expression of PostgreSQL that finds the word in the JSON text of values. */
export function patternOf({ word, roots }: SearchWord): string {
  const all = [...new Set([word, ...roots].map(lettersOf).map((letters) => letters.join('')))]
  // What begins with a root begins with the shorter root too.
  const shortest = all.filter((one) => !all.some((other) => other !== one && one.startsWith(other)))
  return `${beginning}(?:${shortest.flatMap(formsOf).join('|')})`
}

function formsOf(root: string): string[] {
  const letters = [...root].map(anyForm)
  const whole = letters.join('')
  const is_plain = letters.length < TYPO_LETTERS_MIN || /\d/.test(root)
  return is_plain ? [whole] : [whole, ...misspelt(letters.slice(0, TYPO_LETTERS_MAX))]
}

const anyLetter = '[^][ "\\\\,.:;!?(){}_/-]'

/** The word with one mistake, never in its first letter. */
function misspelt(letters: readonly string[]): string[] {
  return letters.flatMap((letter, at) => {
    if (at === 0) return []
    const before = letters.slice(0, at).join('')
    const after = letters.slice(at + 1).join('')
    const next = letters[at + 1]
    const swapped =
      next === undefined ? [] : [before + next + letter + letters.slice(at + 2).join('')]
    return [`${before}${anyLetter}?${after}`, `${before}${anyLetter}${letter}${after}`, ...swapped]
  })
}

function lettersOf(word: string): string[] {
  return [...word].map(plainLetter)
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
  return [...all].length === 1 ? all : `[${all}]`
}
