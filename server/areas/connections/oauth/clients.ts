/**
 * Dynamic client registration (RFC 7591). Many clients register again at each attempt: identical
 * metadata within a few minutes returns the same client. Unused clients are deleted.
 */
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isUuid, newId } from '../../../kernel/values/ids.ts'
import { readClientMetadata, type ClientMetadata } from './client-metadata.ts'
import * as store from './oauth-store.ts'
import { newClientSecretText } from '../token-formats.ts'

export interface RegisteredClient {
  id: string
  metadata: ClientMetadata
  created_at: Date
  /** The secret, which only this reply contains; null if the client has none. */
  secret: string | null
}

/**
 * Registers a client. `admit` is called before an insert and may throw, for example on a rate
 * limit.
 */
export async function registerClient(
  runtime: Runtime,
  given: unknown,
  admit: () => void,
): Promise<RegisteredClient> {
  const metadata = readClientMetadata(given)
  const text = JSON.stringify(metadata)
  const fingerprint = sha256(text)
  const now = runtime.clock.now()
  const since = new Date(now.getTime() - limits.oauth_registration_repeated_s * 1000)
  const known = await store.findSameClient(runtime.db, { fingerprint, since })
  if (known) return { id: known.id, metadata, created_at: known.created_at, secret: null }
  admit()
  const keepsSecrets = metadata.token_endpoint_auth_method !== 'none'
  const secret = keepsSecrets ? newClientSecretText() : null
  const row = {
    id: newId(runtime.clock),
    fingerprint,
    metadata: text,
    secret_hash: secret === null ? null : sha256(secret),
    created_at: now,
  }
  await runtime.db.transact((tx) => store.insertClient(tx, row))
  return { id: row.id, metadata, created_at: now, secret }
}

export interface KnownClient {
  metadata: ClientMetadata
  secret_hash: Buffer | null
}

/** Finds a registered client; undefined if the id is unknown or not a UUID. */
export async function findClient(db: Reader, id: string): Promise<KnownClient | undefined> {
  if (!isUuid(id)) return undefined
  const row = await store.findClient(db, id)
  return row && { metadata: row.metadata, secret_hash: row.secret_hash }
}
