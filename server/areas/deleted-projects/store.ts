/** SQL of the bin of deleted projects. */
import type { Reader, Transaction } from '../../kernel/database/database.ts'

export interface DeletedProjectRow {
  id: string
  name: string
  deleted_at: Date
}

/** Projects that a person owns and that an owner deleted after `since`, newest first. */
export function listOwned(
  db: Reader,
  { person_id, since }: { person_id: string; since: Date },
): Promise<DeletedProjectRow[]> {
  return db
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(['p.id', 'p.name'])
    .select(({ ref }) => ref('p.deleted_at').$castTo<Date>().as('deleted_at'))
    .where('m.person_id', '=', person_id)
    .where('m.role', '=', 'owner')
    .where('p.deleted_at', '>', since)
    .where('p.purge_started_at', 'is', null)
    .where('p.deleted_by_operator', '=', false)
    .orderBy('p.deleted_at', 'desc')
    .orderBy('p.id')
    .execute()
}

export interface Owner {
  email: string
  language: 'en' | 'nl'
}

/** The owners of a project, deleted or not. */
export function listOwners(db: Reader, project_id: string): Promise<Owner[]> {
  return db
    .selectFrom('members as m')
    .innerJoin('people as o', 'o.id', 'm.person_id')
    .select(['o.email', 'o.language'])
    .where('m.project_id', '=', project_id)
    .where('m.role', '=', 'owner')
    .orderBy('o.email')
    .execute()
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** A page of the ids of projects that were deleted at `before` or earlier, in their order. */
export async function listDue(
  db: Reader,
  { before, after = FIRST_ID, limit }: { before: Date; after?: string | undefined; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', '<=', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Marks the removal as begun. Returns false if the project is not due, such as a restored one. */
export async function beginPurge(
  tx: Transaction,
  { project_id, before, now }: { project_id: string; before: Date; now: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('projects')
    .set(({ fn, ref, val }) => ({
      purge_started_at: fn.coalesce(ref('purge_started_at'), val(now)),
    }))
    .where('id', '=', project_id)
    .where('deleted_at', '<=', before)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Name and deletion of a project, deleted or not. */
export function findName(db: Reader, project_id: string) {
  return db
    .selectFrom('projects')
    .select(['name', 'deleted_at', 'deleted_by_operator'])
    .where('id', '=', project_id)
    .executeTakeFirst()
}
