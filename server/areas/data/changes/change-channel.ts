/**
 * Polls for changes of a collection, once for all feeds of the process: after each notification,
 * and every second because notifications can be lost. Feeds read the changes themselves, each at
 * its own pace.
 */
import { isDatabaseUnavailable } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { changesTopic } from './change-wakeups.ts'
import * as changes from './change-store.ts'
import {
  findDocuments,
  type DocumentRow,
  type CollectionScope,
} from '../documents/document-store.ts'

const POLL_MS = 1000
const READ_MAX = 50

/** A change with the current version of its document; null if the document no longer exists. */
export interface AnnouncedChange extends changes.ChangeRow {
  document: DocumentRow | null
}

export interface Channel {
  /** Number of the newest known change; null if the collection was deleted. */
  head(): bigint | null
  /**
   * Returns the changes after a number, in order. Concurrent reads from the same number share one
   * query.
   */
  read(after: bigint): Promise<readonly AnnouncedChange[]>
  /**
   * Resolves when there may be changes after `last`, at the next poll, or when the signal aborts.
   */
  next(last: bigint, signal: AbortSignal): Promise<void>
  leave(): void
}

interface Shared {
  followers: number
  head: bigint | null
  reads: Map<bigint, Promise<readonly AnnouncedChange[]>>
  polled: PromiseWithResolvers<void>
  stop(): void
}

const channels = new WeakMap<Runtime, Map<string, Shared>>()

/** `head` is a recent number of the newest change. */
export function joinChannel(runtime: Runtime, place: CollectionScope, head: bigint): Channel {
  const channelsOfRuntime = channels.get(runtime) ?? new Map<string, Shared>()
  channels.set(runtime, channelsOfRuntime)
  const shared = channelsOfRuntime.get(place.collection_id) ?? openChannel(runtime, place, head)
  channelsOfRuntime.set(place.collection_id, shared)
  shared.followers += 1
  raiseHead(shared, head)
  return {
    head: () => shared.head,
    read(after) {
      const known = shared.reads.get(after)
      if (known) return known
      const reading = readChanges(runtime, place, after).then((found) => {
        const newest = found.at(-1)
        if (newest) raiseHead(shared, newest.number)
        return found
      })
      shared.reads.set(after, reading)
      return reading
    },
    next: (last, signal) => waitForPoll(shared, last, signal),
    leave() {
      shared.followers -= 1
      if (shared.followers > 0) return
      channelsOfRuntime.delete(place.collection_id)
      shared.stop()
    },
  }
}

/**
 * Raises the known head. A feed may read a change before the poll sees it, so the head never
 * decreases.
 */
function raiseHead(shared: Shared, head: bigint): void {
  if (shared.head !== null && shared.head < head) shared.head = head
}

async function waitForPoll(
  { head, polled }: Shared,
  last: bigint,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted || (head !== null && head !== last)) return
  const aborted = Promise.withResolvers<void>()
  const end = () => aborted.resolve()
  signal.addEventListener('abort', end)
  await Promise.race([polled.promise, aborted.promise])
  signal.removeEventListener('abort', end)
}

function openChannel(runtime: Runtime, place: CollectionScope, head: bigint): Shared {
  let is_polling = false
  let repeat = false
  const poll = async (): Promise<void> => {
    repeat = is_polling
    if (is_polling) return
    is_polling = true
    await pollHead(runtime, place, shared)
    is_polling = false
    if (repeat) void poll()
  }
  const timer = setInterval(() => void poll(), POLL_MS)
  const unlisten = runtime.wakeups.listen(changesTopic(place.collection_id), () => void poll())
  const shared: Shared = {
    followers: 0,
    head,
    reads: new Map(),
    polled: Promise.withResolvers(),
    stop() {
      clearInterval(timer)
      unlisten()
    },
  }
  return shared
}

async function pollHead(runtime: Runtime, place: CollectionScope, shared: Shared): Promise<void> {
  try {
    const head = await changes.findHead(runtime.db, place)
    if (head === undefined) shared.head = null
    else raiseHead(shared, head)
  } catch (error) {
    if (!isDatabaseUnavailable(error))
      runtime.log.error({ err: error }, 'polling for changes failed')
  }
  // Only concurrent reads share a result.
  shared.reads.clear()
  const { polled } = shared
  shared.polled = Promise.withResolvers()
  polled.resolve()
}

async function readChanges(
  { db }: Runtime,
  place: CollectionScope,
  after: bigint,
): Promise<readonly AnnouncedChange[]> {
  const rows = await changes.readChanges(db, { ...place, after, count: READ_MAX })
  const ids = [...new Set(rows.map(({ document_id }) => document_id))]
  const documents = ids.length === 0 ? [] : await findDocuments(db, { ...place, ids })
  const byId = new Map(documents.map((one) => [one.id, one]))
  return rows.map((row) => ({
    ...row,
    document: row.kind === 'deleted' ? null : (byId.get(row.document_id) ?? null),
  }))
}
