/** The texts of the codes of verification: its levels and what they unlock. */
import type { useTexts } from '../../language/texts.ts'
import { levelTexts } from './level-texts.ts'

type Words = ReturnType<typeof useTexts<(typeof levelTexts)['table']>>

/**
 * Returns the text of a code. A code that only a newer server knows is shown with spaces instead of
 * underscores.
 */
export function wordOf(code: string, t: Words): string {
  const key = code.replaceAll('.', '_')
  return isKnown(key) ? t(key) : code.replaceAll(/[._]/g, ' ')
}

function isKnown(key: string): key is keyof (typeof levelTexts)['table'] {
  return Object.hasOwn(levelTexts.table, key)
}
