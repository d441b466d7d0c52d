/** The SQL of the outbox: messages that were written instead of sent. */
import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'

export interface OutboxRow {
  id: string
  email_id: string
  recipient: string
  subject: string
  bytes: number
  written_at: Date
}

interface NewMessage {
  project_id: string
  id: string
  email_id: string
  source: Buffer
  written_at: Date
}

/** Keeps the newest messages of a project only. */
export async function insert(tx: Transaction, row: NewMessage): Promise<void> {
  await tx
    .insertInto('email_outbox')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ source: row.source }),
    )
    .execute()
  await sql`
    delete from email_outbox where project_id = ${row.project_id} and id in (
      select id from email_outbox where project_id = ${row.project_id}
      order by id desc offset ${limits.email_outbox_messages_max})`.execute(tx)
}

interface ListPage {
  project_id: string
  count: number
  after: string | null
}

export async function list(
  db: Reader,
  { project_id, count, after }: ListPage,
): Promise<OutboxRow[]> {
  const { rows } = await sql<OutboxRow>`
    select o.id, o.email_id, r.address as recipient, e.subject, length(o.source) as bytes, o.written_at
    from email_outbox as o
    join email_recipients as r on r.project_id = o.project_id and r.id = o.id
    join emails as e on e.project_id = o.project_id and e.id = o.email_id
    where o.project_id = ${project_id} and (${after}::uuid is null or o.id < ${after}::uuid)
    order by o.id desc limit ${count}`.execute(db)
  return rows
}

export interface OutboxMessage {
  text: string | null
  html: string | null
  source: Buffer
  bytes: number
}

/** Finds a message with the beginning of its source. */
export async function find(
  db: Reader,
  { project_id, id, bytes_max }: { project_id: string; id: string; bytes_max: number },
): Promise<OutboxMessage | undefined> {
  const { rows } = await sql<OutboxMessage>`
    select e.text, e.html, substring(o.source from 1 for ${bytes_max}) as source,
      length(o.source) as bytes
    from email_outbox as o
    join emails as e on e.project_id = o.project_id and e.id = o.email_id
    where o.project_id = ${project_id} and o.id = ${id}`.execute(db)
  return rows[0]
}
