/**
 * Follows the changes of a collection as the server sends them. `EventSource` cannot send the mode as
 * a header, so the stream is read by fetch. A lost connection is opened again after the last event.
 */
import type { Schemas, Scope } from './client.ts'

export type Document = Schemas['Document']

const RETRY_MS = 3_000

export interface Follower {
  scope: Scope
  collection: string
  signal: AbortSignal
  onCreated(document: Document): void
}

export async function followChanges(follower: Follower): Promise<void> {
  let place: Place = { last_id: null, has_ended: false }
  while (!follower.signal.aborted && !place.has_ended) {
    place = await readOnce(follower, place)
    await pause(follower.signal)
  }
}

/** The position up to which the feed was read. */
interface Place {
  last_id: string | null
  has_ended: boolean
}

/** Reads until the connection ends. Returns the position that it reached. */
async function readOnce(follower: Follower, { last_id }: Place): Promise<Place> {
  const place = { last_id, has_ended: false }
  try {
    for await (const event of eventsOf(follower, last_id)) {
      place.last_id = event.id ?? place.last_id
      if (event.name === 'created') follower.onCreated(JSON.parse(event.data).document)
      place.has_ended = event.name === 'end'
    }
  } catch {
    // The connection was lost, or the page was closed.
  }
  return place
}

interface FeedEvent {
  id: string | null
  name: string
  data: string
}

async function* eventsOf(
  { scope, collection, signal }: Follower,
  last_id: string | null,
): AsyncGenerator<FeedEvent> {
  const place = `/portal/api/v1/projects/${scope.project_id}/collections/${collection}`
  const response = await fetch(`${place}/documents/changes`, {
    headers: { 'Homeport-Mode': scope.mode, ...(last_id !== null && { 'Last-Event-ID': last_id }) },
    signal,
  })
  // The server refuses the request, so a retry would not help.
  if (!response.ok || response.body === null) return yield { id: null, name: 'end', data: '' }
  let text = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parse(block)
  }
}

function parse(block: string): FeedEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { id: field('id') ?? null, name: field('event') ?? '', data: field('data') ?? '' }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, RETRY_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
