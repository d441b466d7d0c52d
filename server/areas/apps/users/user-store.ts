/** SQL of the users of apps, their codes and sessions. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { AppCodesTable, AppUsersTable } from '../../../kernel/database/tables.ts'

export type UserRow = Selectable<AppUsersTable>
export type CodeRow = Selectable<AppCodesTable>

export interface OfApp {
  project_id: string
  app_id: string
}

/** Serializes what happens to the codes of an address until the transaction ends. */
export async function lockEmail(tx: Transaction, { app_id }: OfApp, email: string): Promise<void> {
  const key = `code of ${app_id} ${email}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export function findCode(
  tx: Transaction,
  { project_id, app_id }: OfApp,
  email: string,
): Promise<CodeRow | undefined> {
  return tx
    .selectFrom('app_codes')
    .selectAll()
    .where((of) => of.and({ project_id, app_id, email }))
    .executeTakeFirst()
}

export async function putCode(tx: Transaction, row: CodeRow): Promise<void> {
  const { project_id, app_id, email, ...change } = row
  await tx
    .insertInto('app_codes')
    .values({ project_id, app_id, email, ...change })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'app_id', 'email']).doUpdateSet(change),
    )
    .execute()
}

export async function findUser(
  db: Reader,
  { project_id, app_id }: OfApp,
  by: { email: string } | { id: string },
): Promise<UserRow | undefined> {
  return db
    .selectFrom('app_users')
    .selectAll()
    .where((of) => of.and({ project_id, app_id }))
    .$if('email' in by, (query) => query.where('email', '=', 'email' in by ? by.email : ''))
    .$if('id' in by, (query) => query.where('id', '=', 'id' in by ? by.id : ''))
    .executeTakeFirst()
}

export function putUser(
  tx: Transaction,
  row: Pick<UserRow, 'project_id' | 'app_id' | 'id' | 'email'> & { now: Date },
): Promise<UserRow> {
  const { now, ...key } = row
  return tx
    .insertInto('app_users')
    .values({ ...key, created_at: now, last_seen_at: now })
    .onConflict((conflict) =>
      conflict.columns(['email', 'app_id', 'project_id']).doUpdateSet({ last_seen_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Records a sign-in. Returns undefined for a blocked or deleted user. The row is locked from then on. */
export function admitUser(
  tx: Transaction,
  { project_id, app_id, id, now }: OfApp & { id: string; now: Date },
): Promise<UserRow | undefined> {
  return tx
    .updateTable('app_users')
    .set({ last_seen_at: now })
    .where((of) => of.and({ project_id, app_id, id }))
    .where('blocked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function setPassword(
  tx: Transaction,
  { project_id, app_id, id, password_hash }: OfApp & { id: string; password_hash: string },
): Promise<void> {
  await tx
    .updateTable('app_users')
    .set({ password_hash })
    .where((of) => of.and({ project_id, app_id, id }))
    .execute()
}

export function setBlocked(
  tx: Transaction,
  { project_id, app_id, id }: OfApp & { id: string },
  blocked_at: Date | null,
): Promise<UserRow | undefined> {
  return tx
    .updateTable('app_users')
    .set({ blocked_at })
    .where((of) => of.and({ project_id, app_id, id }))
    .returningAll()
    .executeTakeFirst()
}

export type ListedUser = UserRow & { passkeys: number }

export function listUsers(
  db: Reader,
  { project_id, app_id, count, after }: OfApp & { count: number; after: string | null },
): Promise<ListedUser[]> {
  return db
    .selectFrom('app_users as u')
    .selectAll()
    .select(
      sql<number>`(select count(*)::integer from app_passkeys as p where p.project_id = u.project_id
        and p.app_id = u.app_id and p.user_id = u.id)`.as('passkeys'),
    )
    .where((of) => of.and({ project_id, app_id }))
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export async function insertSession(
  tx: Transaction,
  row: OfApp & { hash: Buffer; user_id: string; opened_at: Date; expires_at: Date },
): Promise<void> {
  await tx.insertInto('app_sessions').values(row).execute()
}

/** The user of a session that has not expired, and when it began. */
export function findSessionUser(
  db: Reader,
  { project_id, app_id, hash, now }: OfApp & { hash: Buffer; now: Date },
): Promise<(UserRow & { opened_at: Date | null }) | undefined> {
  return db
    .selectFrom('app_sessions as s')
    .innerJoin('app_users as u', (join) =>
      join
        .onRef('u.project_id', '=', 's.project_id')
        .onRef('u.app_id', '=', 's.app_id')
        .onRef('u.id', '=', 's.user_id'),
    )
    .selectAll('u')
    .select('s.opened_at')
    .where('s.project_id', '=', project_id)
    .where('s.app_id', '=', app_id)
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', now)
    .where('u.blocked_at', 'is', null)
    .executeTakeFirst()
}

export async function deleteSessions(
  tx: Transaction,
  { project_id, app_id }: OfApp,
  of: { hash: Buffer } | { user_id: string; but?: Buffer },
): Promise<void> {
  const query = tx.deleteFrom('app_sessions').where((at) => at.and({ project_id, app_id }))
  if ('hash' in of) await query.where('hash', '=', of.hash).execute()
  else
    await query
      .where('user_id', '=', of.user_id)
      .$if(of.but !== undefined, (all) => all.where('hash', '<>', of.but ?? Buffer.of()))
      .execute()
}

export async function deleteExpired(tx: Transaction, now: Date): Promise<void> {
  await tx.deleteFrom('app_sessions').where('expires_at', '<', now).execute()
  const a_day_ago = new Date(now.getTime() - 86_400_000)
  await tx.deleteFrom('app_codes').where('expires_at', '<', a_day_ago).execute()
}

/** In all apps of the project. */
export function listByEmail(db: Reader, project_id: string, email: string): Promise<UserRow[]> {
  return db
    .selectFrom('app_users')
    .selectAll()
    .where((of) => of.and({ project_id, email }))
    .execute()
}

/** Returns those of the addresses, given in lower case, that signed in to an app of the project. */
export async function findUserAddresses(
  db: Reader,
  { project_id, addresses }: { project_id: string; addresses: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('app_users')
    .select('email')
    .distinct()
    .where('project_id', '=', project_id)
    .where('email', '=', sql<string>`any(${addresses}::text[])`)
    .execute()
  return rows.map(({ email }) => email)
}

/** Deletes users with their sessions and codes. Returns their number. */
export async function deleteUsers(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<number> {
  const gone = await tx
    .deleteFrom('app_users')
    .where('project_id', '=', project_id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(['app_id', 'email'])
    .execute()
  for (const { app_id, email } of gone) {
    await tx
      .deleteFrom('app_codes')
      .where('project_id', '=', project_id)
      .where('app_id', '=', app_id)
      .where('email', '=', email)
      .execute()
  }
  return gone.length
}
