/**
 * Reads Server-Sent Events of the API. `EventSource` cannot send the mode as a header, so the stream is
 * read by fetch.
 */
import type { Scope } from './client.ts'

export interface StreamEvent {
  id: string | null
  name: string
  data: string
}

export interface Streaming {
  scope: Scope
  /** Below the project. */
  path: string
  /** The last received event; null to start now. */
  last_id: string | null
  signal: AbortSignal
}

/** The server refuses the stream. */
export class StreamRefused extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The stream was refused with status ${status}.`)
    this.status = status
  }
}

/** Yields events until the connection ends. Throws if it is refused, lost or aborted. */
export async function* eventsOf({
  scope,
  path,
  last_id,
  signal,
}: Streaming): AsyncGenerator<StreamEvent> {
  const response = await fetch(`/portal/api/v1/projects/${scope.project_id}${path}`, {
    headers: { 'Homeport-Mode': scope.mode, ...(last_id !== null && { 'Last-Event-ID': last_id }) },
    signal,
  })
  if (!response.ok || response.body === null) throw new StreamRefused(response.status)
  yield* eventsIn(response.body)
}

/** Yields the events of a response body. */
export async function* eventsIn(body: ReadableStream<BufferSource>): AsyncGenerator<StreamEvent> {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield parse(block)
  }
}

function parse(block: string): StreamEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  return { id: field('id') ?? null, name: field('event') ?? '', data: field('data') ?? '' }
}

/** Waits, at most until the signal aborts. */
export function pause(time_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, time_ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}
