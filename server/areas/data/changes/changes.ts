/**
 * The change feed of a collection as Server-Sent Events. The event id is the number of the change.
 * Numbers are consecutive and in commit order, so a client resumes from the last number it
 * received.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { writeEvent } from '../../../contract/operations/event-replies.ts'
import {
  countStream,
  findRefusal,
  RECHECK_S,
  type Following,
  type StreamPlace,
} from '../../../contract/operations/following.ts'
import type { StreamReply } from '../../../contract/operations/streams.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { joinChannel, type AnnouncedChange, type Channel } from './change-channel.ts'
import { findCollection, type CompiledCollection } from '../collections/collections.ts'
import { scopeOf } from '../documents/document-store.ts'
import { presentDocument } from '../present.ts'

const RETRY_MS = 2000

export interface ChangeFeed extends Following {
  name: string
  after: string | undefined
}

export async function followChanges(caller: Caller, following: ChangeFeed): Promise<StreamReply> {
  const collection = await findCollection(caller, following.name)
  const head = collection.row.change_number
  const after = readNumber('Last-Event-ID', following.last_event_id ?? undefined)
  const start = after ?? readNumber('after', following.after) ?? head
  return {
    media_type: 'text/event-stream',
    // Forbids proxies to buffer or compress the events.
    headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
    chunks: follow({ caller, collection, following, start }),
  }
}

function readNumber(name: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,18}$/.test(text)) return BigInt(text)
  throw new Problem('invalid_parameter', `${name} must be the id of an event of this feed.`)
}

interface Start {
  caller: Caller
  collection: CompiledCollection
  following: ChangeFeed
  start: bigint
}

async function* follow({ caller, collection, following, start }: Start): AsyncGenerator<string> {
  const { runtime } = caller
  const { row } = collection
  const place = scopeOf(row)
  const leaveCount = countStream(runtime, 'change feeds', placesOf(caller))
  const channel = joinChannel(runtime, place, row.change_number)
  try {
    yield `retry: ${RETRY_MS}\n${event('ready', start, { after: Number(start) })}`
    yield* watch({ runtime, channel, following, collection, start })
  } finally {
    channel.leave()
    leaveCount()
  }
}

interface Watch extends Omit<Start, 'caller'> {
  runtime: Runtime
  channel: Channel
}

async function* watch({
  runtime,
  channel,
  following,
  collection,
  start,
}: Watch): AsyncGenerator<string> {
  const { signal } = following
  let last = start
  let sent_ms = runtime.clock.now_ms()
  let checked_ms = sent_ms
  while (!signal.aborted) {
    const now_ms = runtime.clock.now_ms()
    if (channel.head() === null || now_ms - checked_ms >= RECHECK_S * 1000) {
      checked_ms = now_ms
      const ended = await refusal(following, collection)
      if (ended) return yield event('end', null, ended)
    }
    const { text, number } = await nextEvents(channel, last, collection.row.name)
    last = number
    if (text !== '' || now_ms - sent_ms >= limits.change_heartbeat_s * 1000) {
      sent_ms = now_ms
      yield text === '' ? ': nothing new\n\n' : text
    } else await channel.next(last, signal)
  }
}

/**
 * Returns the events after a number and the number of the last one; an empty text if there are
 * none.
 */
async function nextEvents(
  channel: Channel,
  last: bigint,
  name: string,
): Promise<{ text: string; number: bigint }> {
  const head = channel.head() ?? last
  if (last === head) return { text: '', number: last }
  const found = last < head ? await channel.read(last) : []
  const following = found.filter(({ number }, index) => number === last + BigInt(index + 1))
  const newest = following.at(-1)
  if (newest) {
    const text = following.map((change) => eventOf(change, name)).join('')
    return { text, number: newest.number }
  }
  // The next change was purged, or the number does not belong to this collection.
  return { text: event('reset', head, { after: Number(head) }), number: head }
}

function eventOf(
  { number, kind, document_id, version, document }: AnnouncedChange,
  name: string,
): string {
  return event(kind, number, {
    id: document_id,
    version,
    ...(document && { document: presentDocument(document, name) }),
  })
}

function event(name: string, id: bigint | null, data: object): string {
  return writeEvent({ event: name, data }, id)
}

/** Returns why the feed must end (access revoked or collection deleted), or null. */
function refusal({ recheck, name }: ChangeFeed, { row }: CompiledCollection) {
  return findRefusal(async () => {
    const now = await findCollection(await recheck(), name)
    if (now.row.id !== row.id) throw new Problem('not_found', 'The collection was deleted.')
  })
}

function placesOf({ key_id, project }: Caller): StreamPlace[] {
  const { change_streams_per_key_max, change_streams_per_project_max } = limits
  return [
    { place: `key ${key_id}`, most: change_streams_per_key_max, whose: 'This key' },
    { place: `project ${project.id}`, most: change_streams_per_project_max, whose: 'The project' },
  ]
}
