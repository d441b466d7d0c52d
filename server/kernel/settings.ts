/** What the service keeps about itself in the database, beyond the settings it is started with. */
import type { Database, Reader } from './database.ts'

const CLOCK_OFFSET = 'clock_offset_ms'

/** How far the development clock was moved, in milliseconds. */
export async function readClockOffset(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', CLOCK_OFFSET)
    .executeTakeFirst()
  return Number(row?.value ?? 0)
}

export async function keepClockOffset(db: Database, offset_ms: number): Promise<void> {
  await db.transact((tx) =>
    tx
      .insertInto('settings')
      .values({ name: CLOCK_OFFSET, value: String(offset_ms) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: String(offset_ms) }))
      .execute(),
  )
}

/** True for whoever asks first, once in the life of a database; false for everybody after. */
export async function claimOnce(db: Database, name: string): Promise<boolean> {
  const row = await db.transact((tx) =>
    tx
      .insertInto('settings')
      .values({ name, value: 'done' })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst(),
  )
  return row !== undefined
}
