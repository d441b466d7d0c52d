/** SQL of projects. */
import { sql, type Insertable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { ProjectRow } from '../../contract/caller.ts'
import type { ProjectsTable } from '../../kernel/database/tables.ts'

export function insert(tx: Transaction, row: Insertable<ProjectsTable>): Promise<ProjectRow> {
  return tx.insertInto('projects').values(row).returningAll().executeTakeFirstOrThrow()
}

export function find(db: Reader, project_id: string): Promise<ProjectRow | undefined> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export function list(db: Reader): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

export async function lock(tx: Transaction, project_id: string): Promise<void> {
  await tx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', project_id)
    .forNoKeyUpdate()
    .execute()
}

/** Locks the row and returns its committed state; undefined if it is deleted. */
export function findLocked(tx: Transaction, project_id: string): Promise<ProjectRow | undefined> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/**
 * Locks a project and the other project of its pair, in the order of their ids. Returns them in
 * their committed state, including deleted ones that can be restored.
 */
export function lockWithPair(
  tx: Transaction,
  { id, pair_id }: Pick<ProjectRow, 'id' | 'pair_id'>,
): Promise<ProjectRow[]> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('id', 'in', pair_id === null ? [id] : [id, pair_id])
    .where('purge_started_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export function update(
  tx: Transaction,
  project_id: string,
  changes: Updateable<ProjectsTable>,
): Promise<ProjectRow | undefined> {
  return tx
    .updateTable('projects')
    .set(changes)
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function replaceOwnerEmail(
  tx: Transaction,
  { ids, before, after }: { ids: readonly string[]; before: string; after: string },
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('projects')
    .set({ owner_email: after })
    .where('id', 'in', ids)
    .where(({ fn }) => fn<string>('lower', ['owner_email']), '=', before)
    .execute()
}

/** Finds a project that exists, or is deleted and can be restored. */
export function findRestorable(db: Reader, project_id: string): Promise<ProjectRow | undefined> {
  return db
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', project_id)
    .where('purge_started_at', 'is', null)
    .executeTakeFirst()
}

/** Changes the plan of a project, deleted or not. */
export async function updatePlan(
  tx: Transaction,
  project_id: string,
  changes: Pick<Updateable<ProjectsTable>, 'plan' | 'plan_lowered_at'>,
): Promise<void> {
  await tx.updateTable('projects').set(changes).where('id', '=', project_id).execute()
}

export function restore(tx: Transaction, project_id: string): Promise<ProjectRow | undefined> {
  return tx
    .updateTable('projects')
    .set({ deleted_at: null, deleted_by_operator: false })
    .where('id', '=', project_id)
    .where('deleted_at', 'is not', null)
    .where('purge_started_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Lowers a spending cap to the maximum without the level full. */
export function lowerCap(
  tx: Transaction,
  project_id: string,
  cap_micro_max: bigint,
): Promise<ProjectRow | undefined> {
  return tx
    .updateTable('projects')
    .set({
      spending_limit_micro: sql<bigint | null>`case
        when full_status <> 'approved' and spending_limit_micro > ${cap_micro_max}::bigint
        then ${cap_micro_max}::bigint else spending_limit_micro end`,
    })
    .where('id', '=', project_id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Sets a spending cap, if there is none, of a project of the level full that spends from its balance. */
export async function setMissingCap(
  tx: Transaction,
  project_id: string,
  cap_micro: bigint,
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ spending_limit_micro: cap_micro })
    .where('id', '=', project_id)
    .where('spending_limit_micro', 'is', null)
    .where('full_status', '=', 'approved')
    .where(sql<boolean>`exists (select from jsonb_each_text(rails::jsonb) as r (rail, mode)
      where r.rail <> 'payments' and r.mode = 'live')`)
    .execute()
}

export interface NumbersChange {
  project_id: string
  type: 'national' | 'geographic'
  by: 1 | -1
}

export async function addToNumbersCount(
  tx: Transaction,
  { project_id, type, by }: NumbersChange,
): Promise<void> {
  const national = type === 'national' ? by : 0
  await tx
    .updateTable('projects')
    .set({
      numbers_count: sql<number>`numbers_count + ${by}`,
      national_numbers_count: sql<number>`national_numbers_count + ${national}`,
    })
    .where('id', '=', project_id)
    .execute()
}

export async function addToOrdersCount(
  tx: Transaction,
  { project_id, type, by }: NumbersChange,
): Promise<void> {
  if (type !== 'national') return
  await tx
    .updateTable('projects')
    .set({ national_orders_count: sql<number>`national_orders_count + ${by}` })
    .where('id', '=', project_id)
    .execute()
}
