/** The switch of the language in the footer: works without a script and returns to the page. */
import { stringifySetCookie } from 'cookie'
import * as people from '../../../areas/people/service.ts'
import { isPageLanguage, LANGUAGE_COOKIE } from '../../html/language.ts'
import { findSession, type PortalReply, type PortalVisit } from '../visit.ts'

const YEAR_S = 365 * 24 * 3600

/** Keeps the language for this browser and, if signed in, for the person. */
export async function switchLanguage(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, reply, form } = visit
  const language = form.get('language')
  if (isPageLanguage(language)) {
    const who = await findSession(visit)
    if (who && who.language !== language) await people.setLanguage(runtime, who, language)
    const cookie = { name: LANGUAGE_COOKIE, value: language, maxAge: YEAR_S, path: '/' }
    const secure = runtime.config.public_url.startsWith('https:')
    const text = stringifySetCookie({ ...cookie, httpOnly: true, sameSite: 'lax', secure })
    reply.header('Set-Cookie', text)
  }
  return { to: readHere(form.get('here') ?? '') }
}

/** Accepts a path of this server only, so that the form cannot redirect elsewhere. */
function readHere(path: string): string {
  const base = 'https://portal.invalid'
  const url = URL.parse(path, base)
  const isOwn = path.startsWith('/') && url?.origin === base
  return isOwn ? url.pathname.replace(/^\/+/, '/') + url.search : '/portal'
}
