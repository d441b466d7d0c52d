/**
 * The text of an API key: `hm_live_` or `hm_test_`, then the random part and checksum of every
 * token.
 */
import type { Mode } from '../../contract/caller.ts'
import { isTokenText, createTokenText } from '../../kernel/secrets/token-text.ts'

export { tokenStart } from '../../kernel/secrets/token-text.ts'

export function newKeyText(mode: Mode): string {
  return createTokenText(`hm_${mode}_`)
}

/** Whether a text has the format and checksum of a key. */
export function isKeyText(text: string): boolean {
  return isTokenText('hm_live_', text) || isTokenText('hm_test_', text)
}
