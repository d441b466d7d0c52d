/**
 * Replaces typographic characters by their plain forms, if the whole text then fits the SMS alphabet
 * and takes fewer segments. Otherwise the text stays as it is. Letters never change.
 */
import { isGsm7 } from './gsm7.ts'

const plain: ReadonlyMap<string, string> = new Map([
  ...[...'‘’‚‛′`´ʼ'].map((mark) => [mark, "'"] as const),
  ...[...'“”„‟″«»'].map((mark) => [mark, '"'] as const),
  ...[...'‐‑‒–—―−'].map((mark) => [mark, '-'] as const),
  ...[
    ...'\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t',
  ].map((mark) => [mark, ' '] as const),
  ...[...'\u200b\u2060\ufeff\u00ad'].map((mark) => [mark, ''] as const),
  ...[...'•·'].map((mark) => [mark, '-'] as const),
  ['…', '...'],
  ['‹', '<'],
  ['›', '>'],
  ['⁄', '/'],
])

export function foldText(text: string): string {
  if (isGsm7(text)) return text
  const folded = Array.from(text.normalize('NFC'), (letter) => plain.get(letter) ?? letter).join('')
  return isGsm7(folded) && folded.trim() !== '' ? folded : text
}
