/** The SQL of public tokens. `findByHash` is the one lookup that finds its project, not the reverse. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { ProjectRow } from '../../contract/caller.ts'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { PublicTokensTable } from '../../kernel/tables.ts'

export type TokenRow = Selectable<PublicTokensTable>

/** A token with the whole row of its project: who asks, in one round trip. */
export type TokenAndProject = ProjectRow & {
  token_id: string
  token_origins: string[]
  token_revoked_at: Date | null
  token_used_at: Date | null
}

export function findByHash(db: Reader, hash: Buffer): Promise<TokenAndProject | undefined> {
  return db
    .selectFrom('public_tokens')
    .innerJoin('projects', 'projects.id', 'public_tokens.project_id')
    .selectAll('projects')
    .select([
      'public_tokens.id as token_id',
      'public_tokens.allowed_origins as token_origins',
      'public_tokens.revoked_at as token_revoked_at',
      'public_tokens.last_used_at as token_used_at',
    ])
    .where('public_tokens.hash', '=', hash)
    .executeTakeFirst()
}

/** Whether any token that works has this origin: a browser asks before it shows its token. */
export async function someAllows(db: Reader, origin: string): Promise<boolean> {
  const row = await db
    .selectFrom('public_tokens')
    .select('id')
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`allowed_origins @> array[${origin}]::text[]`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function insert(tx: Transaction, row: Insertable<PublicTokensTable>): Promise<TokenRow> {
  return tx.insertInto('public_tokens').values(row).returningAll().executeTakeFirstOrThrow()
}

export function list(db: Reader, project_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('public_tokens')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('id', 'desc')
    .execute()
}

/** The operator names a token by its id alone, on the command line of the machine itself. */
export function revoke(
  tx: Transaction,
  token_id: string,
  now: Date,
): Promise<TokenRow | undefined> {
  return tx
    .updateTable('public_tokens')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, ${now})` })
    .where('id', '=', token_id)
    .returningAll()
    .executeTakeFirst()
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
