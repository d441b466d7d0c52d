/**
 * Operations that reply with JSON, or with Server-Sent Events if the client accepts
 * text/event-stream. The events of one reply end; a client that loses them reads the result with
 * another operation.
 */
import assert from 'node:assert/strict'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { AnyInput } from '../operation.ts'

export interface EventReply {
  /** An event stream for the documentation. */
  readonly example: string
  /**
   * Runs the operation instead of `run`. A Problem before it resolves is a normal error reply; the
   * effect continues if the client stops reading.
   */
  run(input: AnyInput, asker: never): Promise<AsyncIterable<ServerEvent>>
}

export interface ServerEvent {
  event: string
  data: unknown
}

export const EVENT_STREAM = 'text/event-stream'

type EventInput<Params, Body> = {
  params: Params extends TSchema ? Static<Params> : Record<never, never>
  body: Body extends TSchema ? Static<Body> : undefined
}

/** Adds an event stream to the replies of an operation. */
export function withEvents<
  Asker,
  Params extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Declared extends { run(input: never, asker: Asker): Promise<unknown> },
>(
  operation: Declared,
  events: {
    /** The shapes of the operation, for the types of the input. */
    shapes: { params?: Params; body?: Body }
    example: string
    run(input: EventInput<Params, Body>, asker: Asker): Promise<AsyncIterable<ServerEvent>>
  },
): Declared & { events: EventReply } {
  const { example, run } = events
  const runEvents = (input: AnyInput, asker: Asker) => run(input as EventInput<Params, Body>, asker)
  return { ...operation, events: { example, run: runEvents as EventReply['run'] } }
}

/** Narrows the result of `EventReply.run`, whose type the edges have erased. */
export function eventsIn(value: unknown): AsyncIterable<ServerEvent> {
  assert(typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
  return value as AsyncIterable<ServerEvent>
}

/** Whether a client prefers events over JSON. */
export function acceptsEvents(accept: string | undefined): boolean {
  return accept !== undefined && /\btext\/event-stream\b/i.test(accept)
}

/** The events as text, one after another. */
export async function* writeEvents(events: AsyncIterable<ServerEvent>): AsyncGenerator<string> {
  for await (const event of events) yield writeEvent(event)
}

/**
 * One event as text, with the id from which a client resumes, if it has one. JSON text has no raw line
 * breaks, so the data of an event is one line.
 */
export function writeEvent(
  { event, data }: ServerEvent,
  id: bigint | number | null = null,
): string {
  const resumed = id === null ? '' : `id: ${id}\n`
  return `${resumed}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
