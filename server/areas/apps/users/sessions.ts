/** Sessions of users of apps: a random cookie on the host of the site, of which only the hash is kept. */
import { randomBytes } from 'node:crypto'
import { parseCookie } from 'cookie'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
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
  const opened_at = runtime.clock.now()
  const expires_at = new Date(opened_at.getTime() + SESSION_S * 1000)
  const hash = sha256(token)
  await store.insertSession(tx, { project_id, app_id, hash, user_id, opened_at, expires_at })
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

export interface Session {
  user: SignedInUser
  hash: Buffer
  has_password: boolean
  /** Whether the user signed in so recently that they may change how they sign in. */
  is_fresh: boolean
}

/** The session of a Cookie header; null without one. */
export async function findSession(
  runtime: Runtime,
  { project_id, id: app_id }: Pick<ServedApp, 'project_id' | 'id'>,
  cookies: unknown,
): Promise<Session | null> {
  const hash = hashIn(runtime, cookies)
  if (hash === null) return null
  const now = runtime.clock.now()
  const found = await store.findSessionUser(runtime.db, { project_id, app_id, hash, now })
  if (!found) return null
  const { id, email, opened_at, password_hash } = found
  const fresh_until_ms = (opened_at?.getTime() ?? 0) + limits.session_fresh_s * 1000
  const is_fresh = now.getTime() < fresh_until_ms
  return { user: { id, email }, hash, has_password: password_hash !== null, is_fresh }
}

/** Throws unless the app lets its users sign in this way. */
export function requireMethod(
  { auth }: ServedApp,
  method: NonNullable<ServedApp['auth']>['methods'][number],
): void {
  if (auth?.methods.includes(method)) return
  throw new Problem('not_found', `Users of this app do not sign in by ${method}.`, {
    next_step: `Name ${method} in auth.methods with PUT /apps/{id}, or sign in by a code.`,
  })
}

/** Throws for a user who has to sign in again first, so that a borrowed device takes over no account. */
export function requireFresh(session: Session): void {
  if (!session.is_fresh) throw notFresh()
}

/**
 * Locks the user, and throws if the session ended since it was read: another change of how the user signs
 * in ends sessions, of which none may change anything afterwards.
 */
export async function requireStillOpen(
  tx: Transaction,
  { clock }: Runtime,
  { user, hash, ...of_app }: store.OfApp & Pick<Session, 'user' | 'hash'>,
): Promise<void> {
  const now = clock.now()
  const is_admitted = await store.admitUser(tx, { ...of_app, id: user.id, now })
  if (!is_admitted || !(await store.findSessionUser(tx, { ...of_app, hash, now }))) throw notFresh()
}

function notFresh(): Problem {
  return new Problem('forbidden', 'Changing how a user signs in needs a recent sign-in.', {
    user_message: 'Please sign in again to change this.',
    next_step: 'Let the user sign in at /api/_auth/sign-in of the site, then try again.',
  })
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
