/** The SQL of conversations and their messages. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { limits } from '../../contract/limits.ts'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { ConversationMessagesTable, ConversationsTable } from '../../kernel/database/tables.ts'
import { PREVIEW_CHARACTERS } from './schema.ts'

export type ConversationRow = Selectable<ConversationsTable>
export type MessageRow = Selectable<ConversationMessagesTable>
export type NewMessage = Insertable<ConversationMessagesTable>

/** A message of the visitor with its reply, as they are stored. */
export interface Exchanged {
  conversation: ConversationRow
  message: MessageRow
  reply: MessageRow | null
}

/** The columns that most messages do not have. */
export const emptyMessage = {
  sources: '[]',
  answer_kind: null,
  model: null,
  usage: null,
  cost_micro: 0n,
  client_message_id: null,
  reply_to: null,
  person_id: null,
  tools: '[]',
} as const

export interface ConversationKey {
  project_id: string
  id: string
}

export function insert(
  tx: Transaction,
  row: Insertable<ConversationsTable>,
): Promise<ConversationRow> {
  return tx.insertInto('conversations').values(row).returningAll().executeTakeFirstOrThrow()
}

export function find(
  db: Reader,
  { project_id, id }: ConversationKey,
): Promise<ConversationRow | undefined> {
  return db
    .selectFrom('conversations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks the row until the transaction ends. */
export function lock(
  tx: Transaction,
  { project_id, id }: ConversationKey,
): Promise<ConversationRow | undefined> {
  return tx
    .selectFrom('conversations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function change(
  tx: Transaction,
  { project_id, id }: ConversationKey,
  changes: Updateable<ConversationsTable>,
): Promise<ConversationRow> {
  return tx
    .updateTable('conversations')
    .set(changes)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface ConversationsPage {
  project_id: string
  count: number
  after: string | null
  equal: Partial<Pick<ConversationRow, 'status' | 'channel' | 'language' | 'test'>> & {
    chat_token_id?: string
  }
  /** Whether the visitor waits for a person; undefined: either. */
  waiting?: boolean | undefined
  /** Words that the conversation contains. */
  words: readonly string[]
  /** Only conversations from widgets of these sites; null: all of the project. */
  sites: readonly string[] | null
}

export type ListedRow = ConversationRow & { last_message: Pick<MessageRow, 'role' | 'text'> }

/** Never null, because each conversation has a greeting. */
const lastMessage = sql<ListedRow['last_message']>`(
  select jsonb_build_object('role', said.role, 'text', left(said.text, ${PREVIEW_CHARACTERS}))
  from conversation_messages as said
  where said.project_id = conversations.project_id and said.conversation_id = conversations.id
  order by said.id desc limit 1)`

/** Newest first. A search throws `StatementTimeout` after `conversation_search_s_max`. */
export function list(db: Reader, page: ConversationsPage): Promise<ListedRow[]> {
  const { project_id, count, after, words } = page
  const is_search = words.length > 0
  const listed = is_search ? selectSearched(db, page) : selectFiltered(db, page)
  const query = listed
    .selectAll('conversations')
    .select(lastMessage.as('last_message'))
    .$if(after !== null, (query) => query.where('conversations.id', '<', after!))
    .orderBy('conversations.id', 'desc')
    .limit(count)
  if (!is_search) return query.execute()
  const timeout_ms = limits.conversation_search_s_max * 1000
  return readCostly(db, { project_id, query: query.compile(), timeout_ms })
}

function selectFiltered(db: Reader, { project_id, equal, sites, waiting }: ConversationsPage) {
  const { status, channel, language, test, chat_token_id } = equal
  return db
    .selectFrom('conversations')
    .where('project_id', '=', project_id)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(channel !== undefined, (query) => query.where('channel', '=', channel!))
    .$if(test !== undefined, (query) => query.where('test', '=', test!))
    .$if(chat_token_id !== undefined, (query) => query.where('chat_token_id', '=', chat_token_id!))
    .$if(language !== undefined, (query) => query.where('language', '=', language!))
    .$if(waiting !== undefined, (query) =>
      query.where('waiting_since', waiting === true ? 'is not' : 'is', null),
    )
    .$if(sites !== null, (query) => query.where(sql<boolean>`site_id = any(${sites}::uuid[])`))
}

/** The newest of the filtered conversations whose visitor, newest text or summary have all words. */
function selectSearched(db: Reader, page: ConversationsPage) {
  const newest = selectFiltered(db, page)
    .selectAll('conversations')
    .orderBy('id', 'desc')
    .limit(limits.conversation_search_max)
  const text_max = limits.conversation_search_text_characters_max
  const patterns = page.words.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return db.selectFrom(newest.as('conversations')).where(
    sql<boolean>`concat_ws(' ', conversations.visitor ->> 'name', conversations.visitor ->> 'email',
      conversations.visitor ->> 'phone', conversations.visitor ->> 'external_id',
      conversations.summary ->> 'text', (
        select left(string_agg(text, ' ' order by id desc), ${text_max}) from (
          select said.id, said.text from conversation_messages as said
          where said.project_id = conversations.project_id
            and said.conversation_id = conversations.id
          order by said.id desc limit ${limits.conversation_search_messages_max}
        ) as newest
      )) ilike all (${patterns}::text[])`,
  )
}

/** Lists conversations of all projects whose last message is older than `before`. */
export function listIdle(
  db: Reader,
  { status, before, count }: { status: 'active' | 'handed_off'; before: Date; count: number },
): Promise<ConversationKey[]> {
  return db
    .selectFrom('conversations')
    .select(['project_id', 'id'])
    .where('status', '=', status)
    .where('last_message_at', '<', before)
    .orderBy('last_message_at')
    .limit(count)
    .execute()
}

export function insertMessages(
  tx: Transaction,
  rows: readonly NewMessage[],
): Promise<MessageRow[]> {
  return tx
    .insertInto('conversation_messages')
    .values([...rows])
    .returningAll()
    .execute()
}

export interface MessagesSize {
  count: number
  characters: number
  /** Messages of the visitor since they wait for a person. */
  waiting: number
}

export async function measureMessages(
  db: Reader,
  { project_id, id, waiting_since }: ConversationRow,
): Promise<MessagesSize> {
  const { count, characters, waiting } = await db
    .selectFrom('conversation_messages')
    .select((row) => [
      row.fn.countAll<bigint>().as('count'),
      sql<bigint>`coalesce(sum(char_length(text)), 0)::bigint`.as('characters'),
      sql<bigint>`count(*) filter (
        where role = 'visitor' and created_at >= ${waiting_since}::timestamptz)`.as('waiting'),
    ])
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow()
  return { count: Number(count), characters: Number(characters), waiting: Number(waiting) }
}

export interface MessagesPage {
  project_id: string
  conversation_id: string
  count: number
}

/** Lists messages newest first, after the message `after` in that order; null: from the newest. */
export function listMessages(
  db: Reader,
  { project_id, conversation_id, count, after }: MessagesPage & { after: string | null },
): Promise<MessageRow[]> {
  return db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', conversation_id)
    .$if(after !== null, (query) => query.where('id', '<', after!))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/** The uses of tools in a conversation, by tool. Refused uses do not count. */
export async function countToolUses(
  db: Reader,
  { project_id, id }: ConversationKey,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; uses: number }>`
    select tool->>'name' as name, count(*)::int as uses
    from conversation_messages, jsonb_array_elements(tools) as tool
    where project_id = ${project_id} and conversation_id = ${id}
      and tool->>'outcome' in ('done', 'nothing')
    group by 1`.execute(db)
  return new Map(rows.map(({ name, uses }) => [name, uses]))
}

/** Lists messages that are newer than `since`, oldest first; null: all. */
export function listMessagesSince(
  db: Reader,
  { project_id, conversation_id, count, since }: MessagesPage & { since: string | null },
): Promise<MessageRow[]> {
  return db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', conversation_id)
    .$if(since !== null, (query) => query.where('id', '>', since!))
    .orderBy('id')
    .limit(count)
    .execute()
}

/**
 * Finds a message by its client_message_id; null if there is none. Its reply is null until it is
 * stored.
 */
export async function findExchange(
  db: Reader,
  {
    project_id,
    conversation_id,
    client_message_id,
  }: { project_id: string; conversation_id: string; client_message_id: string },
): Promise<{ message: MessageRow; reply: MessageRow | null } | null> {
  const message = await db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', conversation_id)
    .where('client_message_id', '=', client_message_id)
    .executeTakeFirst()
  if (!message) return null
  const reply = await db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', conversation_id)
    .where('reply_to', '=', message.id)
    .executeTakeFirst()
  return { message, reply: reply ?? null }
}

/** Finds the reply of a person by its client_message_id, as stored with the prefix. */
export function findReply(
  db: Reader,
  { project_id, id, client_message_id }: ConversationKey & { client_message_id: string },
): Promise<MessageRow | undefined> {
  return db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', id)
    .where('client_message_id', '=', client_message_id)
    .executeTakeFirst()
}

/** Deletes a conversation and its messages. */
export async function remove(tx: Transaction, { project_id, id }: ConversationKey): Promise<void> {
  await tx
    .deleteFrom('conversations')
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/** Stores the summary of a closed conversation that has none and whose summary was not deleted. */
export async function storeSummary(
  tx: Transaction,
  { project_id, id, summary, now }: ConversationKey & { summary: string; now: Date },
): Promise<boolean> {
  const result = await tx
    .updateTable('conversations')
    .set({ summary, summary_ready_at: now })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('summary_ready_at', 'is', null)
    .where('wants_summary', '=', true)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
