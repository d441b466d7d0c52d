/** Keys by the thousand, written straight into the table: one key may ask 120 times a minute. */
import type pg from 'pg'
import { newKeyText, startOf } from '../../server/areas/keys/text.ts'
import { scopeNames } from '../../server/contract/scopes.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { sha256 } from '../../server/kernel/secrets/crypto.ts'
import { newId } from '../../server/kernel/values/ids.ts'

export async function addKeys(
  client: pg.Client,
  project_id: string,
  count: number,
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => newKeyText('test'))
  await client.query(
    `insert into api_keys (id, project_id, hash, start, name, mode, scopes, created_at)
     select id, $1, hash, start, 'bench', 'test', $2, now()
     from unnest($3::uuid[], $4::bytea[], $5::text[]) as k(id, hash, start)`,
    [
      project_id,
      scopeNames,
      keys.map(() => newId(systemClock)),
      keys.map(sha256),
      keys.map(startOf),
    ],
  )
  return keys
}

/** The headers of requests that take turns with the keys. */
export function bearers(keys: readonly string[]) {
  return keys.map((key) => ({ authorization: `Bearer ${key}` }))
}
