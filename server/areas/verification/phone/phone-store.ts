/** SQL of phone codes. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { VerificationPhoneCodesTable } from '../../../kernel/database/tables.ts'

export type CodeRow = Selectable<VerificationPhoneCodesTable>

/** Serializes the requests that share one of these keys until the transaction ends. */
export async function lockKeys(tx: Transaction, keys: readonly string[]): Promise<void> {
  for (const key of keys.toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`phone code ${key}`}, 0))`.execute(tx)
  }
}

export interface CodeOrigin {
  project_id: string
  person_id: string
  phone: string
  network_hash: Buffer
}

export interface CodeCounts {
  project: number
  person: number
  phone: number
  network: number
}

/** Counts the codes since a time, of the project, the person, the number and the network. */
export async function countCodes(
  tx: Transaction,
  { project_id, person_id, phone, network_hash }: CodeOrigin,
  since: Date,
): Promise<CodeCounts> {
  const { rows } = await sql<CodeCounts>`
    select (count(*) filter (where project_id = ${project_id}))::int as project,
      (count(*) filter (where person_id = ${person_id}))::int as person,
      (count(*) filter (where phone = ${phone}))::int as phone,
      (count(*) filter (where network_hash = ${network_hash}))::int as network
    from verification_phone_codes
    where created_at > ${since} and (project_id = ${project_id} or person_id = ${person_id}
      or phone = ${phone} or network_hash = ${network_hash})`.execute(tx)
  return rows[0]!
}

/** Counts the codes of all projects since a time, up to a maximum. */
export async function countAll(
  tx: Transaction,
  { since, max }: { since: Date; max: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from verification_phone_codes
      where created_at > ${since} limit ${max}) as c`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Counts the other projects that this number verified. */
export async function countProjects(
  tx: Transaction,
  { project_id, phone }: Pick<CodeOrigin, 'project_id' | 'phone'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct project_id)::int as count from verification_phone_codes
    where phone = ${phone} and confirmed_at is not null and project_id <> ${project_id}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Ends the earlier codes of the project, and inserts a new one. */
export async function replaceCode(
  tx: Transaction,
  row: Insertable<VerificationPhoneCodesTable>,
): Promise<void> {
  await tx
    .updateTable('verification_phone_codes')
    .set({ expires_at: row.created_at })
    .where('project_id', '=', row.project_id)
    .where('confirmed_at', 'is', null)
    .where('expires_at', '>', row.created_at)
    .execute()
  await tx.insertInto('verification_phone_codes').values(row).execute()
}

type CodeId = Pick<CodeRow, 'project_id' | 'id'>

export function lockCode(
  tx: Transaction,
  { project_id, id }: CodeId,
): Promise<CodeRow | undefined> {
  return tx
    .selectFrom('verification_phone_codes')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function countAttempt(tx: Transaction, { project_id, id }: CodeId): Promise<void> {
  await tx
    .updateTable('verification_phone_codes')
    .set({ attempts: sql<number>`attempts + 1` })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

export async function confirmCode(
  tx: Transaction,
  { project_id, id }: CodeId,
  confirmed_at: Date,
): Promise<void> {
  await tx
    .updateTable('verification_phone_codes')
    .set({ confirmed_at })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** The number that was confirmed last. */
export async function findConfirmed(db: Reader, project_id: string): Promise<string | null> {
  const row = await db
    .selectFrom('verification_phone_codes')
    .select('phone')
    .where('project_id', '=', project_id)
    .where('confirmed_at', 'is not', null)
    .orderBy('confirmed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.phone ?? null
}

export async function deleteUnconfirmed(tx: Transaction, before: Date): Promise<void> {
  await tx
    .deleteFrom('verification_phone_codes')
    .where('created_at', '<', before)
    .where('confirmed_at', 'is', null)
    .execute()
}
