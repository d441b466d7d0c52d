/**
 * The SQL of API keys. `findByHash` is the only lookup without a project, because it finds the
 * project.
 */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { lookup } from '../../kernel/database/lookup.ts'
import type { ApiKeysTable, MembersTable } from '../../kernel/database/tables.ts'

export type KeyRow = Selectable<ApiKeysTable>

/** A key with the row of its project, read in one round trip. */
export type KeyAndProject = ProjectRow & {
  key_id: string
  key_name: string
  key_mode: KeyRow['mode']
  /** With a space between. */
  key_scopes: string
  key_access: KeyRow['access']
  key_revoked_at: Date | null
  key_expires_at: Date | null
}

const keyColumns = `k.id as key_id, k.name as key_name, k.mode as key_mode,
  array_to_string(k.scopes, ' ') as key_scopes, k.access as key_access, k.revoked_at as key_revoked_at,
  k.expires_at as key_expires_at`

/** Every request authenticates with this query, so concurrent requests share a statement. */
export const findByHash = lookup<Buffer, KeyAndProject>({
  text: `select w.place::integer, k.*
    from unnest((select $1::bytea[])) with ordinality as w (hash, place)
    cross join lateral (
      select p.*, ${keyColumns} from api_keys as k join projects as p on p.id = k.project_id
      where k.hash = w.hash offset 0
    ) as k`,
  parameters: (hashes) => [hashes],
  nameOf: (hash) => hash.toString('latin1'),
})

export async function findById(
  db: Reader,
  { project_id, id }: { project_id: string; id: string },
): Promise<KeyAndProject | undefined> {
  const { rows } = await sql<KeyAndProject>`
    select p.*, ${sql.raw(keyColumns)}
    from api_keys as k join projects as p on p.id = k.project_id
    where k.project_id = ${project_id} and k.id = ${id}
  `.execute(db)
  return rows[0]
}

/** The number of keys that are neither revoked nor expired. */
export async function countUsable(
  db: Reader,
  { project_id, now }: { project_id: string; now: Date },
): Promise<number> {
  const { keys } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('keys'))
    .where('project_id', '=', project_id)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(keys)
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

/** A key as people see it, with the email address of its creator. */
export type KeyWithMaker = KeyRow & { maker_email: string | null }

export interface KeyFilter {
  project_id: string
  /** Only keys created by this person; null for all of the project. */
  made_by: string | null
}

function keysOfPeople(db: Reader, { project_id, made_by }: KeyFilter) {
  return db
    .selectFrom('api_keys')
    .leftJoin('people', 'people.id', 'api_keys.created_by')
    .selectAll('api_keys')
    .select('people.email as maker_email')
    .where('api_keys.project_id', '=', project_id)
    .$if(made_by !== null, (query) => query.where('api_keys.created_by', '=', made_by))
}

export function listKeysWithMaker(db: Reader, which: KeyFilter): Promise<KeyWithMaker[]> {
  return keysOfPeople(db, which).orderBy('api_keys.id', 'desc').execute()
}

/** Locks the row of a key until the transaction ends. */
export function lockKeyWithMaker(
  tx: Transaction,
  { id, ...which }: KeyFilter & { id: string },
): Promise<KeyWithMaker | undefined> {
  return keysOfPeople(tx, which)
    .where('api_keys.id', '=', id)
    .forUpdate('api_keys')
    .executeTakeFirst()
}

type Maker = Pick<Selectable<MembersTable>, 'role' | 'access'>

/**
 * Reads and locks a key's creator: a concurrent change of their limits waits and then includes the
 * key.
 */
export function lockMaker(
  tx: Transaction,
  { project_id, person_id }: { project_id: string; person_id: string },
): Promise<Maker | undefined> {
  return tx
    .selectFrom('members')
    .select(['role', 'access'])
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .forShare()
    .executeTakeFirst()
}

/** Reads and locks the keys that a person created. */
export function lockKeysOfMaker(
  tx: Transaction,
  { project_id, person_id }: { project_id: string; person_id: string },
): Promise<Pick<KeyRow, 'id' | 'own_access'>[]> {
  return tx
    .selectFrom('api_keys')
    .select(['id', 'own_access'])
    .where('project_id', '=', project_id)
    .where('created_by', '=', person_id)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function change(
  tx: Transaction,
  { project_id, id, ...changed }: Updateable<ApiKeysTable> & { project_id: string; id: string },
): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set(changed)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Revokes by key id alone, for the operator's command line. */
export function revoke(tx: Transaction, key_id: string, now: Date): Promise<KeyRow | undefined> {
  return tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', '=', key_id)
    .returningAll()
    .executeTakeFirst()
}
