/** Sessions of users of apps: a random cookie on the host of the site, of which only the hash is kept. */
import { randomBytes } from 'node:crypto'
import { parseCookie } from 'cookie'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { ServedApp } from '../store.ts'
import * as store from './user-store.ts'

const SESSION_S = 30 * 86_400

export interface SignedInUser {
  id: string
  email: string
}

/** Returns the cookie of a new session. */
export async function openSession(
  tx: Transaction,
  runtime: Runtime,
  { project_id, app_id, user_id }: store.OfApp & { user_id: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(runtime.clock.now_ms() + SESSION_S * 1000)
  await store.insertSession(tx, { project_id, app_id, hash: sha256(token), user_id, expires_at })
  return cookieOf(runtime, token, SESSION_S)
}

/** The cookie that deletes itself. */
export function endedCookie(runtime: Runtime): string {
  return cookieOf(runtime, '', 0)
}

function cookieOf(runtime: Runtime, value: string, seconds: number): string {
  const secure = isSecure(runtime) ? '; Secure' : ''
  return `${nameOf(runtime)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

function isSecure({ config }: Runtime): boolean {
  return config.public_url.startsWith('https:')
}

/** Browsers accept the prefix from this host only, so no other site of the domain can set the cookie. */
function nameOf(runtime: Runtime): string {
  return isSecure(runtime) ? '__Host-homeport_app_session' : 'homeport_app_session'
}

function hashIn(runtime: Runtime, cookies: unknown): Buffer | null {
  if (typeof cookies !== 'string') return null
  const token = parseCookie(cookies)[nameOf(runtime)]
  return token ? sha256(token) : null
}

/** The signed-in user of the Cookie header in `input.cookie`; null without one. */
export async function findUserOfCookie(
  runtime: Runtime,
  { project_id, id: app_id }: Pick<ServedApp, 'project_id' | 'id'>,
  input: unknown,
): Promise<SignedInUser | null> {
  const { db, clock } = runtime
  const hash = hashIn(runtime, Object(input).cookie)
  if (hash === null) return null
  const user = await store.findSessionUser(db, { project_id, app_id, hash, now: clock.now() })
  return user ? { id: user.id, email: user.email } : null
}

/** Ends the session of a Cookie header. */
export async function endSession(
  runtime: Runtime,
  { project_id, id: app_id }: Pick<ServedApp, 'project_id' | 'id'>,
  cookies: string | undefined,
): Promise<void> {
  const hash = hashIn(runtime, cookies)
  if (hash)
    await runtime.db.transact((tx) => store.deleteSessions(tx, { project_id, app_id }, { hash }))
}
