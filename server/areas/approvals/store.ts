/**
 * The SQL of approvals. A row that waits is judged by its expiry wherever it is read, so that it
 * never matters when the reconciler came by. Every change names the state it changes from.
 */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { ApprovalsTable } from '../../kernel/database/tables.ts'

export type ApprovalRow = Selectable<ApprovalsTable>

// Words of state stand in the statements themselves, so that the small indexes can be used.
const isPending = sql<boolean>`status = 'pending'`
const isApproved = sql<boolean>`status = 'approved'`

export interface ApprovalKey {
  project_id: string
  id: string
}

/** Makes whoever proposes something in this project wait for the one before, until its end. */
export async function lockProposals(tx: Transaction, project_id: string): Promise<void> {
  const key = `approvals of ${project_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

export function insert(tx: Transaction, row: Insertable<ApprovalsTable>): Promise<ApprovalRow> {
  return tx.insertInto('approvals').values(row).returningAll().executeTakeFirstOrThrow()
}

type AskedKey = Pick<ApprovalRow, 'project_id' | 'asked_by' | 'asked_hash'>

/** Open approvals (pending or executing) with the same requester and request hash. */
export function findOpenSame(tx: Transaction, asked: AskedKey): Promise<ApprovalRow[]> {
  return sameAs(tx, asked)
    .where(({ or }) => or([isPending, isApproved]))
    .execute()
}

/** The same proposals that were edited by a person and then executed. */
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

/** As it is now, and nobody else decides or carries it out until the transaction ends. */
export function lock(tx: Transaction, { project_id, id }: ApprovalKey) {
  return tx
    .selectFrom('approvals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** The same for one that is to be carried out. Who decides too late has it for a moment only. */
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

export type Status = ApprovalRow['status']

/** What somebody sees: their own, those of scopes, those about targets; null: everything. */
export type Sight = {
  asked_by: string
  scopes: readonly string[]
  targets: readonly string[]
} | null

export interface Wanted {
  project_id: string
  /** null: whatever their state. */
  statuses: readonly Status[] | null
  now: Date
  sight: Sight
  count: number
  after: string | null
}

/** In this state at a moment: what waited too long is rejected. */
function isAt(status: Status, now: Date) {
  switch (status) {
    case 'pending':
      return sql<boolean>`(status = 'pending' and expires_at > ${now})`
    case 'rejected':
      return sql<boolean>`(status = 'rejected' or status = 'pending' and expires_at <= ${now})`
    default:
      return sql<boolean>`status = ${status}`
  }
}

function isSeen(sight: Sight) {
  const { asked_by = '', scopes = [], targets = [] } = sight ?? {}
  return sql<boolean>`(asked_by::text = ${asked_by} or scope = any(${[...scopes]}::text[])
    or target = any(${[...targets]}::text[]))`
}

/** Newest first. */
export function list(db: Reader, wanted: Wanted): Promise<ApprovalRow[]> {
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

/** Changes a row that waits. False: it waits no longer. */
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

/** Says that something outside is begun. False: somebody began it before. */
export async function begin(
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

export interface Ending {
  status: 'executed' | 'failed'
  reply: string | null
  problem: string | null
  ended_at: Date
}

/** Writes what became of it. False: that is written already. */
export async function end(
  tx: Transaction,
  { project_id, id }: ApprovalKey,
  ending: Ending,
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

/** What waited for too long is rejected; of one project, or of all. */
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

/** Approved, and still not ended: its process and its job are gone. */
export function listStranded(
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

/** Forgets what ended long ago. How many they were. */
export async function forget(
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

/** What waits and was told to nobody yet, oldest first. */
export function listUntold(
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

export async function lastTold(db: Reader, project_id: string): Promise<Date | null> {
  const { told_at } = await db
    .selectFrom('approvals')
    .select(({ fn }) => fn.max('told_at').as('told_at'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return told_at
}

export async function setTold(tx: Transaction, project_id: string, now: Date): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({ told_at: now })
    .where('project_id', '=', project_id)
    .where(isPending)
    .where('told_at', 'is', null)
    .execute()
}
