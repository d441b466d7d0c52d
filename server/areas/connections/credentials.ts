/**
 * Credentials of a connection: authorization codes and refresh tokens, each used once, and access
 * tokens. They are stored as SHA-256; their payload is sealed. A second use of a code, or a later
 * use of a refresh token, indicates theft and ends the connection.
 */
import { limits } from '../../contract/limits.ts'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { SealedColumn } from '../../kernel/database/sealed/sealed-columns.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import * as people from '../people/service.ts'
import * as records from './oauth/oauth-store.ts'
import * as store from './store.ts'

/** Returns the grant id for the authorization server: `project_id.connection_id`. */
export function toGrantId({ project_id, id }: store.ConnectionKey): string {
  return `${project_id}.${id}`
}

function keyOf(grant_id: string): store.ConnectionKey | null {
  const [project_id = '', id = '', ...rest] = grant_id.split('.')
  return isUuid(project_id) && isUuid(id) && rest.length === 0 ? { project_id, id } : null
}

export interface Grant {
  person_id: string
  client_id: string
  scopes: Scope[]
}

/**
 * Returns the current permissions of a grant; undefined if it has ended or its person has left the
 * team.
 */
export async function findGrant(runtime: Runtime, grant_id: string): Promise<Grant | undefined> {
  const key = keyOf(grant_id)
  const row = key && (await store.find(runtime.db, { ...key, now: runtime.clock.now() }))
  if (!row) return undefined
  const may = people.listScopes(row.member_role)
  const scopes = row.scopes.filter(isScope).filter((scope) => may.has(scope))
  return { person_id: row.person_id, client_id: row.client_id, scopes }
}

export async function endGrant(
  runtime: Runtime,
  grant_id: string,
  because: store.EndReason,
): Promise<void> {
  const key = keyOf(grant_id)
  if (!key) return
  await runtime.db.transact((tx) => store.end(tx, { ...key, because, now: runtime.clock.now() }))
}

export interface CredentialKey {
  kind: records.RecordKind
  /** The code or token as the client sends it. */
  name: string
}

export interface NewCredential extends CredentialKey {
  grant_id: string | null
  /** JSON text. */
  payload: string
  lasts_s: number
}

export async function storeCredential(
  tx: Transaction,
  runtime: Runtime,
  { kind, name, grant_id, payload, lasts_s }: NewCredential,
): Promise<true> {
  const key = grant_id === null ? null : keyOf(grant_id)
  const expires_at = inSeconds(runtime, lasts_s)
  await records.putRecord(tx, {
    hash: sha256(name),
    kind,
    project_id: key?.project_id ?? null,
    connection_id: key?.id ?? null,
    sealed: runtime.seal.seal(payload, purposes[kind]),
    expires_at,
  })
  if (key) await store.extendExpiry(tx, { ...key, until: expires_at })
  return true
}

const purposes = {
  code: 'oauth:code',
  refresh_token: 'oauth:refresh_token',
  interaction: 'oauth:interaction',
} as const satisfies Record<records.RecordKind, string>

export const sealedRecords: SealedColumn = {
  table: 'oauth_records',
  column: 'sealed',
  reads: ['kind'],
  purpose: ({ kind = '' }) => `oauth:${kind}`,
}

export interface StoredCredential {
  payload: string
  /** Whether a further use is a replay. */
  was_used: boolean
}

export async function findCredential(
  runtime: Runtime,
  { kind, name }: CredentialKey,
): Promise<StoredCredential | undefined> {
  const wanted = { hash: sha256(name), kind, now: runtime.clock.now() }
  const row = await records.findRecord(runtime.db, wanted)
  if (!row) return undefined
  const payload = opened(runtime, row)
  return payload === null ? undefined : { payload, was_used: isReplayed(runtime, row) }
}

/**
 * Whether a use of a record is a replay. A refresh token may be used again for a short time, because
 * its client may have lost the reply, or may have sent two requests at once.
 */
function isReplayed(
  { clock }: Runtime,
  { kind, consumed_at }: Pick<records.OAuthRecordRow, 'kind' | 'consumed_at'>,
): boolean {
  if (consumed_at === null) return false
  const repeatable_s = kind === 'refresh_token' ? limits.refresh_token_repeatable_s : 0
  return clock.now_ms() - consumed_at.getTime() > repeatable_s * 1000
}

/**
 * Decrypts the payload of a credential. Returns null if it was encrypted under another master key;
 * the person has to connect again.
 */
function opened(runtime: Runtime, { sealed, kind }: records.OAuthRecordRow): string | null {
  try {
    return runtime.seal.open(sealed, purposes[kind])
  } catch (error) {
    runtime.log.warn({ err: error, kind }, 'a record of a connection could not be opened')
    return null
  }
}

/** Consumes a code or refresh token. Returns false for a replay; the connection ends then. */
export async function consumeCredential(
  tx: Transaction,
  runtime: Runtime,
  { kind, name }: CredentialKey,
): Promise<boolean> {
  const now = runtime.clock.now()
  const hash = sha256(name)
  if (await records.consumeRecord(tx, { hash, kind, now })) return true
  const row = await records.findRecord(tx, { hash, kind, now })
  if (row && !isReplayed(runtime, row)) return true
  if (row?.connection_id && row.project_id) {
    const key = { project_id: row.project_id, id: row.connection_id }
    await store.end(tx, { ...key, because: 'replay', now })
  }
  return false
}

export async function deleteCredential(
  runtime: Runtime,
  { kind, name }: CredentialKey,
): Promise<void> {
  await runtime.db.transact((tx) => records.deleteRecord(tx, { hash: sha256(name), kind }))
}

export interface NewAccessToken {
  token: string
  grant_id: string
  scopes: readonly Scope[]
}

/** Stores the hash of an access token. */
export async function storeAccessToken(
  tx: Transaction,
  runtime: Runtime,
  { token, grant_id, scopes }: NewAccessToken,
): Promise<true> {
  const key = keyOf(grant_id)
  if (!key) throw new Error('An access token is of a connection.')
  const expires_at = inSeconds(runtime, limits.access_token_s)
  const { project_id, id: connection_id } = key
  await store.insertToken(tx, {
    hash: sha256(token),
    project_id,
    connection_id,
    scopes: [...scopes],
    created_at: runtime.clock.now(),
    expires_at,
  })
  await store.extendExpiry(tx, { ...key, until: expires_at })
  return true
}

/** Finds the grant of an access token; undefined if the token is unknown or the grant has ended. */
export async function findAccessToken(
  runtime: Runtime,
  token: string,
): Promise<(Grant & { grant_id: string }) | undefined> {
  const found = await store.findByToken(runtime.db, sha256(token))
  if (!found) return undefined
  const grant_id = toGrantId({ project_id: found.id, id: found.connection_id })
  const grant = await findGrant(runtime, grant_id)
  return grant && { ...grant, grant_id }
}

export async function deleteAccessToken(runtime: Runtime, token: string): Promise<void> {
  await runtime.db.transact((tx) => store.deleteToken(tx, sha256(token)))
}

function inSeconds({ clock }: Runtime, seconds: number): Date {
  return new Date(clock.now_ms() + seconds * 1000)
}
