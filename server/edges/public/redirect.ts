/**
 * The redirect after a form without a script: a page on an allowed origin of the token. Other URLs
 * are refused to prevent open redirects.
 */
import { Problem } from '../../contract/errors.ts'
import type { AdmittedPage } from './admission.ts'

const ADDRESS_CHARACTERS_MAX = 2_000

/**
 * Returns the absolute URL; a path such as `/thanks` is relative to the origin of the form's page.
 */
// oxlint-disable-next-line max-params -- the page, the text, and the name of its parameter
export function readRedirect(page: AdmittedPage, text: string, name = 'redirect'): string {
  const url = text.length <= ADDRESS_CHARACTERS_MAX ? URL.parse(text, page.origin) : null
  const safe =
    url !== null &&
    // A URL of the scheme blob: has an allowed origin inside, but is not a web page.
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    (url.origin === page.origin || page.allowed_origins.includes(url.origin)) &&
    !/[\p{Cc}\\]/u.test(text)
  if (safe) return url.href
  throw new Problem(
    'invalid_parameter',
    `${name} must be an address on one of the allowed origins of the public token.`,
  )
}
