/** The SQL of sending domains. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { SendingDomainsTable } from '../../../kernel/database/tables.ts'

export type DomainRow = Selectable<SendingDomainsTable>
export type RecordResult = DomainRow['results'][number]

export interface DomainKey {
  project_id: string
  id: string
}

export function list(
  db: Reader,
  { project_id, count, after }: { project_id: string; count: number; after: string | null },
): Promise<DomainRow[]> {
  return db
    .selectFrom('sending_domains')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export function find(db: Reader, { project_id, id }: DomainKey): Promise<DomainRow | undefined> {
  return db
    .selectFrom('sending_domains')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds the domain of a sender address. A subdomain is a domain of its own. */
export function findByName(
  db: Reader,
  { project_id, domain }: { project_id: string; domain: string },
): Promise<DomainRow | undefined> {
  return db
    .selectFrom('sending_domains')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('domain', '=', domain)
    .executeTakeFirst()
}

/** Whether bounces of a sending domain come to this host. */
export async function isReturnPathHost(db: Reader, host: string): Promise<boolean> {
  const row = await db
    .selectFrom('sending_domains')
    .select('id')
    .where('return_path_host', '=', host)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds the domains of sender addresses. */
export async function listByNames(
  db: Reader,
  { project_id, names }: { project_id: string; names: readonly string[] },
): Promise<DomainRow[]> {
  return db
    .selectFrom('sending_domains')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(sql<boolean>`domain = any(${names}::text[])`)
    .execute()
}

export async function count(db: Reader, project_id: string): Promise<number> {
  const { count: found } = await db
    .selectFrom('sending_domains')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(found)
}

export function insert(tx: Transaction, row: Insertable<SendingDomainsTable>): Promise<DomainRow> {
  return tx.insertInto('sending_domains').values(row).returningAll().executeTakeFirstOrThrow()
}

export function update(
  tx: Transaction,
  { project_id, id, ...changes }: DomainKey & Updateable<SendingDomainsTable>,
): Promise<DomainRow | undefined> {
  return tx
    .updateTable('sending_domains')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function remove(tx: Transaction, { project_id, id }: DomainKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sending_domains')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Emails of the domain that are not delivered yet. */
export async function countWaiting(db: Reader, { project_id, id }: DomainKey): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from email_recipients as r
    join emails as e on e.project_id = r.project_id and e.id = r.email_id
    where r.project_id = ${project_id} and r.next_attempt_at is not null
      and e.sending_domain_id = ${id}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Domains of all projects that are due for a check. */
export function listDue(
  db: Reader,
  {
    verified_before,
    others_before,
    created_after,
    count: most,
  }: { verified_before: Date; others_before: Date; created_after: Date; count: number },
): Promise<DomainRow[]> {
  return db
    .selectFrom('sending_domains')
    .selectAll()
    .where((is) =>
      is.or([
        is('last_checked_at', 'is', null),
        is.and([is('status', '=', 'pending'), is('created_at', '>', created_after)]),
        is.and([is('status', '=', 'verified'), is('last_checked_at', '<=', verified_before)]),
        is.and([is('status', '!=', 'verified'), is('last_checked_at', '<=', others_before)]),
      ]),
    )
    .orderBy('last_checked_at')
    .limit(most)
    .execute()
}
