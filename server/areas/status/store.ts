/** The one question the status asks the database. */
import { sql } from 'kysely'
import { isDatabaseAway, type Reader } from '../../kernel/database.ts'

/** Whether the database answers. */
export async function answers(db: Reader): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch (error) {
    if (isDatabaseAway(error)) return false
    throw error
  }
}
