/**
 * The SQL of phone numbers. Released numbers stay as rows, because calls refer to them; lookups
 * omit them.
 */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { NumbersTable } from '../../kernel/database/tables.ts'

export type NumberRow = Selectable<NumbersTable>

export function list(db: Reader, project_id: string): Promise<NumberRow[]> {
  return db
    .selectFrom('numbers')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('released_at', 'is', null)
    .orderBy('id')
    .execute()
}

export function find(db: Reader, project_id: string, id: string): Promise<NumberRow | undefined> {
  return db
    .selectFrom('numbers')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the project with a live number; null if there is none. */
export async function findOwner(db: Reader, e164: string): Promise<string | null> {
  const row = await db
    .selectFrom('numbers as n')
    .innerJoin('projects as p', 'p.id', 'n.project_id')
    .select('n.project_id')
    .where('n.e164', '=', e164)
    .where('n.released_at', 'is', null)
    .where('n.test', '=', false)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.project_id ?? null
}

/** Reads a number and locks its row until the transaction ends; undefined if it is released. */
export function lockNumber(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
): Promise<NumberRow | undefined> {
  return tx
    .selectFrom('numbers')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export type DueNumber = Pick<NumberRow, 'project_id' | 'id' | 'next_charge_on'>

/** Returns numbers of any project with an uncharged month that has begun, longest overdue first. */
export function listDue(
  db: Reader,
  { month, after, limit }: { month: string; after: DueNumber | null; limit: number },
): Promise<DueNumber[]> {
  const due = db
    .selectFrom('numbers as n')
    .innerJoin('projects as p', 'p.id', 'n.project_id')
    .select(['n.project_id', 'n.id', 'n.next_charge_on'])
    .where('n.released_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .where('n.next_charge_on', '<=', month)
    .orderBy('n.next_charge_on')
    .orderBy('n.id')
    .limit(limit)
  if (!after) return due.execute()
  const { next_charge_on, id } = after
  return due
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('n.next_charge_on', 'n.id'), '>', tuple(next_charge_on, id)),
    )
    .execute()
}

export async function setNextCharge(
  tx: Transaction,
  { project_id, id }: NumberRow,
  next_charge_on: string,
): Promise<void> {
  await tx
    .updateTable('numbers')
    .set({ next_charge_on })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Returns numbers of any project with a pending registration, oldest first. */
export function listPending(
  db: Reader,
  { after, limit }: { after: string | null; limit: number },
): Promise<NumberRow[]> {
  const pending = db
    .selectFrom('numbers')
    .selectAll()
    // A literal, because PostgreSQL could not use the partial index with a parameter.
    .where(sql<boolean>`status = 'pending'`)
    .where('released_at', 'is', null)
    .orderBy('id')
    .limit(limit)
  return (after === null ? pending : pending.where('id', '>', after)).execute()
}

export async function activate(tx: Transaction, { project_id, id }: NumberRow): Promise<void> {
  await tx
    .updateTable('numbers')
    .set({ status: 'active' })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .execute()
}

export function insert(tx: Transaction, row: Insertable<NumbersTable>): Promise<NumberRow> {
  return tx.insertInto('numbers').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function release(tx: Transaction, row: NumberRow, now: Date): Promise<void> {
  await tx
    .updateTable('numbers')
    .set({ released_at: now })
    .where('project_id', '=', row.project_id)
    .where('id', '=', row.id)
    .execute()
}
