/**
 * The cookies of the portal: for this host only, unavailable to scripts, and not sent with
 * cross-site requests other than links. Over https their names begin with `__Host-`, so browsers
 * enforce this; over plain http, as in development on localhost, browsers would refuse such a name.
 */
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '../../kernel/runtime.ts'

/**
 * `session`: the session of a signed-in person. `sign_in`: an unfinished sign-in. `passkey`: the
 * challenge of a passkey request. `known`: the accounts that signed in with this browser.
 */
export type CookieName = 'session' | 'sign_in' | 'passkey' | 'known'

export interface Cookies {
  read(request: FastifyRequest, name: CookieName): string | undefined
  /** `kept_s` is the Max-Age in seconds. */
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
