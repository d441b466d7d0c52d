/**
 * Operations whose body or reply is not one JSON document: files, and replies that go on. They are
 * declared in the same words as all others and stand in the same lists, so who may pass, the
 * problems and the documentation are the same; `media` alone says what flows instead of JSON.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller } from './caller.ts'
import type { Declaration, Input, Operation } from './operation.ts'

export interface Media {
  /** The media types of the body, when it has one that is not JSON, and how long it may be. */
  readonly takes?: { readonly types: readonly string[]; readonly bytes_max: number }
  /** The media types of the reply, when it is not JSON. */
  readonly gives?: readonly string[]
  /** Texts that the documentation shows as the body or the reply, by media type. */
  readonly examples?: Readonly<Record<string, string>>
  /** The reply goes on until somebody ends it, and can be taken up again with Last-Event-ID. */
  readonly endless?: true
}

export interface Body {
  /** One of those that are taken. */
  media_type: string
  bytes: AsyncIterable<Uint8Array>
}

/** What a running stream has beside the input that is checked. */
export interface Flow {
  /** Ends when the client is gone, reads nothing for too long, or the server stops. */
  signal: AbortSignal
  /** Begins to read the body: a problem when it is missing, too long, or of another media type. */
  takeBody(): Body
  last_event_id: string | null
  /** The caller as the key is now; the problem that it would get when it may no longer ask. */
  recheck(): Promise<Caller>
}

/** A reply that is written while it is made. Nothing is asked of `chunks` that is not sent. */
export interface Streamed {
  media_type: string
  headers?: Readonly<Record<string, string>>
  chunks: AsyncIterable<string | Uint8Array>
}

type FlowInput<Params, Query> = Omit<
  Input<Params, Query, undefined>,
  'body' | 'text' | 'if_match' | 'must_exist'
>

export type StreamDeclaration<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Reply extends TSchema | undefined,
> = Omit<Declaration<Params, Query, undefined, Reply>, 'body' | 'status' | 'headers' | 'run'> & {
  media: Media
  run(
    input: FlowInput<Params, Query> & Flow,
    caller: Caller,
  ): Promise<Reply extends TSchema ? Static<Reply> : Streamed>
}

/** An operation of this sort with its types erased, as the edges read it. */
export type StreamOperation = Omit<Operation, 'run'> & {
  media: Media
  run(input: FlowInput<TObject, TObject> & Flow, caller: Caller): Promise<unknown>
}

export function streamOperation<
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: StreamDeclaration<Params, Query, Reply>): Operation {
  const [method, path] = declaration.route.split(' ')
  // The types were checked above; the edge that runs it gives it its flow.
  return { ...declaration, status: 200, method, path } as unknown as Operation
}

/** The operation as one that streams, or null when it is request and reply in JSON. */
export function asStream(operation: Operation): StreamOperation | null {
  return 'media' in operation ? (operation as unknown as StreamOperation) : null
}

export function isStreamed(value: unknown): value is Streamed {
  return typeof value === 'object' && value !== null && 'chunks' in value
}
