/**
 * Authenticates the access token of a connection on every request. One round trip reads the token,
 * the connection, the role of its person and the project. Nothing is cached.
 */
import { intersectAccess } from '../../contract/access.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { notEnabled } from '../../contract/problems/not-enabled.ts'
import { isScope } from '../../contract/scopes.ts'
import { fillAllowed } from '../../contract/limited-to.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as people from '../people/service.ts'
import * as projects from '../projects/service.ts'
import * as store from './store.ts'
import { isAccessTokenText } from './token-formats.ts'

/** The authenticated connection of a request. `key_id` contains the id of the connection. */
export type ConnectionHolder = Pick<
  Caller,
  'project' | 'mode' | 'key_id' | 'scopes' | 'access' | 'is_connection'
>

/** Interval in which `used_at` is updated. */
const USED_MS = 300_000

/**
 * Authenticates a token. Order of checks from the specification: unknown, revoked, expired, deleted
 * project, not enabled.
 */
export async function authenticate(runtime: Runtime, token: string): Promise<ConnectionHolder> {
  const found = isAccessTokenText(token)
    ? await store.findByToken(runtime.db, sha256(token))
    : undefined
  if (!found) throw new Problem('unauthorized', 'This access token is not known.')
  const now = runtime.clock.now()
  if (found.connection_revoked_at) {
    throw new Problem('unauthorized', 'The connection of this access token has ended.', {
      user_message: 'This connection was ended. Connect again to go on.',
      next_step: 'Let the person connect again.',
    })
  }
  if (found.token_expires_at <= now) {
    throw new Problem('unauthorized', 'This access token has expired.', {
      next_step: 'Renew it with the refresh token.',
    })
  }
  if (found.deleted_at) {
    throw new Problem('project_deleted', 'The project of this access token was deleted.')
  }
  requireUsable(found, found.connection_mode)
  await remember(runtime, found, now)
  return {
    project: found,
    mode: found.connection_mode,
    key_id: found.connection_id,
    scopes: scopesNow(found),
    access: accessNow(found),
    is_connection: true,
  }
}

/**
 * Returns the holder with its current permissions, for deferred work such as approvals. Returns
 * undefined if the connection has ended or its person has left the team.
 */
export async function findHolder(
  runtime: Runtime,
  key: store.ConnectionKey,
): Promise<ConnectionHolder | undefined> {
  const found = await store.find(runtime.db, { ...key, now: runtime.clock.now() })
  const project = await projects.find(runtime.db, key.project_id)
  if (!found || !project) return undefined
  requireUsable(project, found.mode)
  const { member_role, member_access } = found
  const { scopes } = found
  return {
    project,
    mode: found.mode,
    key_id: found.id,
    scopes: scopesNow({ connection_scopes: scopes, token_scopes: scopes, member_role }),
    access: accessNow({ connection_access: found.access, member_access }),
    is_connection: true,
  }
}

/** Returns the name of the client; undefined if the connection has ended. */
export async function findClientName(
  runtime: Runtime,
  key: store.ConnectionKey,
): Promise<string | undefined> {
  const found = await store.find(runtime.db, { ...key, now: runtime.clock.now() })
  return found?.client_name
}

function requireUsable(project: Caller['project'], mode: Caller['mode']): void {
  if (!project.enabled) {
    throw notEnabled(project)
  }
  if (project.shape === 'single' || project.shape === mode) return
  throw new Problem(
    'key_mode_mismatch',
    `A connection in ${mode} mode does not work on a ${project.shape} project.`,
  )
}

/** Returns the scopes that token, connection and the person's role all have. */
function scopesNow({
  token_scopes,
  connection_scopes,
  member_role,
}: Pick<
  store.AccessTokenRow,
  'token_scopes' | 'connection_scopes' | 'member_role'
>): Caller['scopes'] {
  const still = new Set(connection_scopes)
  const may = people.listScopes(member_role)
  const scopes = token_scopes.filter(isScope)
  return new Set(scopes.filter((scope) => still.has(scope) && may.has(scope)))
}

function accessNow({
  connection_access,
  member_access,
}: Pick<store.AccessTokenRow, 'connection_access' | 'member_access'>): Caller['access'] {
  return intersectAccess(
    connection_access && { ...fillAllowed(connection_access), limited_by: 'connection' },
    member_access && { ...fillAllowed(member_access), limited_by: 'member' },
  )
}

async function remember(runtime: Runtime, held: store.AccessTokenRow, now: Date): Promise<void> {
  const { id: project_id, connection_used_at: used_at, connection_id: id } = held
  if (used_at && now.getTime() - used_at.getTime() < USED_MS) return
  await runtime.db.transact((tx) => store.setUsed(tx, { project_id, id, now }))
}
