/**
 * Storage of the simulated providers. It is in the database, so that their state survives restarts and
 * is the same for every process, as that of a real provider. Only simulators may read it.
 */
import type { Runtime } from './runtime.ts'

export interface SimulatorRecord {
  simulator: string
  id: string
  record: unknown
}

/** Inserts a record. Returns false, changing nothing, if the id exists. */
export async function insertRecord(
  { db, clock }: Runtime,
  { simulator, id, record }: SimulatorRecord,
): Promise<boolean> {
  const kept = await db.transact((tx) =>
    tx
      .insertInto('simulator_records')
      .values({ simulator, id, record: JSON.stringify(record), created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst(),
  )
  return kept !== undefined
}

/** Updates an existing record. */
export async function updateRecord(
  { db }: Runtime,
  { simulator, id, record }: SimulatorRecord,
): Promise<void> {
  await db.transact((tx) =>
    tx
      .updateTable('simulator_records')
      .set({ record: JSON.stringify(record) })
      .where('simulator', '=', simulator)
      .where('id', '=', id)
      .execute(),
  )
}

/** All records of a simulator, oldest first. */
export function listRecords({ db }: Runtime, simulator: string) {
  return db
    .selectFrom('simulator_records')
    .select(['id', 'record', 'created_at'])
    .where('simulator', '=', simulator)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findRecord({ db }: Runtime, simulator: string, id: string) {
  return db
    .selectFrom('simulator_records')
    .select(['id', 'record', 'created_at'])
    .where('simulator', '=', simulator)
    .where('id', '=', id)
    .executeTakeFirst()
}
