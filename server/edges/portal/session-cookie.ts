/** Session cookies, set once a person has confirmed their identity. */
import type { SignInResult } from '../../areas/people/service.ts'
import { limits } from '../../contract/limits.ts'
import type { Outcome, Visit } from './visit.ts'

/** Signed in, or asked for the second factor. What was in the browser before counts no more. */
export function welcome(
  { cookies, request, reply }: Visit,
  proven: SignInResult,
  next: string,
): Outcome {
  if (proven.kind === 'second_factor') {
    if (proven.secret !== null) keepSignIn({ cookies, reply }, proven.secret)
    return { to: withNext('/portal/sign-in/second', next) }
  }
  if (proven.kind === 'signed_in') {
    cookies.set(reply, 'session', { value: proven.secret, kept_s: limits.session_s })
  }
  if (cookies.read(request, 'sign_in') !== undefined) cookies.clear(reply, 'sign_in')
  return { to: next }
}

export function keepSignIn({ cookies, reply }: Pick<Visit, 'cookies' | 'reply'>, secret: string) {
  cookies.set(reply, 'sign_in', { value: secret, kept_s: limits.sign_in_s })
}

/** The sign-in address with the path to return to. */
export function withNext(path: string, next: string): string {
  return next === '/portal' ? path : `${path}?next=${next}`
}
