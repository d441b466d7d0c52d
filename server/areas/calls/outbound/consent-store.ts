/** The SQL of consents to marketing calls, and of the daily count of outbound calls. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { CallConsentsTable } from '../../../kernel/database/tables.ts'

export type ConsentRow = Selectable<CallConsentsTable>

/** Repeating it keeps the first record. */
export function insertConsent(tx: Transaction, row: ConsentRow): Promise<ConsentRow> {
  return tx
    .insertInto('call_consents')
    .values(row)
    .onConflict((conflict) =>
      // An update that changes nothing, so that the row is returned.
      conflict.columns(['project_id', 'test', 'phone']).doUpdateSet({ phone: row.phone }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface Mode {
  project_id: string
  test: boolean
}

export async function hasConsent(
  db: Reader,
  { project_id, test, phone }: Mode & { phone: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('call_consents')
    .select('id')
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('phone', '=', phone)
    .executeTakeFirst()
  return row !== undefined
}

export function listConsents(
  db: Reader,
  { project_id, test, count, after }: Mode & { count: number; after: string | null },
): Promise<ConsentRow[]> {
  return db
    .selectFrom('call_consents')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

export async function removeConsent(
  tx: Transaction,
  { project_id, test, id }: Mode & { id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('call_consents')
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

interface CountedDay {
  project_id: string
  test: boolean
  day: string
  calls_max: number
}

/** Counts a call of the day. Returns false if the day had its maximum before. Locks the count. */
export async function countCall(
  tx: Transaction,
  { project_id, test, day, calls_max }: CountedDay,
): Promise<boolean> {
  const { rows } = await sql`
    insert into call_days as used (project_id, test, day, calls)
    values (${project_id}, ${test}, ${day}, 1)
    on conflict (project_id, test) do update set
      day = excluded.day,
      calls = case when used.day = excluded.day then used.calls + 1 else 1 end
    where used.day <> excluded.day or used.calls < ${calls_max}
    returning calls`.execute(tx)
  return rows.length > 0
}
