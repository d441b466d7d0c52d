/** The texts of the codes of verification: its levels and what they unlock. */
import { useLevelTexts } from './level-texts.ts'

type Words = ReturnType<typeof useLevelTexts>

/**
 * Returns the text of a code. A code that only a newer server knows is shown with spaces instead of
 * underscores.
 */
export function wordOf(code: string, t: Words): string {
  const key = code.replaceAll('.', '_')
  return isKnown(key) ? t(key) : code.replaceAll(/[._]/g, ' ')
}

function isKnown(key: string): key is keyof (typeof useLevelTexts)['table'] {
  return Object.hasOwn(useLevelTexts.table, key)
}
