/**
 * The SQL of call plans. A plan is stored as the text received. Each write is a single statement
 * that compares and increments the version under the row lock, so of two writers with the same
 * version only one succeeds.
 */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'

// The largest integer of PostgreSQL: valid in a header, but no plan reaches it.
const VERSION_MAX = 2_147_483_647

export interface StoredPlan {
  /** null for the plan of the project. */
  number_id: string | null
  version: number
  plan: string
}

export interface PlanWrite {
  project_id: string
  number_id: string
  /** The plan exactly as sent. */
  text: string
  now: Date
}

/** Returns the number's own plan, otherwise the project's. */
export function findApplyingPlan(
  db: Reader,
  project_id: string,
  number_id: string,
): Promise<StoredPlan | undefined> {
  return db
    .selectFrom('call_plans')
    .select(['number_id', 'version', 'plan'])
    .where('project_id', '=', project_id)
    .where((row) => row.or([row('number_id', '=', number_id), row('number_id', 'is', null)]))
    .orderBy('number_id', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst()
}

/** Returns the plan of the project, for numbers without their own; undefined if there is none. */
export async function findProjectPlan(db: Reader, project_id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('call_plans')
    .select('plan')
    .where('project_id', '=', project_id)
    .where('number_id', 'is', null)
    .executeTakeFirst()
  return row?.plan
}

/** Returns the plans of a project: that of each number that has its own, and the project's. */
export function listPlans(
  db: Reader,
  project_id: string,
): Promise<Pick<StoredPlan, 'number_id' | 'plan'>[]> {
  return db
    .selectFrom('call_plans')
    .select(['number_id', 'plan'])
    .where('project_id', '=', project_id)
    .execute()
}

/** Returns the version of a number's own plan; 0 if it has none. */
export async function readVersion(
  db: Reader,
  project_id: string,
  number_id: string,
): Promise<number> {
  const row = await db
    .selectFrom('call_plans')
    .select('version')
    .where('project_id', '=', project_id)
    .where('number_id', '=', number_id)
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Replaces the plan regardless of its version. Returns the new version. */
export async function replace(tx: Transaction, write: PlanWrite): Promise<number> {
  const { version } = await tx
    .insertInto('call_plans')
    .values(firstRow(write))
    .onConflict((conflict) =>
      conflict.constraint('call_plans_of_number').doUpdateSet({
        version: sql<number>`call_plans.version + 1`,
        plan: write.text,
        updated_at: write.now,
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

/** Replaces the plan if it has version `from` (0: no plan). Returns undefined otherwise. */
export async function replaceVersion(
  tx: Transaction,
  from: number,
  write: PlanWrite,
): Promise<number | undefined> {
  if (from >= VERSION_MAX) return undefined
  const row =
    from === 0
      ? await tx
          .insertInto('call_plans')
          .values(firstRow(write))
          .onConflict((conflict) => conflict.constraint('call_plans_of_number').doNothing())
          .returning('version')
          .executeTakeFirst()
      : await tx
          .updateTable('call_plans')
          .set({ version: from + 1, plan: write.text, updated_at: write.now })
          .where('project_id', '=', write.project_id)
          .where('number_id', '=', write.number_id)
          .where('version', '=', from)
          .returning('version')
          .executeTakeFirst()
  return row?.version
}

function firstRow({ project_id, number_id, text, now }: PlanWrite) {
  return { project_id, number_id, version: 1, plan: text, created_at: now, updated_at: now }
}

export async function remove(
  tx: Transaction,
  project_id: string,
  number_id: string,
): Promise<void> {
  await tx
    .deleteFrom('call_plans')
    .where('project_id', '=', project_id)
    .where('number_id', '=', number_id)
    .execute()
}
