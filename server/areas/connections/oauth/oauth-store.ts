/** SQL of registered clients and of single-use records: codes, refresh tokens, interactions. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { OauthClientsTable, OauthRecordsTable } from '../../../kernel/database/tables.ts'

export type ClientRow = Selectable<OauthClientsTable>
export type OAuthRecordRow = Selectable<OauthRecordsTable>
export type RecordKind = OAuthRecordRow['kind']

export function findClient(db: Reader, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a client without a secret that was registered with the same metadata after `since`. */
export function findSameClient(
  db: Reader,
  { fingerprint, since }: { fingerprint: Buffer; since: Date },
): Promise<ClientRow | undefined> {
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .where('secret_hash', 'is', null)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

export function insertClient(
  tx: Transaction,
  row: Insertable<OauthClientsTable>,
): Promise<ClientRow> {
  return tx.insertInto('oauth_clients').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function setClientUsed(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx.updateTable('oauth_clients').set({ used_at: now }).where('id', '=', id).execute()
}

/** Upserts a record. An update keeps the original expiry. */
export async function putRecord(
  tx: Transaction,
  row: Insertable<OauthRecordsTable>,
): Promise<void> {
  await tx
    .insertInto('oauth_records')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ sealed: row.sealed }))
    .execute()
}

/** Also finds consumed records, so that a replay is detected. */
export function findRecord(
  db: Reader,
  { hash, kind, now }: { hash: Buffer; kind: RecordKind; now: Date },
): Promise<OAuthRecordRow | undefined> {
  return db
    .selectFrom('oauth_records')
    .selectAll()
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where((where) =>
      where.or([where('expires_at', '>', now), where('consumed_at', 'is not', null)]),
    )
    .executeTakeFirst()
}

/**
 * Consumes a record. Exactly one of several concurrent callers gets it; the others get undefined.
 */
export function consumeRecord(
  tx: Transaction,
  { hash, kind, now }: { hash: Buffer; kind: RecordKind; now: Date },
): Promise<OAuthRecordRow | undefined> {
  return tx
    .updateTable('oauth_records')
    .set({ consumed_at: now })
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteRecord(
  tx: Transaction,
  { hash, kind }: { hash: Buffer; kind: RecordKind },
): Promise<void> {
  await tx.deleteFrom('oauth_records').where('hash', '=', hash).where('kind', '=', kind).execute()
}

/** Deletes expired records. Consumed ones are kept until `used_before`, to detect replays. */
export async function deleteExpiredRecords(
  tx: Transaction,
  { now, used_before }: { now: Date; used_before: Date },
): Promise<void> {
  await tx
    .deleteFrom('oauth_records')
    .where('expires_at', '<=', now)
    .where((where) =>
      where.or([where('consumed_at', 'is', null), where('consumed_at', '<=', used_before)]),
    )
    .execute()
}

/** Deletes clients without a connection that were registered before `before`. */
export async function deleteUnusedClients(tx: Transaction, before: Date): Promise<void> {
  await tx
    .deleteFrom('oauth_clients')
    .where('created_at', '<=', before)
    .where((where) => where.or([where('used_at', 'is', null), where('used_at', '<=', before)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('connections')
            .select('connections.id')
            .whereRef('connections.client_id', '=', 'oauth_clients.id'),
        ),
      ),
    )
    .execute()
}
