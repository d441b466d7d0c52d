/**
 * Converts search words to regular expressions. A word matches at the beginning of a word in the
 * text, ignoring case and accents, with the inflections of the project's languages, and, for longer
 * words, with one wrong, missing, doubled or swapped letter. All input is reduced to letters and
 * digits.
 */

const TYPO_LETTERS_MIN = 5
// The size of the pattern is quadratic in this. Errors after these letters are irrelevant, because
// only a prefix must match.
const TYPO_LETTERS_MAX = 8

export interface SearchWord {
  word: string
  /** Stems by language. */
  roots: readonly string[]
}

/** Returns the distinct words of a text in lower case. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)]
}

// Combining accents of decomposed Unicode text.
const accents = '[\u0300-\u036f]*'

// Characters of a word. PostgreSQL recognizes non-ASCII letters only in some locales, so ranges are
// listed.
const within = '0-9A-Za-zÀ-ÖØ-öø-\u052f\u1e00-\u1fff'

// Start of a word in JSON text: after another character or an escape sequence.
const beginning = String.raw`(?:^|[^${within}]|\\[bfnrt])`

/** Returns a PostgreSQL regular expression that finds the word in the JSON text of values. */
export function patternOf({ word, roots }: SearchWord): string {
  const plain = plainOf(word)
  const all = [...new Set([plain, ...roots.map(plainOf)])]
  // A match of a longer stem is also a match of its prefix.
  const shortest = all.filter((one) => !all.some((other) => other !== one && one.startsWith(other)))
  const long = shortest.filter((root) => lengthOf(root) >= TYPO_LETTERS_MIN)
  // If no long stem begins the word, typing errors are also tried on the word itself.
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
  // The word may be a longer word with one letter missing.
  return letters.length === TYPO_LETTERS_MIN - 1 ? missing(letters) : []
}

const anyLetter = '[^][ "\\\\,.:;!?(){}_/-]'

/** Returns patterns of the word with one typing error, never in the first letter. */
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

/** Returns patterns with one additional letter inside the word. */
function missing(letters: readonly string[]): string[] {
  return letters.flatMap((_, at) =>
    at === 0 ? [] : [letters.slice(0, at).join('') + anyLetter + letters.slice(at).join('')],
  )
}

function plainOf(word: string): string {
  return [...word].map(plainLetter).join('')
}

const undivided: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Returns the lower-case letter without accents. */
function plainLetter(letter: string): string {
  const small = letter.toLowerCase()
  const [plain = small] = small.normalize('NFD')
  return undivided[plain] ?? plain
}

/** All letters with the same unaccented letter. */
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
