/**
 * Access to sites with a password, by a signed cookie. The cookie is valid for one site and its
 * current password, is sent to its own host only, and is unavailable to scripts. Another site of
 * the shared domain can set a cookie of the same name, so all cookies of that name are checked.
 */
import type { ServedSite } from '../../areas/sites/service.ts'
import { limits } from '../../contract/limits.ts'
import { holdsUnderAnyKey, sameText, type MacKey } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'

const PURPOSE = 'site-password'
const NAME = 'homeport_site'
const COOKIES_MAX = 8

type ProtectedSite = Pick<ServedSite, 'project_id' | 'id' | 'password_version'>

export interface PasswordGate {
  mayEnter(site: ProtectedSite, cookies: string | undefined): boolean
  /** Returns the Set-Cookie header after a correct password. */
  cookieFor(site: ProtectedSite): string
}

export function createPasswordGate(runtime: Runtime): PasswordGate {
  return {
    mayEnter(site, cookies) {
      if (cookies === undefined || !cookies.includes(NAME)) return false
      const now_s = runtime.clock.now_ms() / 1000
      return valuesOf(cookies)
        .slice(0, COOKIES_MAX)
        .some((value) => {
          const until_s = Number(/^(\d{1,12})\./.exec(value)?.[1] ?? 0)
          return (
            until_s > now_s &&
            holdsUnderAnyKey(runtime.seal, (key) => sameText(signed(key, site, until_s), value))
          )
        })
    },
    cookieFor(site) {
      const age_s = limits.site_password_remembered_s
      const until_s = Math.floor(runtime.clock.now_ms() / 1000) + age_s
      const is_secure = runtime.config.public_url.startsWith('https:')
      const rest = `Path=/; Max-Age=${age_s}; HttpOnly; SameSite=Lax`
      // The prefix makes browsers refuse such a cookie from any other host.
      const value = signed(runtime.seal, site, until_s)
      if (is_secure) return `__Host-${NAME}=${value}; ${rest}; Secure`
      return `${NAME}=${value}; ${rest}`
    },
  }
}

function signed(key: MacKey, site: ProtectedSite, until_s: number): string {
  const { project_id, id, password_version } = site
  const text = `${project_id}\n${id}\n${password_version}\n${until_s}`
  return `${until_s}.${key.mac(text, PURPOSE).toString('base64url')}`
}

function valuesOf(cookies: string): string[] {
  return cookies.split(';').flatMap((one) => {
    const [name, value] = one.trim().split('=', 2)
    return value !== undefined && (name === NAME || name === `__Host-${NAME}`) ? [value] : []
  })
}
