/** Decisions by the caller's number and by the caller's words. */
import type { CallerMatch, Menu } from '../nodes/node-schemas.ts'

/** Returns the edge to take. A withheld number matches only rules for anonymous callers. */
export function chooseCallerEdge(node: CallerMatch, from: string | null): string {
  const rule = node.rules.find(({ prefixes = [], numbers = [], anonymous }) =>
    from === null
      ? anonymous === true
      : numbers.includes(from) || prefixes.some((prefix) => from.startsWith(prefix)),
  )
  return rule ? rule.next : node.default
}

/**
 * Returns the key whose words the caller said; null if none matches. The longest match wins: "sales
 * team" before "sales".
 */
export function chooseMenuKey(
  { speech = {} }: Menu,
  event: { type: 'heard'; text: string } | { type: 'no_input' },
): string | null {
  if (event.type === 'no_input') return null
  const heard = plain(event.text)
  const matches = Object.entries(speech)
    .flatMap(([key, words]) => words.map((word) => ({ key, word: plain(word) })))
    .filter(({ word }) => word !== '  ' && heard.includes(word))
    .toSorted((one, other) => other.word.length - one.word.length)
  return matches[0]?.key ?? null
}

/**
 * Normalizes text to lower case, without accents and punctuation, with a space around every word.
 */
function plain(text: string): string {
  const letters = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return ` ${letters.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
}
