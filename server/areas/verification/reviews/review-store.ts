/** SQL of reviews. Operators read them across projects. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { VerificationReviewsTable } from '../../../kernel/database/tables.ts'

export type ReviewRow = Selectable<VerificationReviewsTable>
export type NamedReview = ReviewRow & { project_name: string }
type ReviewId = Pick<ReviewRow, 'project_id' | 'id'>

export async function insert(
  tx: Transaction,
  row: Insertable<VerificationReviewsTable>,
): Promise<void> {
  await tx.insertInto('verification_reviews').values(row).execute()
}

export async function countSince(
  tx: Transaction,
  project_id: string,
  since: Date,
): Promise<number> {
  const { count } = await tx
    .selectFrom('verification_reviews')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', project_id)
    .where('submitted_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Ends the open review of a level. */
export async function withdraw(
  tx: Transaction,
  { project_id, level, now }: Pick<ReviewRow, 'project_id' | 'level'> & { now: Date },
): Promise<void> {
  await tx
    .updateTable('verification_reviews')
    .set({ status: 'withdrawn', decided_at: now })
    .where('project_id', '=', project_id)
    .where('level', '=', level)
    .where('status', '=', 'pending')
    .execute()
}

export function lock(
  tx: Transaction,
  { project_id, id }: ReviewId,
): Promise<ReviewRow | undefined> {
  return tx
    .selectFrom('verification_reviews')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function decide(
  tx: Transaction,
  { project_id, id, ...change }: ReviewId & Partial<ReviewRow>,
): Promise<void> {
  await tx
    .updateTable('verification_reviews')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Reviews of operators, newest first; with `open` those that wait, oldest first. A review counts as
 * withdrawn as soon as its round is over.
 */
export async function list(
  db: Reader,
  { open, id, count }: { open: boolean; id: string | null; count: number },
): Promise<NamedReview[]> {
  const is_over = sql`r.status = 'pending' and r.round <> case when r.level = 'company'
    then p.company_round else p.verification_round end`
  const { rows } = await sql<NamedReview>`
    select r.project_id, r.id, r.level, r.round, r.way, r.reason, r.submitted_at, r.decided_at,
      p.name as project_name, case when ${is_over} then 'withdrawn' else r.status end as status
    from verification_reviews as r join projects as p on p.id = r.project_id
    where r.way = 'operator' and p.deleted_at is null
      and (${id}::uuid is null or r.id = ${id})
      and (not ${open}::boolean or (r.status = 'pending' and not (${is_over})))
    order by case when ${open}::boolean then r.id end, r.id desc limit ${count}`.execute(db)
  return rows
}
