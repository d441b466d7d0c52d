/**
 * Operations that reply with JSON, or with Server-Sent Events if the client accepts
 * text/event-stream. A client that loses events reads the result with another operation, or resumes if
 * they have ids.
 */
import assert from 'node:assert/strict'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { AnyInput } from '../operation.ts'
import type { Following } from './following.ts'

export interface EventReply {
  /** An event stream for the documentation. */
  readonly example: string
  /**
   * Runs the operation instead of `run`. A Problem before it resolves is a normal error reply; the
   * effect continues if the client stops reading.
   */
  run(input: AnyInput & MayFollow, asker: never): Promise<AsyncIterable<ServerEvent>>
}

/** For callers with a key or a session: their stream may have no end. */
interface MayFollow {
  following?: Following
}

export interface ServerEvent {
  event: string
  data: unknown
  /** The id from which a client resumes. */
  id?: string
}

export const EVENT_STREAM = 'text/event-stream'

type EventInput<Params, Query, Body> = MayFollow & {
  params: Params extends TSchema ? Static<Params> : Record<never, never>
  query: Query extends TSchema ? Static<Query> : Record<never, never>
  body: Body extends TSchema ? Static<Body> : undefined
}

/** Adds an event stream to the replies of an operation. */
export function withEvents<
  Asker,
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Declared extends { run(input: never, asker: Asker): Promise<unknown> },
>(
  operation: Declared,
  events: {
    /** The shapes of the operation, for the types of the input. */
    shapes: { params?: Params; query?: Query; body?: Body }
    example: string
    run(input: EventInput<Params, Query, Body>, asker: Asker): Promise<AsyncIterable<ServerEvent>>
  },
): Declared & { events: EventReply } {
  const { example, run } = events
  const runEvents = (input: AnyInput, asker: Asker) =>
    run(input as EventInput<Params, Query, Body>, asker)
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
  for await (const event of events) yield writeEvent(event, event.id ?? null)
}

/**
 * One event as text, with the id from which a client resumes, if it has one. JSON text has no raw line
 * breaks, so the data of an event is one line.
 */
export function writeEvent(
  { event, data }: ServerEvent,
  id: bigint | number | string | null = null,
): string {
  const resumed = id === null ? '' : `id: ${id}\n`
  return `${resumed}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
