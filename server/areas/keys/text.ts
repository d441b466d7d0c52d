/** The text of an API key: `hm_live_` or `hm_test_` and what every token has after its prefix. */
import type { Mode } from '../../contract/caller.ts'
import { isTokenText, newTokenText } from '../../kernel/secrets/token-text.ts'

export { startOf } from '../../kernel/secrets/token-text.ts'

export function newKeyText(mode: Mode): string {
  return newTokenText(`hm_${mode}_`)
}

/** Whether a text can be a key at all. */
export function isKeyText(text: string): boolean {
  return isTokenText('hm_live_', text) || isTokenText('hm_test_', text)
}
