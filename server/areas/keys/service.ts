/**
 * API keys: people create, list and revoke them; every request is authenticated by one. Only the
 * SHA-256 of a key is stored. A revoked key and a deleted project have errors different from that
 * of an unknown key.
 */
import { LRUCache } from 'lru-cache'
import type { Caller, Mode } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { notEnabled } from '../../contract/problems/not-enabled.ts'
import { isScope, scopeNames, type Scope } from '../../contract/scopes.ts'
import { toLowerCaseIds } from '../../contract/limited-to.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { toLimitColumns, type ChosenAccess } from './limits-in-force.ts'
import * as store from './store.ts'
import { isKeyText, newKeyText, tokenStart } from './text.ts'

export { updateMemberKeys } from './limits-in-force.ts'
export { listKeyModes } from './modes.ts'
export type { Key, KeyInput } from './schema.ts'

export interface NewKey {
  project_id: string
  mode: Mode
  name: string
  scopes: readonly Scope[]
  access: ChosenAccess
}

export type KeyFacts = ReturnType<typeof present>

/** Creates a key. Only this result contains its text. */
export async function create(
  runtime: Runtime,
  input: NewKey,
): Promise<{ id: string; key: string }> {
  const key = newKeyText(input.mode)
  const own_access = input.access && toLowerCaseIds(input.access)
  const row = await runtime.db.transact((tx) =>
    store.insert(tx, {
      id: newId(runtime.clock),
      project_id: input.project_id,
      hash: sha256(key),
      start: tokenStart(key),
      name: input.name,
      mode: input.mode,
      scopes: [...input.scopes],
      ...toLimitColumns({ own_access, creator_access: null }),
      created_at: runtime.clock.now(),
    }),
  )
  return { id: row.id, key }
}

export async function list(runtime: Runtime, project_id: string): Promise<KeyFacts[]> {
  return (await store.list(runtime.db, project_id)).map(present)
}

/** Revokes a key from the next request on. Returns undefined if there is no such key. */
export function revoke(runtime: Runtime, key_id: string): Promise<KeyFacts | undefined> {
  return runtime.db.transact(async (tx) => {
    const row = await store.revoke(tx, key_id, runtime.clock.now())
    return row && present(row)
  })
}

function present(row: store.KeyRow) {
  return {
    id: row.id,
    project_id: row.project_id,
    start: row.start,
    name: row.name,
    mode: row.mode,
    scopes: row.scopes,
    access: row.access,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

export const allScopes: readonly Scope[] = scopeNames

/** The caller after the first three checks of the specification, before rate limits. */
export type KeyHolder = Pick<Caller, 'project' | 'mode' | 'key_id' | 'scopes' | 'access'>

/**
 * Authenticates the bearer token of an Authorization header (specification: Authentication 1, 3, 4,
 * 5, 7). Checks in order: missing or unknown key, revoked or expired key, deleted project,
 * disabled project, wrong mode.
 */
export async function authenticateKey(
  runtime: Runtime,
  authorization: string | undefined,
): Promise<KeyHolder> {
  const key = bearerOf(authorization)
  const found = isKeyText(key) ? await store.findByHash(runtime.db, sha256(key)) : undefined
  if (!found) throw new Problem('invalid_api_key', 'This API key is not known.')
  return holderOf(found, runtime.clock.now())
}

/**
 * Returns the current holder of a previously authenticated key, for work that the key requested
 * earlier. Returns undefined if the project has no such key.
 */
export async function findKeyHolder(
  runtime: Runtime,
  key: { project_id: string; id: string },
): Promise<KeyHolder | undefined> {
  const found = await store.findById(runtime.db, key)
  return found && holderOf(found, runtime.clock.now())
}

export async function findKeyName(
  db: Reader,
  key: { project_id: string; id: string },
): Promise<string | undefined> {
  const found = await store.findById(db, key)
  return found?.key_name
}

/** The project is the whole row: copying its columns would be a twentieth of the cost of a request. */
function holderOf(project: store.KeyAndProject, now: Date): KeyHolder {
  const { key_id, key_mode, key_scopes, key_access, key_revoked_at, key_expires_at } = project
  if (key_revoked_at) throw new Problem('api_key_revoked', 'This API key was revoked.')
  if (key_expires_at && key_expires_at <= now) {
    const detail = `This API key expired at ${key_expires_at.toISOString()}.`
    throw new Problem('api_key_revoked', detail)
  }
  if (project.deleted_at) {
    throw new Problem('project_deleted', 'The project of this API key was deleted.')
  }
  if (!project.enabled) throw notEnabled(project)
  if (project.shape !== 'single' && project.shape !== key_mode) {
    throw new Problem(
      'key_mode_mismatch',
      `A ${key_mode} key does not work on a ${project.shape} project.`,
    )
  }
  return { project, mode: key_mode, key_id, scopes: scopesIn(key_scopes), access: key_access }
}

const SCOPE_SETS_MAX = 500
const scopeSets = new LRUCache<string, ReadonlySet<Scope>>({ max: SCOPE_SETS_MAX })

/** Keys have few different texts, and parsing them would be a tenth of the cost of a request. */
function scopesIn(text: string): ReadonlySet<Scope> {
  const known = scopeSets.get(text)
  if (known) return known
  const scopes = new Set(text.split(' ').filter(isScope))
  scopeSets.set(text, scopes)
  return scopes
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw new Problem('missing_api_key', 'The request has no Authorization header.')
  }
  const [scheme, token, ...rest] = authorization.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw new Problem('unauthorized', 'The Authorization header must be "Bearer" and an API key.')
  }
  return token
}
