/** From proofs to cookies: what a browser is given once somebody has proven who they are. */
import type { Proven } from '../../areas/people/service.ts'
import { limits } from '../../contract/limits.ts'
import type { Outcome, Visit } from './visit.ts'

/** Signed in, or asked for the second factor. What was in the browser before counts no more. */
export function welcome(
  { cookies, reply }: Visit,
  { kind, secret }: Proven,
  next: string,
): Outcome {
  if (kind === 'signed_in') {
    cookies.set(reply, 'session', { value: secret, kept_s: limits.session_s })
    cookies.clear(reply, 'sign_in')
    return { to: next }
  }
  cookies.set(reply, 'sign_in', { value: secret, kept_s: limits.sign_in_s })
  return {
    to: next === '/portal' ? '/portal/sign-in/second' : `/portal/sign-in/second?next=${next}`,
  }
}
