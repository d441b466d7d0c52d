/** SQL that finds evidence to be deleted, across projects. */
import { sql } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

/** The projects with evidence that is due, or that a change of the account type withdrew. */
export async function listDueProjects(
  db: Reader,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from projects as p where p.deleted_at is null and p.id in (
      select project_id from verification_documents where removed_at is null and delete_at <= ${now}
      union select project_id from verification_declarations where delete_at <= ${now}
      union select d.project_id from verification_documents as d
        join projects as q on q.id = d.project_id
        where d.removed_at is null and d.round <> q.verification_round
      union select d.project_id from verification_declarations as d
        join projects as q on q.id = d.project_id where d.round <> q.verification_round
    ) order by p.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Marks due documents and deletes due declarations of a locked project. */
export async function removeDue(
  tx: Transaction,
  { project_id, round, now }: { project_id: string; round: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('verification_documents')
    .set({ removed_at: now })
    .where('project_id', '=', project_id)
    .where('removed_at', 'is', null)
    .where(({ or, eb }) => or([eb('delete_at', '<=', now), eb('round', '<>', round)]))
    .execute()
  await tx
    .deleteFrom('verification_declarations')
    .where('project_id', '=', project_id)
    .where(({ or, eb }) => or([eb('delete_at', '<=', now), eb('round', '<>', round)]))
    .execute()
}

export interface RemovedDocument {
  project_id: string
  id: string
}

/**
 * Documents whose bytes are to be deleted: removed ones, and links that expired before `expired`, which
 * an interrupted upload may have left bytes of.
 */
export function listRemoved(
  db: Reader,
  { expired, limit }: { expired: Date; limit: number },
): Promise<RemovedDocument[]> {
  return db
    .selectFrom('verification_documents')
    .select(['project_id', 'id'])
    .where(({ or, and, eb }) =>
      or([
        eb('removed_at', 'is not', null),
        and([eb('received_at', 'is', null), eb('expires_at', '<', expired)]),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function deleteRows(tx: Transaction, rows: readonly RemovedDocument[]): Promise<void> {
  for (const { project_id, id } of rows) {
    await tx
      .deleteFrom('verification_documents')
      .where('project_id', '=', project_id)
      .where('id', '=', id)
      .execute()
  }
}
