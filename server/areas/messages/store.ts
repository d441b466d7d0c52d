/** The SQL of text messages. A status only advances: queued, sent, then delivered or failed. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Database, Reader, Transaction } from '../../kernel/database/database.ts'
import type { MessagesTable } from '../../kernel/database/tables.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'

export type MessageRow = Selectable<MessagesTable>
export type MessageStatus = MessageRow['status']
export type FailureReason = NonNullable<MessageRow['failure_reason']>

export interface MessageKey {
  project_id: string
  id: string
}

export function insert(tx: Transaction, row: Insertable<MessagesTable>): Promise<MessageRow> {
  return tx.insertInto('messages').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Inserts a message that a carrier delivered. Undefined if it was delivered before. */
export function insertReceived(
  tx: Transaction,
  row: Insertable<MessagesTable>,
): Promise<MessageRow | undefined> {
  return tx
    .insertInto('messages')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'carrier_id'])
        .where('carrier_id', 'is not', null)
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export function find(db: Reader, { project_id, id }: MessageKey): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockMessage(
  tx: Transaction,
  { project_id, id }: MessageKey,
): Promise<MessageRow | undefined> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns the messages in the order of the keys; undefined for a missing one. */
export async function findMany(
  db: Reader,
  keys: readonly MessageKey[],
): Promise<(MessageRow | undefined)[]> {
  const projects = keys.map(({ project_id }) => project_id)
  const ids = keys.map(({ id }) => id)
  const rows = await db
    .selectFrom('messages')
    .innerJoin(
      sql<MessageKey>`unnest(${projects}::uuid[], ${ids}::uuid[])`.as<'key'>(
        sql`key (project_id, id)`,
      ),
      (join) =>
        join
          .onRef('key.project_id', '=', 'messages.project_id')
          .onRef('key.id', '=', 'messages.id'),
    )
    .selectAll('messages')
    .execute()
  const found = new Map(rows.map((row) => [`${row.project_id} ${row.id}`, row]))
  return keys.map(({ project_id, id }) => found.get(`${project_id} ${id}`))
}

export interface MessagesPage {
  project_id: string
  count: number
  after: string | null
  equal: {
    direction?: MessageRow['direction']
    status?: MessageStatus
    test?: boolean
    from?: string
    to?: string
  }
  since: string | undefined
  until: string | undefined
}

/** Newest first. A message has the time of its creation in its id. */
export function list(db: Reader, page: MessagesPage): Promise<MessageRow[]> {
  const { project_id, count, after, since, until } = page
  const { direction, status, test, from, to } = page.equal
  const firstId = (time: string) => firstIdAt(Date.parse(time))
  return db
    .selectFrom('messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .$if(direction !== undefined, (query) => query.where('direction', '=', direction!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(test !== undefined, (query) => query.where('test', '=', test!))
    .$if(from !== undefined, (query) => query.where('from_number', '=', from!))
    .$if(to !== undefined, (query) => query.where('to_number', '=', to!))
    .$if(since !== undefined, (query) => query.where('id', '>=', firstId(since!)))
    .$if(until !== undefined, (query) => query.where('id', '<', firstId(until!)))
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/**
 * Marks a message as handed over to the carrier. Returns false if it was before, or if its status is
 * final: then it must not be sent.
 */
export async function handOver(
  db: Database,
  { project_id, id, now }: MessageKey & { now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db.transact((tx) =>
    tx
      .updateTable('messages')
      .set({ handed_over_at: now })
      .where('project_id', '=', project_id)
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .where('handed_over_at', 'is', null)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

/** Takes the mark back, after a request that certainly had no effect. */
export async function takeBack(tx: Transaction, { project_id, id }: MessageKey): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ handed_over_at: null })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

export type MessageChange = Partial<
  Pick<
    MessageRow,
    'status' | 'failure_reason' | 'carrier_id' | 'sent_at' | 'ended_at' | 'cost_micro'
  >
>

/** Changes a message that `lockMessage` locked. */
export async function change(
  tx: Transaction,
  { project_id, id }: MessageKey,
  changes: MessageChange,
): Promise<void> {
  await tx
    .updateTable('messages')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Messages of any project that are queued since before this time. */
export function listQueued(
  db: Reader,
  { before, limit }: { before: Date; limit: number },
): Promise<MessageRow[]> {
  return (
    db
      .selectFrom('messages')
      .selectAll()
      // A literal, because PostgreSQL could not use the partial index with a parameter.
      .where(sql<boolean>`status = 'queued'`)
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(limit)
      .execute()
  )
}

export interface CountedDay {
  project_id: string
  test: boolean
  day: string
  messages_max: number
}

/**
 * Counts one more message, and locks the count until the transaction ends. Returns false, counting
 * nothing, if the day has the maximum already.
 */
export async function countMessage(
  tx: Transaction,
  { project_id, test, day, messages_max }: CountedDay,
): Promise<boolean> {
  const { rows } = await sql`
    insert into message_days as used (project_id, test, day, messages)
    values (${project_id}, ${test}, ${day}, 1)
    on conflict (project_id, test) do update set
      day = excluded.day,
      messages = case when used.day = excluded.day then used.messages + 1 else 1 end
    where used.day <> excluded.day or used.messages < ${messages_max}
    returning messages`.execute(tx)
  return rows.length > 0
}

export async function readCount(
  db: Reader,
  { project_id, test, day }: Omit<CountedDay, 'messages_max'>,
): Promise<number> {
  const row = await db
    .selectFrom('message_days')
    .select('messages')
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.messages ?? 0
}
