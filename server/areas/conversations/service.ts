/**
 * The rules of conversations for API keys and for people of the project: start, send, read, take
 * over, reply and close. Visitors' pages have guests/.
 */
import { isTest, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { ServerEvent } from '../../contract/operations/event-replies.ts'
import { requireModeOf } from '../../contract/problems/mode-mismatch.ts'
import { refuseSlowSearch } from '../../contract/problems/search-timeout.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as assistant from '../assistant/service.ts'
import { closeIn } from './lifecycle/close.ts'
import { present, presentListed, presentMessage } from './present.ts'
import type {
  CloseInput,
  Conversation,
  ConversationDetail,
  ConversationInput,
  ConversationPage,
  ConversationsQuery,
  Exchange,
  HandoffInput,
  MessageInput,
  Replied,
  ReplyInput,
  Started,
} from './schema.ts'
import { startIn } from './lifecycle/start.ts'
import * as store from './store.ts'
import { answerTurn } from './turns/answer.ts'
import { requireRoom } from './turns/room.ts'
import { streamTurn } from './turns/turn-events.ts'
import { beginTurn, beginTurnIn, type BegunTurn } from './turns/turn.ts'
import { unknownConversation } from './unknown.ts'

export { remove, removeSummary } from './delete.ts'
export { enqueueMessage } from './keep-message.ts'
export { findVisitorAddresses } from './person/known-address-store.ts'

const SEARCH_WORDS_MAX = 8

export async function start(caller: Caller, input: ConversationInput): Promise<Started> {
  const { runtime, db, project } = caller
  const { message, ...asked } = input
  const model = await assistant.chosenModel(runtime, project.id)
  const { greeting, conversation, begun } = await db.transact(async (tx) => {
    const channel = caller.entry_point === 'portal' ? ('portal' as const) : ('api' as const)
    const made = { ...asked, project_id: project.id, channel, test: isTest(caller) }
    const started = await startIn(tx, runtime, made)
    if (message === undefined) return { ...started, begun: null }
    const key = { project_id: project.id, id: started.conversation.id }
    return { ...started, begun: await beginTurnIn(tx, runtime, { ...key, text: message, model }) }
  })
  const exchange = begun && (await complete(caller, begun))
  const now = runtime.clock.now()
  return {
    conversation: present(exchange?.conversation ?? conversation, now),
    messages: [greeting, exchange?.message, exchange?.reply]
      .filter((row) => row !== null && row !== undefined)
      .map(presentMessage),
  }
}

export async function send(caller: Caller, id: string, input: MessageInput): Promise<Exchange> {
  const exchange = await complete(caller, await begin(caller, id, input))
  return presentExchange(caller, exchange)
}

/** Like `send`, but replies with Server-Sent Events. */
export async function sendStreamed(
  caller: Caller,
  id: string,
  input: MessageInput,
): Promise<AsyncIterable<ServerEvent>> {
  const { runtime } = caller
  return streamTurn(runtime, await begin(caller, id, input), {
    message: presentMessage,
    conversation: (row) => present(row, runtime.clock.now()),
  })
}

function begin(caller: Caller, id: string, input: MessageInput): Promise<BegunTurn> {
  const requireAllowed = (row: store.ConversationRow) => requireMode(caller, row)
  const key = { project_id: caller.project.id, id }
  return beginTurn(caller.runtime, { ...key, ...input, requireAllowed })
}

function requireMode(caller: Caller, { test }: store.ConversationRow): void {
  requireModeOf(caller, { test, what: 'conversation' })
}

function complete({ runtime }: Caller, begun: BegunTurn): Promise<store.Exchanged> {
  if (begun.kind === 'done') return Promise.resolve(begun.exchange)
  return answerTurn(runtime, begun.turn)
}

function presentExchange(
  { runtime }: Caller,
  { message, reply, conversation }: store.Exchanged,
): Exchange {
  return {
    message: presentMessage(message),
    reply: reply && presentMessage(reply),
    conversation: present(conversation, runtime.clock.now()),
  }
}

/** A caller that is limited to some sites gets only the conversations of widgets on these sites. */
export async function list(caller: Caller, query: ConversationsQuery): Promise<ConversationPage> {
  const { db, project, access, runtime } = caller
  const { limit, cursor, q, waiting, ...equal } = query
  const words = readWords(q)
  const now = runtime.clock.now()
  const page = await readPage(caller, {
    // A cursor is valid for the same filters only.
    list: `conversations ${JSON.stringify({ ...equal, waiting, words })}`,
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      store
        .list(db, {
          project_id: project.id,
          count,
          after,
          equal,
          waiting,
          words,
          sites: access?.sites ?? null,
        })
        .catch(refuseSlow(query)),
    bytesOf: (row) => sizeOf(presentListed(row, now)),
  })
  const data = page.data.map((row) => presentListed(row, now))
  return { data, next_cursor: page.next_cursor }
}

function sizeOf(presented: object): number {
  return Buffer.byteLength(JSON.stringify(presented))
}

const refuseSlow = refuseSlowSearch(
  limits.conversation_search_s_max,
  'Search for fewer words, or with another filter, such as status or language.',
)

function readWords(text: string | undefined): string[] {
  const words = text?.split(/\s+/u).filter((word) => word !== '') ?? []
  if (words.length <= SEARCH_WORDS_MAX) return words
  const detail = `q has ${words.length} words; at most ${SEARCH_WORDS_MAX} are searched for.`
  throw new Problem('invalid_parameter', detail, { fields: { parameter: 'q' } })
}

export async function find(
  caller: Caller,
  id: string,
  query: PageQuery,
): Promise<ConversationDetail> {
  const { db, project, runtime } = caller
  const row = await findVisible(caller, id)
  const page = await readPage(caller, {
    list: `messages of ${id}`,
    query,
    read: (count, after) =>
      store.listMessages(db, { project_id: project.id, conversation_id: id, count, after }),
    bytesOf: (row) => sizeOf(presentMessage(row)),
  })
  return {
    ...present(row, runtime.clock.now()),
    messages: page.data.map(presentMessage),
    next_cursor: page.next_cursor,
  }
}

export async function findVisible(caller: Caller, id: string): Promise<store.ConversationRow> {
  const { db, project, access } = caller
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw unknownConversation()
  const is_visible = !access || (row.site_id !== null && access.sites.includes(row.site_id))
  if (!is_visible) throw unknownConversation()
  return row
}

export async function close(caller: Caller, id: string, input: CloseInput): Promise<Conversation> {
  const { runtime } = caller
  return change(caller, id, (tx, row) =>
    closeIn(tx, runtime, { row, reason: 'api', resolved: input.resolved }),
  )
}

/** Hands a conversation over to a person, or back to the assistant. Repeating it changes nothing. */
export async function handOff(
  caller: Caller,
  id: string,
  { active = true }: HandoffInput,
): Promise<Conversation> {
  return change(caller, id, async (tx, row) => {
    if (!active && row.status === 'handed_off')
      return store.change(tx, row, { status: 'active', no_answers: 0, waiting_since: null })
    if (!active || row.status === 'handed_off') return row
    return takeOver(tx, caller, { row, reason: 'api' })
  })
}

/**
 * A person writes to the visitor, and takes the conversation over from the assistant. A repeated
 * `client_message_id` gets the stored reply, also after the conversation was closed.
 */
export async function reply(caller: Caller, id: string, input: ReplyInput): Promise<Replied> {
  const { runtime, db, project } = caller
  const { row, message } = await db.transact(async (tx) => {
    const locked = await store.lock(tx, { project_id: project.id, id })
    if (!locked) throw unknownConversation()
    requireMode(caller, locked)
    const sent = { row: locked, text: input.text, client_message_id: replyId(input) }
    const known = await findKnownReply(tx, sent)
    if (known) return { row: locked, message: known }
    requireOpen(locked)
    return addReply(tx, caller, sent)
  })
  return { message: presentMessage(message), conversation: present(row, runtime.clock.now()) }
}

interface SentReply {
  row: store.ConversationRow
  text: string
  client_message_id: string | null
}

/** The prefix has a space, which ids of visitors cannot have, so that the two never collide. */
function replyId({ client_message_id }: ReplyInput): string | null {
  return client_message_id === undefined ? null : `person ${client_message_id}`
}

async function findKnownReply(tx: Transaction, { row, client_message_id }: SentReply) {
  if (client_message_id === null) return undefined
  return store.findReply(tx, { project_id: row.project_id, id: row.id, client_message_id })
}

async function addReply(
  tx: Transaction,
  caller: Caller,
  { row, text, client_message_id }: SentReply,
): Promise<{ row: store.ConversationRow; message: store.MessageRow }> {
  const { runtime } = caller
  const { project_id, id } = row
  await requireRoom(tx, row, text)
  const now = runtime.clock.now()
  const [message] = await store.insertMessages(tx, [
    {
      ...store.emptyMessage,
      project_id,
      conversation_id: id,
      id: newId(runtime.clock),
      role: 'human',
      text,
      client_message_id,
      person_id: personOf(caller),
      created_at: now,
    },
  ])
  const taken = await takeOver(tx, caller, { row, reason: 'person' })
  announceRecordsAfter(tx, runtime, project_id, 'conversations')
  const changes = { last_message_at: now, waiting_since: null }
  return { row: await store.change(tx, taken, changes), message: message! }
}

function personOf(caller: Caller): string | null {
  return 'person' in caller ? String(Object(caller.person).id) : null
}

/** A reply that is being generated is dropped, because a person has taken over. */
function takeOver(
  tx: Transaction,
  caller: Caller,
  { row, reason }: { row: store.ConversationRow; reason: 'person' | 'api' },
): Promise<store.ConversationRow> {
  const assigned_to = personOf(caller) ?? row.handoff?.assigned_to ?? null
  const now = caller.runtime.clock.now()
  const requested_at = now.toISOString()
  const handoff =
    row.status === 'handed_off' && row.handoff
      ? { ...row.handoff, assigned_to }
      : { reason, requested_at, assigned_to }
  return store.change(tx, row, {
    status: 'handed_off',
    handoff: JSON.stringify(handoff),
    waiting_since: row.status === 'handed_off' ? row.waiting_since : now,
    lease_token: null,
    lease_until: null,
  })
}

/** Changes an open conversation under its lock. */
async function change(
  caller: Caller,
  id: string,
  work: (tx: Transaction, row: store.ConversationRow) => Promise<store.ConversationRow>,
): Promise<Conversation> {
  const { runtime, db, project } = caller
  const row = await db.transact(async (tx) => {
    const locked = await store.lock(tx, { project_id: project.id, id })
    if (!locked) throw unknownConversation()
    requireMode(caller, locked)
    requireOpen(locked)
    announceRecordsAfter(tx, runtime, project.id, 'conversations')
    return work(tx, locked)
  })
  return present(row, runtime.clock.now())
}

function requireOpen({ status }: store.ConversationRow): void {
  if (status === 'closed') throw new Problem('conversation_closed', 'This conversation is closed.')
}
