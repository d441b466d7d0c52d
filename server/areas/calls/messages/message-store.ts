/** The SQL of messages that callers left. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { CallMessagesTable } from '../../../kernel/database/tables.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'

export type NewMessage = Omit<Insertable<CallMessagesTable>, 'mail_id' | 'mailed_at'> & {
  /** Whether the business gets it by mail. */
  mailed: boolean
}

export async function insertMessages(
  tx: Transaction,
  { clock }: Pick<Runtime, 'clock'>,
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return
  // A message that is not mailed has the id of a mail that is never sent, of a time at which the next
  // mail need not wait.
  const rows = messages.map(({ mailed, ...row }) => ({
    ...row,
    ...(!mailed && { mail_id: newId(clock), mailed_at: new Date(0) }),
  }))
  await tx.insertInto('call_messages').values(rows).execute()
}

export type LeftMessage = Pick<Selectable<CallMessagesTable>, 'id' | 'text' | 'left_at'> & {
  kind: MessageKind
}

type MessageKind = 'assistant' | 'voicemail'

/** Messages of older exports have no kind. */
const kindOf = sql<MessageKind>`coalesce(call_messages.kind, 'assistant')`.as('kind')

/** The messages of one call, in the order of recording. */
export function listMessagesOfCall(
  db: Reader,
  project_id: string,
  call_id: string,
): Promise<LeftMessage[]> {
  return db
    .selectFrom('call_messages')
    .select(['id', kindOf, 'text', 'left_at'])
    .where('project_id', '=', project_id)
    .where('call_id', '=', call_id)
    .orderBy('id')
    .execute()
}

/** The time at which the latest mail with messages was scheduled for a project; null if never. */
export async function findLastMailTime(db: Reader, project_id: string): Promise<Date | null> {
  const { mailed_at } = await db
    .selectFrom('call_messages')
    .select(({ fn }) => fn.max('mailed_at').as('mailed_at'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return mailed_at
}

export interface MailOrder {
  project_id: string
  mail_id: string
  now: Date
  count: number
}

/** Assigns the oldest unmailed messages to a mail. Returns their number. */
export async function assignToMail(tx: Transaction, order: MailOrder): Promise<number> {
  const { project_id, mail_id, now, count } = order
  const result = await tx
    .updateTable('call_messages')
    .set({ mail_id, mailed_at: now })
    .where('project_id', '=', project_id)
    .where('id', 'in', (query) =>
      query
        .selectFrom('call_messages')
        .select('id')
        .where('project_id', '=', project_id)
        .where('mail_id', 'is', null)
        .orderBy('id')
        .limit(count),
    )
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/**
 * Marks messages older than `since` as mailed, by the id of a mail that is never sent. Returns
 * their number. `mailed_at` becomes `left_at`, so that the next mail need not wait.
 */
export async function setOldMessagesMailed(
  tx: Transaction,
  { project_id, mail_id, since }: { project_id: string; mail_id: string; since: Date },
): Promise<number> {
  const result = await tx
    .updateTable('call_messages')
    .set(({ ref }) => ({ mail_id, mailed_at: ref('left_at') }))
    .where('project_id', '=', project_id)
    .where('mail_id', 'is', null)
    .where('left_at', '<=', since)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** The number of unmailed messages of a project. */
export async function countUnmailed(db: Reader, project_id: string): Promise<number> {
  const { count } = await db
    .selectFrom('call_messages')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('project_id', '=', project_id)
    .where('mail_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the messages of a mail with their calls, oldest first. */
export function listMessagesOfMail(db: Reader, project_id: string, mail_id: string) {
  return db
    .selectFrom('call_messages')
    .innerJoin('calls', (join) =>
      join
        .onRef('calls.project_id', '=', 'call_messages.project_id')
        .onRef('calls.id', '=', 'call_messages.call_id'),
    )
    .select([
      'call_messages.call_id',
      kindOf,
      'call_messages.text',
      'call_messages.left_at',
      'calls.from_number',
      'calls.to_number',
      'calls.test',
    ])
    .where('call_messages.project_id', '=', project_id)
    .where('call_messages.mail_id', '=', mail_id)
    .orderBy('call_messages.id')
    .execute()
}
