/** SQL of conversations with the portal assistant. Each lookup names project, person and mode. */
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Mode } from '../../contract/caller.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { PortalConversationsTable, PortalMessagesTable } from '../../kernel/database/tables.ts'

export type ConversationRow = Selectable<PortalConversationsTable>
export type MessageRow = Selectable<PortalMessagesTable>

/** The person whose conversations are read. */
export interface Owner {
  project_id: string
  person_id: string
  mode: Mode
}

interface OneConversation extends Owner {
  id: string
}

export function list(
  db: Reader,
  { count, after, ...owner }: Owner & { count: number; after: string | null },
): Promise<ConversationRow[]> {
  return ofOwner(db, owner)
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

function ofOwner(db: Reader, { project_id, person_id, mode }: Owner) {
  return db
    .selectFrom('portal_conversations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .where('mode', '=', mode)
}

export function find(db: Reader, { id, ...owner }: OneConversation) {
  return ofOwner(db, owner).where('id', '=', id).executeTakeFirst()
}

/** Reads a conversation and locks its row until the transaction ends. */
export function lock(tx: Transaction, { id, ...owner }: OneConversation) {
  return ofOwner(tx, owner).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function insert(
  tx: Transaction,
  row: Insertable<PortalConversationsTable>,
): Promise<ConversationRow> {
  return tx.insertInto('portal_conversations').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Deletes all but the newest `keep` conversations of a person. */
export async function deleteOldest(tx: Transaction, owner: Owner, keep: number): Promise<void> {
  const { project_id, person_id, mode } = owner
  await sql`
    delete from portal_conversations where project_id = ${project_id} and id in (
      select id from portal_conversations
      where project_id = ${project_id} and person_id = ${person_id} and mode = ${mode}
      order by id desc offset ${keep})`.execute(tx)
}

/** Ends the lease of an answer that was not stored. */
export async function release(tx: Transaction, { id, ...owner }: OneConversation): Promise<void> {
  await tx
    .updateTable('portal_conversations')
    .set({ answering_until: null })
    .where('project_id', '=', owner.project_id)
    .where('person_id', '=', owner.person_id)
    .where('mode', '=', owner.mode)
    .where('id', '=', id)
    .execute()
}

/** Deletes a conversation. Returns false if there was none. */
export async function remove(tx: Transaction, { id, ...owner }: OneConversation) {
  const { project_id, person_id, mode } = owner
  const { numDeletedRows } = await tx
    .deleteFrom('portal_conversations')
    .where('project_id', '=', project_id)
    .where('person_id', '=', person_id)
    .where('mode', '=', mode)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export interface Addition {
  message: Insertable<PortalMessagesTable>
  /** End of the lease of the answer that follows this message; null if none follows. */
  answering_until: Date | null
}

/** Adds a message and counts it. Returns null if the conversation was deleted meanwhile. */
export async function addMessage(
  tx: Transaction,
  { message, answering_until }: Addition,
): Promise<ConversationRow | null> {
  const conversation = await tx
    .updateTable('portal_conversations')
    .set({
      messages: sql<number>`messages + 1`,
      last_message_at: message.created_at,
      answering_until,
    })
    .where('project_id', '=', message.project_id)
    .where('id', '=', message.conversation_id)
    .returningAll()
    .executeTakeFirst()
  if (!conversation) return null
  await tx.insertInto('portal_messages').values(message).execute()
  return conversation
}

/** Returns the newest `count` messages, oldest first. */
export async function listMessages(
  db: Reader,
  { project_id, id, count }: { project_id: string; id: string; count: number },
): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('portal_messages')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', id)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows.toReversed()
}

/** Deletes up to `count` conversations without a message since `before`. Returns their number. */
export async function deleteUnused(
  tx: Transaction,
  { before, count }: { before: Date; count: number },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from portal_conversations as c using (
      select project_id, id from portal_conversations
      where last_message_at < ${before} limit ${count}) as old
    where c.project_id = old.project_id and c.id = old.id`.execute(tx)
  return Number(numAffectedRows)
}
