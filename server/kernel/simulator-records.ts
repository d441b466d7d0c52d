/**
 * The memory of the simulators: what a simulated provider knows outlives the process, as that of a
 * real one does, and is the same for every process on the database. Nothing else may read it.
 */
import type { Runtime } from './runtime.ts'

export interface SimulatorRecord {
  simulator: string
  id: string
  record: unknown
}

/** Keeps a record. False when there is one of this id, which then stays as it is. */
export async function keepRecord(
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

/** Changes a record that is there. */
export async function changeRecord(
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

/** Every record of a simulator, the oldest first. */
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
