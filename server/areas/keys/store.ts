/** The SQL of API keys. `findByHash` is the one lookup that finds its project, not the reverse. */
import { sql, type CompiledQuery, type Insertable, type Selectable } from 'kysely'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { ApiKeysTable } from '../../kernel/tables.ts'

export type KeyRow = Selectable<ApiKeysTable>

/** A key with the whole row of its project: all that settling who asks needs, in one round trip. */
export type KeyAndProject = ProjectRow & {
  key_id: string
  key_mode: KeyRow['mode']
  /** Separated by spaces: an array costs more to read than everything else here. */
  key_scopes: string
  key_access: KeyRow['access']
  key_revoked_at: Date | null
}

// Every request begins with this query, so its text is made once.
let findByHashQuery: CompiledQuery<KeyAndProject> | null = null

export async function findByHash(db: Reader, hash: Buffer): Promise<KeyAndProject | undefined> {
  findByHashQuery ??= compileFindByHash(db, hash)
  const { rows } = await db.executeQuery<KeyAndProject>({ ...findByHashQuery, parameters: [hash] })
  return rows[0]
}

function compileFindByHash(db: Reader, hash: Buffer): CompiledQuery<KeyAndProject> {
  return db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .selectAll('projects')
    .select([
      'api_keys.id as key_id',
      'api_keys.mode as key_mode',
      sql<string>`array_to_string(api_keys.scopes, ' ')`.as('key_scopes'),
      'api_keys.access as key_access',
      'api_keys.revoked_at as key_revoked_at',
    ])
    .where('api_keys.hash', '=', hash)
    .compile()
}

export function insert(tx: Transaction, row: Insertable<ApiKeysTable>): Promise<KeyRow> {
  return tx.insertInto('api_keys').values(row).returningAll().executeTakeFirstOrThrow()
}

export function list(db: Reader, project_id: string): Promise<KeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .execute()
}

/** The operator names a key by its id alone, on the command line of the machine itself. */
export function revoke(tx: Transaction, key_id: string, now: Date): Promise<KeyRow | undefined> {
  return tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', '=', key_id)
    .returningAll()
    .executeTakeFirst()
}
