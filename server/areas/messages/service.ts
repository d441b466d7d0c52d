/**
 * The rules of text messages: send, list and read. A real message holds its price until the carrier
 * takes it; a simulated one costs nothing and never reaches a carrier.
 */
import assert from 'node:assert/strict'
import { mayBeReal, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage } from '../../contract/schema/pages.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { carrierOf } from '../../providers/carrier/carrier.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import { hasOptedOut } from './incoming/opt-out-store.ts'
import { enqueueSending } from './jobs.ts'
import { present } from './present.ts'
import type { Message, MessageInput, MessagePage, MessagesQuery } from './schema.ts'
import { readDraft, type Draft, type Sender } from './sending/draft.ts'
import * as store from './store.ts'

export { applyCallback, type CallbackFrom } from './incoming/apply.ts'
export { readCallbackQuery } from './incoming/callback-url.ts'
export { simulateReceived } from './incoming/receive.ts'

const CARRIER_RETRY_AFTER_S = 3_600
/** Exceeds the time after which an unconfirmed message ends. */
const HOLD_LASTS_S = limits.message_unconfirmed_s + 24 * 3_600

export async function list(caller: Caller, query: MessagesQuery): Promise<MessagePage> {
  const { project, db } = caller
  const { limit, cursor, since, until, ...equal } = query
  const filters = { equal, since, until }
  const is_filtered = Object.keys(query).some((name) => name !== 'limit' && name !== 'cursor')
  const page = await readPage(caller, {
    // A cursor is valid for the same filters only.
    list: is_filtered ? `messages ${JSON.stringify(filters)}` : 'messages',
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) => store.list(db, { project_id: project.id, count, after, ...filters }),
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

export async function find({ db, project }: Caller, id: string): Promise<Message> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw new Problem('not_found', 'This project has no message with this id.')
  return present(row)
}

/** Accepts a message. It is sent at once by a job, whose result the status shows. */
export async function send(caller: Caller, input: MessageInput): Promise<Message> {
  const test = !mayBeReal(caller, 'sms')
  requireCarrier(caller.runtime, test)
  const draft = await readDraft(caller, input, { test })
  return caller.db.transact(async (tx) => {
    const reply = present(await accept(tx, caller, draft))
    if (caller.idempotency_key !== null) await caller.remember(tx, reply)
    return reply
  })
}

function requireCarrier(runtime: Runtime, test: boolean): void {
  if (test || carrierOf(runtime)) return
  const detail = 'No carrier is connected, so no real messages are sent.'
  throw new Problem('telephony_unavailable', detail, { retry_after_s: CARRIER_RETRY_AFTER_S })
}

export interface MessageOfCall {
  project_id: string
  from: string
  to: string
  text: string
  /** Whether the call is simulated. Its messages are then, too. */
  test: boolean
}

/**
 * Accepts the message of a call plan, by the rules of `send`. Throws a Problem if it is refused.
 */
export async function sendOfCall(runtime: Runtime, message: MessageOfCall): Promise<Message> {
  const { project_id, from, to, text } = message
  const { db } = runtime
  const project = await projects.find(db, project_id)
  assert(project, `The project ${project_id} of a call exists.`)
  const test = message.test || !mayBeReal({ mode: 'live', project }, 'sms')
  requireCarrier(runtime, test)
  const sender = { runtime, db, project }
  const draft = await readDraft(sender, { from, to, text }, { test })
  return db.transact(async (tx) => present(await accept(tx, sender, draft)))
}

async function accept(tx: Transaction, caller: Sender, draft: Draft): Promise<store.MessageRow> {
  const { runtime, project } = caller
  const { from, to, text, encoding, segments, test } = draft
  await count(tx, runtime, { project_id: project.id, test })
  if (await hasOptedOut(tx, { project_id: project.id, test, phone: to })) {
    const detail = `The person at ${to} replied STOP and gets no more messages of this project.`
    throw new Problem('destination_not_allowed', detail)
  }
  const id = newId(runtime.clock)
  const cost_micro = test ? 0n : billing.findPrice(runtime, 'sms.segment') * BigInt(segments)
  const hold_id = test ? null : await hold(tx, caller, { id, to, segments, cost_micro })
  const row = await store.insert(tx, {
    project_id: project.id,
    id,
    direction: 'outbound',
    from_number: from,
    to_number: to,
    text,
    encoding,
    segments,
    status: 'queued',
    cost_micro,
    hold_id,
    test,
    created_at: runtime.clock.now(),
  })
  await enqueueSending(tx, runtime, { row })
  announceRecordsAfter(tx, runtime, project.id, 'messages')
  return row
}

/** The count of the day is locked, so concurrent requests never exceed the maximum. */
async function count(
  tx: Transaction,
  { clock, config }: Runtime,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<void> {
  const day = billing.toDay(clock.now(), config.billing_timezone)
  const messages_max = limits.sms_per_day_max
  if (await store.countMessage(tx, { project_id, test, day, messages_max })) return
  const detail = `The project has sent its ${messages_max} messages of today.`
  throw new Problem('message_limit_reached', detail)
}

interface Held {
  id: string
  to: string
  segments: number
  cost_micro: bigint
}

function hold(tx: Transaction, { runtime, project }: Sender, held: Held): Promise<string> {
  const { id, to, segments, cost_micro } = held
  return billing.hold(tx, runtime, {
    project_id: project.id,
    amount_micro: cost_micro,
    source: 'sms',
    description: `Text message to ${to}`,
    quantity: segments,
    unit: 'segment',
    reference_id: id,
    reference: `sms:${id}`,
    lasts_s: HOLD_LASTS_S,
  })
}
