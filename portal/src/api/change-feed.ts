/**
 * Follows the changes of a collection as the server sends them. A lost connection is opened again after
 * the last event.
 */
import type { Schemas, Scope } from './client.ts'
import { eventsOf, pause, StreamRefused } from './event-stream.ts'

export type Document = Schemas['Document']

const RETRY_MS = 3_000

export interface Follower {
  scope: Scope
  collection: string
  signal: AbortSignal
  onChange(change: DocumentChange): void
}

export interface DocumentChange {
  /** `reset`: the server no longer has all changes, so the documents must be read again. */
  kind: 'created' | 'updated' | 'deleted' | 'reset'
  id: string
  version: number
  /** null for a document that was deleted meanwhile. */
  document: Document | null
}

export async function followChanges(follower: Follower): Promise<void> {
  let place: Place = { last_id: null, has_ended: false }
  while (!follower.signal.aborted && !place.has_ended) {
    place = await readOnce(follower, place)
    await pause(RETRY_MS, follower.signal)
  }
}

const kinds = ['created', 'updated', 'deleted', 'reset'] as const

/** How far the feed was read. */
interface Place {
  last_id: string | null
  has_ended: boolean
}

/** Reads until the connection ends. Returns the position that it reached. */
async function readOnce(follower: Follower, { last_id }: Place): Promise<Place> {
  const place = { last_id, has_ended: false }
  const path = `/collections/${follower.collection}/documents/changes`
  try {
    for await (const event of eventsOf({ ...follower, path, last_id })) {
      place.last_id = event.id ?? place.last_id
      const kind = kinds.find((kind) => kind === event.name)
      if (kind !== undefined) {
        const { id = '', version = 0, document = null } = JSON.parse(event.data)
        follower.onChange({ kind, id, version, document })
      }
      place.has_ended = event.name === 'end'
    }
  } catch (error) {
    // Otherwise the connection was lost, or the page is left.
    place.has_ended = error instanceof StreamRefused
  }
  return place
}
