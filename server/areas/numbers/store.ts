/** The SQL of phone numbers. Released ones are only ever found by the calls that name them. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database.ts'
import type { NumbersTable } from '../../kernel/tables.ts'

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
