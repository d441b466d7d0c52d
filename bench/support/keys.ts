/** Inserts thousands of API keys with SQL: the limit of a key is 120 requests a minute. */
import type pg from 'pg'
import { newKeyText, tokenStart } from '../../server/areas/keys/text.ts'
import { scopeNames } from '../../server/contract/scopes.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { sha256 } from '../../server/kernel/secrets/crypto.ts'
import { newId } from '../../server/kernel/values/ids.ts'

export function addKeys(client: pg.Client, project_id: string, count: number): Promise<string[]> {
  return addKeysOf(
    client,
    Array.from({ length: count }, () => project_id),
  )
}

/** Adds a key for each item of `project_ids` and returns the keys in that order. */
export async function addKeysOf(
  client: pg.Client,
  project_ids: readonly string[],
): Promise<string[]> {
  const keys = project_ids.map(() => newKeyText('test'))
  await client.query(
    `insert into api_keys (id, project_id, hash, start, name, mode, scopes, created_at)
     select id, project_id, hash, start, 'bench', 'test', $2, now()
     from unnest($1::uuid[], $3::uuid[], $4::bytea[], $5::text[]) as k(project_id, id, hash, start)`,
    [
      project_ids,
      scopeNames,
      keys.map(() => newId(systemClock)),
      keys.map(sha256),
      keys.map(tokenStart),
    ],
  )
  return keys
}

/** One Authorization header for each key or access token. */
export function bearers(keys: readonly string[]) {
  return keys.map((key) => ({ authorization: `Bearer ${key}` }))
}
