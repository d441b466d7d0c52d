/**
 * Where a visitor goes after a form without a script: a page on one of the allowed origins of the
 * token. Any other address is refused, because a form of ours must not lead people elsewhere.
 */
import { Problem } from '../../contract/errors.ts'
import type { Page } from './admission.ts'

const ADDRESS_CHARACTERS_MAX = 2_000

/** The whole address; a path alone (`/thanks`) is on the origin of the page that sent the form. */
export function redirectFor(page: Page, text: string): string {
  const url = text.length <= ADDRESS_CHARACTERS_MAX ? URL.parse(text, page.origin) : null
  const safe =
    url !== null &&
    // An address such as blob:https://… has the origin of what is inside it, and is no page.
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    (url.origin === page.origin || page.allowed_origins.includes(url.origin)) &&
    !/[\p{Cc}\\]/u.test(text)
  if (safe) return url.href
  throw new Problem(
    'invalid_parameter',
    'redirect must be an address on one of the allowed origins of the public token.',
  )
}
