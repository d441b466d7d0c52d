/**
 * SQL of approvals. Reads apply `expires_at` themselves, so they do not depend on the reconciler.
 * Every update names the status it expects.
 */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { ApprovalsTable } from '../../kernel/database/tables.ts'

export type ApprovalRow = Selectable<ApprovalsTable>

// Status literals are part of the SQL text, so that PostgreSQL can use the partial indexes.
const isPending = sql<boolean>`status = 'pending'`
const isApproved = sql<boolean>`status = 'approved'`

export interface ApprovalKey {
  project_id: string
  id: string
}

/** Serializes proposals of one project until the transaction ends. */
export async function lockProposals(tx: Transaction, project_id: string): Promise<void> {
  const key = `approvals of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export function insert(tx: Transaction, row: Insertable<ApprovalsTable>): Promise<ApprovalRow> {
  return tx.insertInto('approvals').values(row).returningAll().executeTakeFirstOrThrow()
}

type AskedKey = Pick<ApprovalRow, 'project_id' | 'asked_by' | 'asked_hash'>

/** Returns open approvals (pending or approved) with the same requester and request hash. */
export function findOpenSame(tx: Transaction, asked: AskedKey): Promise<ApprovalRow[]> {
  return sameAs(tx, asked)
    .where(({ or }) => or([isPending, isApproved]))
    .execute()
}

/**
 * Returns executed approvals with the same requester and request hash whose arguments a person
 * edited.
 */
export function listEdited(db: Reader, asked: AskedKey): Promise<ApprovalRow[]> {
  return sameAs(db, asked)
    .where('status', '=', 'executed')
    .where('edited_at', 'is not', null)
    .execute()
}

function sameAs(db: Reader, { project_id, asked_by, asked_hash }: AskedKey) {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('asked_by', '=', asked_by)
    .where('asked_hash', '=', asked_hash)
}

export async function countPending(db: Reader, project_id: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('approvals')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .where(isPending)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function find(db: Reader, { project_id, id }: ApprovalKey) {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Reads an approval and locks its row until the transaction ends. */
export function lock(tx: Transaction, { project_id, id }: ApprovalKey) {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Locks an approved row. The status filter keeps concurrent decisions from holding the lock for
 * long.
 */
export function lockApproved(tx: Transaction, { project_id, id }: ApprovalKey) {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where(isApproved)
    .forUpdate()
    .executeTakeFirst()
}

export type ApprovalStatus = ApprovalRow['status']

/**
 * The approvals that a caller sees: their own, those of their scopes, and those about their
 * targets. null means all.
 */
export type Visibility = {
  asked_by: string
  scopes: readonly string[]
  targets: readonly string[]
} | null

export interface ApprovalFilter {
  project_id: string
  /** null means every status. */
  statuses: readonly ApprovalStatus[] | null
  now: Date
  sight: Visibility
  count: number
  after: string | null
}

/** Status at `now`: a pending approval past its expiry counts as rejected. */
function isAt(status: ApprovalStatus, now: Date) {
  switch (status) {
    case 'pending':
      return sql<boolean>`(status = 'pending' and expires_at > ${now})`
    case 'rejected':
      return sql<boolean>`(status = 'rejected' or status = 'pending' and expires_at <= ${now})`
    default:
      return sql<boolean>`status = ${status}`
  }
}

function isSeen(sight: Visibility) {
  const { asked_by = '', scopes = [], targets = [] } = sight ?? {}
  return sql<boolean>`(asked_by::text = ${asked_by} or scope = any(${[...scopes]}::text[])
    or target = any(${[...targets]}::text[]))`
}

export function list(db: Reader, wanted: ApprovalFilter): Promise<ApprovalRow[]> {
  const { project_id, statuses, now, sight, count, after } = wanted
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(statuses !== null, (query) =>
      query.where(({ or }) => or((statuses ?? []).map((status) => isAt(status, now)))),
    )
    .$if(sight !== null, (query) => query.where(isSeen(sight)))
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** Updates an approval only while it is pending. */
export async function changePending(
  tx: Transaction,
  { project_id, id }: ApprovalKey,
  change: Updateable<ApprovalsTable>,
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set(change)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where(isPending)
    .execute()
}

/** Records the start of an external effect. Returns false if it was recorded before. */
export async function markBegun(
  tx: Transaction,
  { project_id, id }: ApprovalKey,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('approvals')
    .set({ begun_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where(isApproved)
    .where('begun_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface ApprovalOutcome {
  status: 'executed' | 'failed'
  reply: string | null
  problem: string | null
  ended_at: Date
}

/** Stores the outcome. Returns false if one is stored already. */
export async function storeOutcome(
  tx: Transaction,
  { project_id, id }: ApprovalKey,
  ending: ApprovalOutcome,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('approvals')
    .set(ending)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where(isApproved)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Rejects expired approvals of one project; null means of all projects. */
export async function expire(
  tx: Transaction,
  { now, project_id }: { now: Date; project_id: string | null },
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set(({ ref }) => ({
      status: 'rejected',
      decided_at: ref('expires_at'),
      ended_at: ref('expires_at'),
    }))
    .where(isPending)
    .where('expires_at', '<=', now)
    .$if(project_id !== null, (query) => query.where('project_id', '=', project_id ?? ''))
    .execute()
}

/**
 * Returns approvals that were approved before `until` and have not ended: their process and job are
 * gone.
 */
export function listStrandedApprovals(
  db: Reader,
  { until, count }: { until: Date; count: number },
): Promise<ApprovalKey[]> {
  return db
    .selectFrom('approvals')
    .select(['project_id', 'id'])
    .where(isApproved)
    .where('decided_at', '<=', until)
    .limit(count)
    .execute()
}

/** Deletes approvals that ended before `until`. Returns the number of deleted rows. */
export async function deleteEnded(
  tx: Transaction,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from approvals using (
      select project_id, id from approvals where ended_at <= ${until}
      limit ${limit} for update skip locked
    ) as old
    where approvals.project_id = old.project_id and approvals.id = old.id
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Returns pending approvals without a mail, oldest first. */
export function listUnnotified(
  db: Reader,
  { project_id, now, count }: { project_id: string; now: Date; count: number },
): Promise<ApprovalRow[]> {
  return db
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(isPending)
    .where('expires_at', '>', now)
    .where('told_at', 'is', null)
    .orderBy('id')
    .limit(count)
    .execute()
}

export async function findLastNotified(db: Reader, project_id: string): Promise<Date | null> {
  const { told_at } = await db
    .selectFrom('approvals')
    .select(({ fn }) => fn.max('told_at').as('told_at'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return told_at
}

export async function setNotified(tx: Transaction, project_id: string, now: Date): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ told_at: now })
    .where('project_id', '=', project_id)
    .where(isPending)
    .where('told_at', 'is', null)
    .execute()
}
