/** The SQL of suppressed addresses and of recipients that the owner confirmed. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type {
  EmailKnownRecipientsTable,
  EmailSuppressionsTable,
} from '../../../kernel/database/tables.ts'

export type SuppressionRow = Selectable<EmailSuppressionsTable>
export type KnownRow = Selectable<EmailKnownRecipientsTable>

interface ListPage {
  project_id: string
  count: number
  after: string | null
}

export function listSuppressions(db: Reader, page: ListPage): Promise<SuppressionRow[]> {
  return db
    .selectFrom('email_suppressions')
    .selectAll()
    .where('project_id', '=', page.project_id)
    .$if(page.after !== null, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.count)
    .execute()
}

export async function countSuppressions(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('email_suppressions')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the row that was there before, or the new one. */
export async function insertSuppression(
  tx: Transaction,
  row: Insertable<EmailSuppressionsTable>,
): Promise<SuppressionRow> {
  await tx
    .insertInto('email_suppressions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
    .execute()
  return tx
    .selectFrom('email_suppressions')
    .selectAll()
    .where('project_id', '=', row.project_id)
    .where('address', '=', row.address)
    .executeTakeFirstOrThrow()
}

export async function removeSuppression(
  tx: Transaction,
  { project_id, address }: { project_id: string; address: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('email_suppressions')
    .where('project_id', '=', project_id)
    .where('address', '=', address)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The suppressed ones of these addresses, with the reason. */
export async function findSuppressed(
  db: Reader,
  { project_id, addresses }: { project_id: string; addresses: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('email_suppressions')
    .select(['address', 'reason'])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`address = any(${addresses}::text[])`)
    .execute()
  return new Map(rows.map(({ address, reason }) => [address, reason]))
}

export function listKnown(db: Reader, page: ListPage): Promise<KnownRow[]> {
  return db
    .selectFrom('email_known_recipients')
    .selectAll()
    .where('project_id', '=', page.project_id)
    .$if(page.after !== null, (query) => query.where('id', '<', page.after!))
    .orderBy('id', 'desc')
    .limit(page.count)
    .execute()
}

export async function countKnown(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('email_known_recipients')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Those that the owner did not confirm yet. */
export async function countWaiting(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('email_known_recipients')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where('status', '=', 'pending_owner')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the row that was there before, or the new one. */
export async function insertKnown(
  tx: Transaction,
  row: Insertable<EmailKnownRecipientsTable>,
): Promise<KnownRow> {
  await tx
    .insertInto('email_known_recipients')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing())
    .execute()
  return tx
    .selectFrom('email_known_recipients')
    .selectAll()
    .where('project_id', '=', row.project_id)
    .where('address', '=', row.address)
    .executeTakeFirstOrThrow()
}

export function confirmKnown(
  tx: Transaction,
  { project_id, id, by, now }: { project_id: string; id: string; by: string; now: Date },
): Promise<KnownRow | undefined> {
  return tx
    .updateTable('email_known_recipients')
    .set({ status: 'confirmed', confirmed_at: now, confirmed_by: by })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function removeKnown(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('email_known_recipients')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The confirmed ones of these addresses. */
export async function findConfirmed(
  db: Reader,
  { project_id, addresses }: { project_id: string; addresses: readonly string[] },
): Promise<string[]> {
  const rows = await db
    .selectFrom('email_known_recipients')
    .select('address')
    .where('project_id', '=', project_id)
    .where('status', '=', 'confirmed')
    .where(sql<boolean>`address = any(${addresses}::text[])`)
    .execute()
  return rows.map(({ address }) => address)
}
