/**
 * The cookies of the portal. Each is for this host alone, out of reach of scripts, and not sent
 * along by other sites. Over https their names say that browsers keep to it (`__Host-`); without
 * https, as in development on localhost, browsers would refuse such a name.
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../kernel/runtime.ts'

/**
 * `session`: who is signed in. `sign_in`: a sign-in that has begun. `passkey`: which browser was asked
 * for a passkey.
 */
export type CookieName = 'session' | 'sign_in' | 'passkey'

export interface Cookies {
  read(request: FastifyRequest, name: CookieName): string | undefined
  /** Kept for so long; null: until the browser is closed. */
  set(reply: FastifyReply, name: CookieName, cookie: { value: string; kept_s: number }): void
  clear(reply: FastifyReply, name: CookieName): void
}

export function portalCookies(runtime: Runtime): Cookies {
  const isSecure = () => runtime.config.public_url.startsWith('https:')
  const fullName = (name: CookieName) => `${isSecure() ? '__Host-' : ''}homeport_${name}`
  const write: Cookies['set'] = (reply, name, { value, kept_s }) => {
    const text = stringifySetCookie({
      name: fullName(name),
      value,
      maxAge: kept_s,
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure(),
    })
    reply.header('Set-Cookie', text)
  }
  return {
    read: (request, name) => parseCookie(request.headers.cookie ?? '')[fullName(name)],
    set: write,
    clear: (reply, name) => write(reply, name, { value: '', kept_s: 0 }),
  }
}
