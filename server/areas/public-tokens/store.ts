/** SQL of public tokens. `findByHash` is the only query without a project: it finds the project. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { PublicTokensTable } from '../../kernel/database/tables.ts'

export type TokenRow = Selectable<PublicTokensTable>

/** A token joined with its project row, so authentication takes one round trip. */
export type PublicTokenRow = ProjectRow & {
  token_id: string
  token_site_id: string | null
  token_origins: string[]
  token_revoked_at: Date | null
  token_used_at: Date | null
}

export function findByHash(db: Reader, hash: Buffer): Promise<PublicTokenRow | undefined> {
  return db
    .selectFrom('public_tokens')
    .innerJoin('projects', 'projects.id', 'public_tokens.project_id')
    .selectAll('projects')
    .select([
      'public_tokens.id as token_id',
      'public_tokens.site_id as token_site_id',
      'public_tokens.allowed_origins as token_origins',
      'public_tokens.revoked_at as token_revoked_at',
      'public_tokens.last_used_at as token_used_at',
    ])
    .where('public_tokens.hash', '=', hash)
    .executeTakeFirst()
}

/** Whether any active token has one of these entries in its allowed origins. */
export async function anyTokenAllows(db: Reader, entries: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('public_tokens')
    .select('id')
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`allowed_origins && ${entries}::text[]`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insert(tx: Transaction, row: Insertable<PublicTokensTable>): Promise<TokenRow> {
  return tx.insertInto('public_tokens').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function insertIfMissing(
  tx: Transaction,
  row: Insertable<PublicTokensTable>,
): Promise<void> {
  await tx
    .insertInto('public_tokens')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

interface SiteOfToken {
  project_id: string
  site_id: string
}

export async function countRevokedOfSite(
  db: Reader,
  { project_id, site_id }: SiteOfToken,
): Promise<number> {
  const { count } = await db
    .selectFrom('public_tokens')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where('site_id', '=', site_id)
    .where('revoked_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function revokeOfSite(
  tx: Transaction,
  { project_id, site_id, now }: SiteOfToken & { now: Date },
): Promise<void> {
  await tx
    .updateTable('public_tokens')
    .set({ revoked_at: now })
    .where('project_id', '=', project_id)
    .where('site_id', '=', site_id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Updates active tokens only. Does not duplicate an origin that a token has already. */
export async function replaceOrigin(
  tx: Transaction,
  { project_id, from, to }: { project_id: string; from: string; to: string },
): Promise<void> {
  await sql`
    update public_tokens
      set allowed_origins = array_replace(array_remove(allowed_origins, ${to}::text), ${from}::text, ${to}::text)
      where project_id = ${project_id} and revoked_at is null
        and allowed_origins @> array[${from}]::text[]`.execute(tx)
}

/** Finds tokens of the project by their hashes, in hexadecimal. */
export function findByHashes(
  db: Reader,
  project_id: string,
  hashes: readonly string[],
): Promise<TokenRow[]> {
  return db
    .selectFrom('public_tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`encode(hash, 'hex') = any(${hashes}::text[])`)
    .execute()
}

export function list(db: Reader, project_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('public_tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .execute()
}

export function listPage(
  db: Reader,
  page: {
    project_id: string
    count: number
    after: string | null
    /** Only tokens of these sites; null: all tokens of the project. */
    sites: readonly string[] | null
  },
): Promise<TokenRow[]> {
  const { project_id, count, after, sites } = page
  return db
    .selectFrom('public_tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after ?? ''))
    .$if(sites !== null, (query) => query.where(sql<boolean>`site_id = any(${sites}::uuid[])`))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export interface TokenKey {
  project_id: string
  id: string
}

export function find(db: Reader, { project_id, id }: TokenKey): Promise<TokenRow | undefined> {
  return db
    .selectFrom('public_tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function countActive(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('public_tokens')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns undefined if the token does not exist or is revoked. */
export function change(
  tx: Transaction,
  { project_id, id }: TokenKey,
  { changes, theme }: { changes: Updateable<PublicTokensTable>; theme: object | undefined },
): Promise<TokenRow | undefined> {
  return tx
    .updateTable('public_tokens')
    .set({
      ...changes,
      theme: sql<string>`theme || ${JSON.stringify(theme ?? {})}::jsonb`,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Keeps the time of the first revocation. Returns undefined if the token does not exist. */
export function revoke(
  tx: Transaction,
  { project_id, id, now }: TokenKey & { now: Date },
): Promise<TokenRow | undefined> {
  return tx
    .updateTable('public_tokens')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the project of a token, for the command line, which names a token by its id alone. */
export async function findProjectOfToken(
  db: Reader,
  token_id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('public_tokens')
    .select('project_id')
    .where('id', '=', token_id)
    .executeTakeFirst()
  return row?.project_id
}

export async function setUsed(
  tx: Transaction,
  { project_id, token_id, now }: { project_id: string; token_id: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('public_tokens')
    .set({ last_used_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', token_id)
    .execute()
}
