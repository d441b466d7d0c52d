/** SQL of a person's own data: the account, the session and owned projects. */
import type { Reader, Transaction } from '../../kernel/database/database.ts'

/** The person with the session of the request, and the versions of the terms that they accepted. */
export function findPersonAndSession(
  db: Reader,
  { person_id, session_id }: { person_id: string; session_id: string },
) {
  return db
    .selectFrom('people as p')
    .innerJoin('sessions as s', 's.person_id', 'p.id')
    .select(['p.id', 'p.name', 'p.email', 'p.password_hash', 'p.totp_since', 'p.is_operator'])
    .select(['s.id as session_id', 's.fresh_at', 's.expires_at'])
    .select(({ selectFrom }) =>
      selectFrom('accepted_terms as a')
        .select(({ fn }) => fn.agg<string[] | null>('array_agg', ['a.version']).as('versions'))
        .whereRef('a.person_id', '=', 'p.id')
        .as('accepted_versions'),
    )
    .where('p.id', '=', person_id)
    .where('s.id', '=', session_id)
    .executeTakeFirst()
}

/** Locks the person's row, which serializes limit checks. */
export async function lockPerson(tx: Transaction, person_id: string): Promise<void> {
  await tx.selectFrom('people').select('id').where('id', '=', person_id).forNoKeyUpdate().execute()
}

export async function countOwned(db: Reader, person_id: string): Promise<number> {
  const { owned } = await db
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(({ fn }) => fn.countAll<bigint>().as('owned'))
    .where('m.person_id', '=', person_id)
    .where('m.role', '=', 'owner')
    .where('p.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(owned)
}

/** The projects that a person owns and that were created since, deleted ones included. */
export async function countCreated(
  db: Reader,
  { person_id, since }: { person_id: string; since: Date },
): Promise<number> {
  const { created } = await db
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(({ fn }) => fn.countAll<bigint>().as('created'))
    .where('m.person_id', '=', person_id)
    .where('m.role', '=', 'owner')
    .where('p.created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(created)
}

export async function setName(
  tx: Transaction,
  { person_id, name }: { person_id: string; name: string | null },
): Promise<void> {
  await tx.updateTable('people').set({ name }).where('id', '=', person_id).execute()
}
