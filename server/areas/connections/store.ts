/**
 * SQL of connections and access tokens. `findByToken` is the only query without a project: it finds
 * the project.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { lookup } from '../../kernel/database/lookup.ts'
import type {
  AccessTokensTable,
  ConnectionsTable,
  MembersTable,
} from '../../kernel/database/tables.ts'

export type ConnectionRow = Selectable<ConnectionsTable>
type Member = Selectable<MembersTable>

export interface ConnectionKey {
  project_id: string
  id: string
}

/** An access token with its connection, its person's membership and the row of its project. */
export type AccessTokenRow = ProjectRow & {
  connection_id: string
  connection_mode: ConnectionRow['mode']
  connection_scopes: string[]
  token_scopes: string[]
  connection_access: ConnectionRow['access']
  connection_used_at: Date | null
  connection_revoked_at: Date | null
  token_expires_at: Date
  member_role: Member['role']
  member_access: Member['access']
}

export const findByToken = lookup<Buffer, AccessTokenRow>({
  text: `select w.place::integer, t.*
    from unnest((select $1::bytea[])) with ordinality as w (hash, place)
    cross join lateral (
      select p.*, c.id as connection_id, c.mode as connection_mode,
        c.scopes as connection_scopes, t.scopes as token_scopes, c.access as connection_access,
        c.used_at as connection_used_at, c.revoked_at as connection_revoked_at,
        t.expires_at as token_expires_at, m.role as member_role, m.access as member_access
      from access_tokens as t
        join connections as c on c.project_id = t.project_id and c.id = t.connection_id
        join members as m on m.project_id = c.project_id and m.person_id = c.person_id
        join projects as p on p.id = c.project_id
      where t.hash = w.hash offset 0
    ) as t`,
  parameters: (hashes) => [hashes],
  nameOf: (hash) => hash.toString('latin1'),
})

export async function insert(tx: Transaction, row: Insertable<ConnectionsTable>): Promise<void> {
  await tx.insertInto('connections').values(row).execute()
}

/** Ends a person's connections in a project beyond the newest `keep`, ordered by last use. */
export async function endUnused(
  tx: Transaction,
  { project_id, person_id, keep, now }: Owner & { keep: number; now: Date },
): Promise<void> {
  const kept = tx
    .selectFrom('connections')
    .select('id')
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .where('revoked_at', 'is', null)
    .orderBy(sql`coalesce(used_at, created_at)`, 'desc')
    .limit(keep)
  await tx
    .updateTable('connections')
    .set({ revoked_at: now, revoked_because: 'person' })
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .where('revoked_at', 'is', null)
    .where('id', 'not in', kept)
    .execute()
}

interface Owner {
  project_id: string
  person_id: string
}

/** A connection with the email, role and limits of its person. */
export type ConnectionAndMember = ConnectionRow & {
  email: string
  member_role: Member['role']
  member_access: Member['access']
}

function connections(db: Reader, project_id: string) {
  return db
    .selectFrom('connections as c')
    .innerJoin('members as m', (join) =>
      join.onRef('m.project_id', '=', 'c.project_id').onRef('m.person_id', '=', 'c.person_id'),
    )
    .innerJoin('people', 'people.id', 'c.person_id')
    .innerJoin('projects', 'projects.id', 'c.project_id')
    .selectAll('c')
    .select(['people.email', 'm.role as member_role', 'm.access as member_access'])
    .where('c.project_id', '=', project_id)
    .where('projects.deleted_at', 'is', null)
}

/** Active connections, newest first; `person_id` null means of all people. */
export function list(
  db: Reader,
  { project_id, person_id, now }: { project_id: string; person_id: string | null; now: Date },
): Promise<ConnectionAndMember[]> {
  return connections(db, project_id)
    .where('c.revoked_at', 'is', null)
    .where('c.expires_at', '>', now)
    .$if(person_id !== null, (query) => query.where('c.person_id', '=', person_id ?? ''))
    .orderBy('c.id', 'desc')
    .execute()
}

/** Finds an active connection. */
export function find(
  db: Reader,
  { project_id, id, now }: ConnectionKey & { now: Date },
): Promise<ConnectionAndMember | undefined> {
  return connections(db, project_id)
    .where('c.id', '=', id)
    .where('c.revoked_at', 'is', null)
    .where('c.expires_at', '>', now)
    .executeTakeFirst()
}

/** Locks the row of a connection, also of an ended one. */
export function lock(
  tx: Transaction,
  { project_id, id }: ConnectionKey,
): Promise<ConnectionRow | undefined> {
  return tx
    .selectFrom('connections')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function change(
  tx: Transaction,
  { project_id, id, scopes, access }: ConnectionKey & { scopes: string[]; access: string | null },
): Promise<void> {
  await tx
    .updateTable('connections')
    .set({ scopes, access })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Ends a connection. The first reason is kept. */
export async function end(
  tx: Transaction,
  { project_id, id, because, now }: ConnectionKey & { because: EndReason; now: Date },
): Promise<void> {
  await tx
    .updateTable('connections')
    .set({ revoked_at: now, revoked_because: because })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}

export type EndReason = NonNullable<ConnectionRow['revoked_because']>

export async function setUsed(
  tx: Transaction,
  { project_id, id, now }: ConnectionKey & { now: Date },
): Promise<void> {
  await tx
    .updateTable('connections')
    .set({ used_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export async function insertToken(
  tx: Transaction,
  row: Insertable<AccessTokensTable>,
): Promise<void> {
  await tx.insertInto('access_tokens').values(row).execute()
}

/** Extends a connection to the expiry of its newest credential. */
export async function extendExpiry(
  tx: Transaction,
  { project_id, id, until }: ConnectionKey & { until: Date },
): Promise<void> {
  await tx
    .updateTable('connections')
    .set({ expires_at: sql<Date>`greatest(expires_at, ${until})` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteToken(tx: Transaction, hash: Buffer): Promise<void> {
  await tx.deleteFrom('access_tokens').where('hash', '=', hash).execute()
}

/** Deletes connections that ended before `ended`, and tokens that expired before `now`. */
export async function deleteExpired(
  tx: Transaction,
  { now, ended }: { now: Date; ended: Date },
): Promise<void> {
  await tx.deleteFrom('access_tokens').where('expires_at', '<=', now).execute()
  await tx
    .deleteFrom('connections')
    .where((where) =>
      where.or([where('revoked_at', '<=', ended), where('expires_at', '<=', ended)]),
    )
    .execute()
}
