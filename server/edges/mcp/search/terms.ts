/** Turns English text into index terms: without stop words, stemmed, one term for synonyms. */
import { stemmer } from '@orama/stemmers/english'
import { readDataFile } from '../../../kernel/data-file.ts'

const stopWords = new Set(
  (
    'a an the i me my mine you your we us our it its he she they them their there this that these those ' +
    'is are was were be been being am do does did done doing have has had can could would should will ' +
    'shall may might must please to of for from in on at by with without and or but so if as than then ' +
    'just only also too again some any each every when while because since how who what which where ' +
    'whose why not no get got let want need like into about via per his her him something anything ' +
    'everything everyone really very right here now up out hey hi hello thanks using use one ones other ' +
    'going been make sure still time dont cant wont isnt didnt doesnt ive im id whats theres thats'
  ).split(' '),
)

/** Returns the index term of a word; null for a stop word. */
export type ToTerm = (word: string) => string | null

/** Names such as `call.completed` in a text. */
export function findDottedNames(text: string): string[] {
  return text.split(/[^a-z_.]|\.(?![a-z_])/).filter((word) => word.indexOf('.') > 0)
}

/** Lower-case words without apostrophes; dotted names also as a whole. */
export function splitWords(text: string): string[] {
  const plain = text.toLowerCase().replaceAll(/['’]/g, '')
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  return plain.includes('.') ? [...words, ...findDottedNames(plain)] : words
}

/** Reads synonyms.txt: each line is a word, a colon and its synonyms, which share its term. */
export function createTerms(): ToTerm {
  const lines = readDataFile(import.meta.dirname, 'synonyms.txt')
    .trim()
    .split('\n')
  const synonyms = new Map(
    lines.flatMap((line) => {
      const [word = '', others = ''] = line.split(': ')
      return others.split(' ').map((other) => [stemmer(other), stemmer(word)] as const)
    }),
  )
  return (word) => {
    if (stopWords.has(word)) return null
    const stem = stemmer(word)
    return synonyms.get(stem) ?? stem
  }
}

/** Remembers the term of each word. For an index only: queries could fill the memory. */
export function rememberTerms(toTerm: ToTerm): ToTerm {
  const known = new Map<string, string | null>()
  return (word) => known.get(word) ?? known.set(word, toTerm(word)).get(word) ?? null
}
