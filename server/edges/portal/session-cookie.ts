/** The session and sign-in cookies, and the redirect after a proof of identity. */
import type { SignInResult } from '../../areas/people/service.ts'
import { limits } from '../../contract/limits.ts'
import { rememberBrowser } from './known-browser.ts'
import type { PortalReply, PortalVisit } from './visit.ts'

/**
 * Sets the cookies after a proof of identity. Redirects to the second factor if it is still
 * required, otherwise to `next`.
 */
export function finishSignIn(visit: PortalVisit, proven: SignInResult, next: string): PortalReply {
  const { cookies, request, reply } = visit
  if (proven.kind === 'second_factor') {
    if (proven.secret !== null) setSignInCookie({ cookies, reply }, proven.secret)
    return { to: withNext('/portal/sign-in/second', next) }
  }
  if (proven.kind === 'signed_in') {
    cookies.set(reply, 'session', { value: proven.secret, kept_s: limits.session_s })
    rememberBrowser(visit, proven.email)
  }
  if (cookies.read(request, 'sign_in') !== undefined) cookies.clear(reply, 'sign_in')
  return { to: next }
}

export function setSignInCookie(
  { cookies, reply }: Pick<PortalVisit, 'cookies' | 'reply'>,
  secret: string,
) {
  cookies.set(reply, 'sign_in', { value: secret, kept_s: limits.sign_in_s })
}

export function withNext(path: string, next: string): string {
  return next === '/portal' ? path : `${path}?next=${next.replaceAll('&', '%26')}`
}
