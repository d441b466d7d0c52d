/** The SQL of people who opted out of the messages of a project. */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

export interface OptOutKey {
  project_id: string
  /** Whether it counts for simulated messages, or for real ones. */
  test: boolean
  phone: string
}

export async function hasOptedOut(
  db: Reader,
  { project_id, test, phone }: OptOutKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('message_opt_outs')
    .select('phone')
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('phone', '=', phone)
    .executeTakeFirst()
  return row !== undefined
}

export async function addOptOut(
  tx: Transaction,
  { project_id, test, phone, now }: OptOutKey & { now: Date },
): Promise<void> {
  await tx
    .insertInto('message_opt_outs')
    .values({ project_id, test, phone, opted_out_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function removeOptOut(
  tx: Transaction,
  { project_id, test, phone }: OptOutKey,
): Promise<void> {
  await tx
    .deleteFrom('message_opt_outs')
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('phone', '=', phone)
    .execute()
}

/** The people who opted out, the latest first. */
export function listOptOuts(
  db: Reader,
  { project_id, test, count }: Omit<OptOutKey, 'phone'> & { count: number },
) {
  return db
    .selectFrom('message_opt_outs')
    .select(['phone', 'opted_out_at'])
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .orderBy('opted_out_at', 'desc')
    .orderBy('phone')
    .limit(count)
    .execute()
}
