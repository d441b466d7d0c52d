/**
 * Text analysis: folds text to plain words, finds cues, detects the language, and extracts the
 * terms of a question.
 */
import { concepts, type Concept } from './concepts.ts'
import { isOrder } from './directives.ts'
import { languages, type Cues, type Language } from './language.ts'
import { isInjection } from './orders.ts'
import { injectionPhrases, phrases } from './phrases.ts'

/** Normalizes to lowercase letters and digits without accents, separated by single spaces. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const patterns = new Map<readonly string[], RegExp>()

function patternOf(entries: readonly string[]): RegExp {
  const known = patterns.get(entries)
  if (known !== undefined) return known
  // Longest entry first, so that "thank you very much" matches as a whole.
  const sources = entries
    .map((entry) => fold(entry) + (entry.trimEnd().endsWith('*') ? '[^ ]*' : ''))
    .toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(`(?<= |^)(?:${sources.join('|')})(?= |$)`, 'g')
  patterns.set(entries, pattern)
  return pattern
}

/** Whether folded text contains an entry, as whole words. */
export function containsEntry(folded: string, entries: readonly string[]): boolean {
  return folded.search(patternOf(entries)) >= 0
}

/** The entries in folded text; the longest if several begin at one position. */
export function findEntries(folded: string, entries: readonly string[]): string[] {
  return folded.match(patternOf(entries)) ?? []
}

/** Removes the entries of the lists from folded text. */
export function removeEntries(folded: string, ...lists: readonly (readonly string[])[]): string {
  const rest = lists.reduce((text, entries) => text.replace(patternOf(entries), ' '), folded)
  return rest.replace(/ +/g, ' ').trim()
}

/** Whether folded text is not empty and consists only of entries of the lists. */
export function hasOnlyEntries(folded: string, ...lists: readonly (readonly string[])[]): boolean {
  return folded !== '' && removeEntries(folded, ...lists) === ''
}

/** Whether text contains a known wording of prompt injection. */
export function containsInjection(text: string): boolean {
  const sentences = text.split(/[.!?;\n]+/).map(fold)
  return containsEntry(fold(text), injectionPhrases) || sentences.some(isInjection)
}

/** Whether a sentence of the instructions tells the assistant how to behave. */
export function isDirective(sentence: string): boolean {
  return isOrder(fold(sentence), sentence.split(/[,;:]+/).map(fold))
}

const commonWords = new Map(
  languages.map((language) => [language, commonOf(phrases[language].cues)]),
)

function commonOf(cues: Cues): ReadonlySet<string> {
  const single = [cues.greeting, cues.thanks, cues.affirm, cues.deny, cues.goodbye, cues.opening]
  return new Set([...cues.common, ...single.flat()].map(fold).filter((word) => !word.includes(' ')))
}

/** Said in any language, so they do not change that of a conversation. */
const replies = new Set('yes no ok okay oke yep jo nope top super sure'.split(' '))

/** The language of most words; null if it is unclear. */
export function detectLanguage(text: string): Language | null {
  const words = fold(text).split(' ')
  if (words.length <= 2 && words.every((word) => replies.has(word))) return null
  const counted = languages
    .map((language) => ({ language, hits: countIn(words, commonWords.get(language)) }))
    .toSorted((a, b) => b.hits - a.hits)
  const [first, second] = counted
  if (!first || !second || first.hits === 0 || first.hits === second.hits) return null
  // One more shared word is not enough to switch the language of a conversation.
  return first.hits === 1 && words.length > 3 ? null : first.language
}

function countIn(words: readonly string[], known: ReadonlySet<string> | undefined): number {
  return words.filter((word) => known?.has(word)).length
}

/** The language of a BCP 47 tag; null if the model does not know it. */
export function languageOf(tag: string | null | undefined): Language | null {
  const primary = tag?.toLowerCase().split('-')[0]
  return languages.find((language) => language === primary) ?? null
}

/** The concepts in folded text. */
export function findConcepts(folded: string): Concept[] {
  return concepts.filter((concept) => containsEntry(folded, concept.words))
}
