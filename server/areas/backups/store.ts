/** SQL of the runs of backups. They belong to the installation, not to a project. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { BackupsTable } from '../../kernel/database/tables.ts'

export type BackupRow = Selectable<BackupsTable>

export async function insertRun(tx: Transaction, row: Insertable<BackupsTable>): Promise<void> {
  await tx.insertInto('backups').values(row).execute()
}

export async function updateRun(
  tx: Transaction,
  id: string,
  change: Updateable<BackupsTable>,
): Promise<void> {
  await tx.updateTable('backups').set(change).where('id', '=', id).execute()
}

/** Ends runs whose process died. */
export async function failRunning(tx: Transaction, now: Date, error: string): Promise<void> {
  await tx
    .updateTable('backups')
    .set({ state: 'failed', finished_at: now, error })
    .where('state', '=', 'running')
    .execute()
}

export function listRuns(db: Reader, count: number): Promise<BackupRow[]> {
  return db.selectFrom('backups').selectAll().orderBy('started_at', 'desc').limit(count).execute()
}

export async function findRun(db: Reader, name: string): Promise<BackupRow | null> {
  const row = await db.selectFrom('backups').selectAll().where('name', '=', name).executeTakeFirst()
  return row ?? null
}

/** Whether a complete backup, or a run of the schedule, began at `since` or later. */
export async function hasRunSince(db: Reader, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('backups')
    .select('id')
    .where('started_at', '>=', since)
    .where((is) => is.or([is('state', '=', 'complete'), is('scheduled_for', 'is not', null)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a complete backup began at `since` or later. */
export async function hasCompleteSince(db: Reader, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('backups')
    .select('id')
    .where('started_at', '>=', since)
    .where('state', '=', 'complete')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Start of the newest complete backup; null without one. */
export async function lastComplete(db: Reader): Promise<Date | null> {
  const row = await db
    .selectFrom('backups')
    .select('started_at')
    .where('state', '=', 'complete')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.started_at ?? null
}

export async function lastTest(db: Reader): Promise<Date | null> {
  const row = await db
    .selectFrom('backups')
    .select((is) => is.fn.max('tested_at').as('tested_at'))
    .executeTakeFirst()
  return row?.tested_at ?? null
}

export interface BackupFacts {
  /** Start of the newest complete backup. */
  newest_at: Date | null
  /** Start of the first run that is known. */
  first_at: Date | null
  /** The last restore test. */
  tested: Pick<BackupRow, 'name' | 'test_error'> | null
}

export async function readFacts(db: Reader): Promise<BackupFacts> {
  const first = await db
    .selectFrom('backups')
    .select((is) => is.fn.min('started_at').as('at'))
    .executeTakeFirst()
  const tested = await db
    .selectFrom('backups')
    .select(['name', 'test_error'])
    .where('tested_at', 'is not', null)
    .orderBy('tested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return {
    newest_at: await lastComplete(db),
    first_at: first?.at ?? null,
    tested: tested ?? null,
  }
}

/** Deletes the rows of deleted backups, and failed runs before `before`. */
export async function deleteRuns(
  tx: Transaction,
  { names, before }: { names: readonly string[]; before: Date },
): Promise<void> {
  await tx
    .deleteFrom('backups')
    .where((is) =>
      is.or([
        is('name', 'in', names.length > 0 ? names : ['']),
        is.and([is('state', '=', 'failed'), is('started_at', '<', before)]),
      ]),
    )
    .execute()
}
