/** Messages from people to numbers of the project, and their opting out by STOP. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as numbers from '../../numbers/service.ts'
import * as webhooks from '../../webhooks/service.ts'
import { present } from '../present.ts'
import type { Message, TestMessageInput } from '../schema.ts'
import * as store from '../store.ts'
import { segmentText } from '../text/segments.ts'
import { addOptOut, removeOptOut } from './opt-out-store.ts'

/** Replies by which people opt out of messages, or in again. */
const stops = new Set(
  (
    'stop stopall unsubscribe cancel end quit optout revoke afmelden uitschrijven stoppen abmelden ' +
    'stopp abbestellen arret desabonner'
  ).split(' '),
)
const starts = new Set('start unstop optin aanmelden anmelden'.split(' '))

/** A longer text is a message to the business, also if it begins with such a word. */
export function readStopWord(text: string): 'stop' | 'start' | null {
  const word = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  const count = text.trim().split(/\s+/).length
  if (count > 2) return null
  if (stops.has(word)) return 'stop'
  return starts.has(word) ? 'start' : null
}

const FROM_BY_DEFAULT = '+447700900001'
/** More than the 255 parts of the longest message have. */
const RECEIVED_CHARACTERS_MAX = 40_000

export interface Arrival {
  project_id: string
  from: string
  to: string
  text: string
  carrier_id: string
  test: boolean
}

/** Stores a message with its event and effect, once for each id of the carrier. */
export async function receive(
  tx: Transaction,
  runtime: Runtime,
  { project_id, from, to, carrier_id, test, ...arrival }: Arrival,
): Promise<store.MessageRow | null> {
  const now = runtime.clock.now()
  const text = cutText(arrival.text, RECEIVED_CHARACTERS_MAX)
  const { encoding, segments } = segmentText(text)
  const row = await store.insertReceived(tx, {
    project_id,
    id: newId(runtime.clock),
    direction: 'inbound',
    from_number: from,
    to_number: to,
    text,
    encoding,
    segments,
    status: 'received',
    cost_micro: 0n,
    carrier_id,
    test,
    created_at: now,
    ended_at: now,
  })
  if (!row) return null
  const word = readStopWord(text)
  if (word === 'stop') await addOptOut(tx, { project_id, test, phone: from, now })
  if (word === 'start') await removeOptOut(tx, { project_id, test, phone: from })
  announceRecordsAfter(tx, runtime, project_id, 'messages')
  await webhooks.emit(tx, runtime, {
    project_id,
    type: 'message.received',
    subject: { message_id: row.id },
  })
  return row
}

/** Simulates a message of a person to a test number. */
export async function simulateReceived(caller: Caller, input: TestMessageInput): Promise<Message> {
  const { runtime, project, db } = caller
  const { to, text, from = FROM_BY_DEFAULT } = input
  const active = await numbers.listActive(db, project.id)
  if (!active.some(({ e164, test }) => test && e164 === to)) {
    throw new Problem('not_found', `${to} is no test number of this project.`)
  }
  const carrier_id = `simulated-${newId(runtime.clock)}`
  const arrival = { project_id: project.id, from, to, text, carrier_id, test: true }
  const row = await db.transact((tx) => receive(tx, runtime, arrival))
  if (!row) throw new Error('A message with a new id was received before.')
  return present(row)
}
