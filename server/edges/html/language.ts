/** The language of a page that the server renders: English or Dutch. */
import { parseCookie } from 'cookie'
import type { MailLanguage } from '../../providers/mail/mail-contract.ts'

export type PageLanguage = MailLanguage

/** The cookie of a language that the visitor chose on a page. It needs no protection. */
export const LANGUAGE_COOKIE = 'homeport_language'

interface Headers {
  cookie?: string | undefined
  'accept-language'?: string | undefined
}

/**
 * The language asked for in the request, else the visitor's last choice on this browser, else the
 * first of Accept-Language that the pages have, else English.
 */
export function chooseLanguage(asked: unknown, headers: Headers): PageLanguage {
  for (const wanted of [asked, parseCookie(headers.cookie ?? '')[LANGUAGE_COOKIE]]) {
    if (isPageLanguage(wanted)) return wanted
  }
  const languages = (headers['accept-language'] ?? '').split(',').map((one) => {
    const [tag = '', weight] = one.trim().split(/;\s*q=/)
    return { name: tag.slice(0, 2).toLowerCase(), weight: Number(weight ?? 1) }
  })
  const known = languages.filter(({ name, weight }) => isPageLanguage(name) && weight > 0)
  const [first] = known.toSorted((one, other) => other.weight - one.weight)
  return first?.name === 'nl' ? 'nl' : 'en'
}

/** Null if the request names no language at all, as of a program. */
export function findLanguage(headers: Headers): PageLanguage | null {
  const chosen = parseCookie(headers.cookie ?? '')[LANGUAGE_COOKIE]
  const is_named = isPageLanguage(chosen) || /[a-z]/i.test(headers['accept-language'] ?? '')
  return is_named ? chooseLanguage(undefined, headers) : null
}

/** Drops the cookie, because pages in shared caches vary by Accept-Language only. */
export function pickAccepted({ 'accept-language': accepted }: Headers): Headers {
  return { 'accept-language': accepted }
}

export function isPageLanguage(text: unknown): text is PageLanguage {
  return text === 'en' || text === 'nl'
}
