/**
 * Operations whose body or reply is not a JSON document: files and event streams. They are declared
 * like other operations, with the same authorization, errors and documentation; `media` defines the
 * media types.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller } from '../caller.ts'
import {
  eraseTypes,
  type AnyInput,
  type OperationDeclaration,
  type Input,
  type Operation,
  type OperationBase,
} from '../operation.ts'
import type { Scope } from '../scopes.ts'

export interface StreamMedia {
  /** Media types and maximum size of the body, if it is not JSON. */
  readonly takes?: {
    readonly types: readonly string[]
    readonly bytes_max: number
    /** The argument that takes a small body as text where there are only arguments. */
    readonly as_text?: {
      readonly argument: string
      readonly media_type: string
      readonly bytes_max: number
      /** What to do with a larger body. */
      readonly larger: string
      readonly description: string
    }
  }
  /** Media types of the reply, if it is not JSON. */
  readonly gives?: readonly string[]
  /** Examples of the body or reply for the documentation, by media type. */
  readonly examples?: Readonly<Record<string, string>>
  /** The reply has no end, and can be resumed with Last-Event-ID. */
  readonly endless?: true
}

export interface StreamBody {
  /** One of the accepted media types. */
  media_type: string
  bytes: AsyncIterable<Uint8Array>
}

/** Input of a stream operation in addition to the validated input. */
export interface StreamInput {
  /** Aborts when the client disconnects or stops reading, or at shutdown. */
  signal: AbortSignal
  /**
   * Starts to read the body. Throws a Problem if it is missing, too long or of another media type.
   */
  takeBody(): StreamBody
  last_event_id: string | null
  /**
   * Checks the key again. Returns the caller with the key's current permissions; throws a Problem
   * if the key is no longer valid.
   */
  recheck(): Promise<Caller>
}

/** A streamed reply. `chunks` is consumed with backpressure. */
export interface StreamReply {
  media_type: string
  headers?: Readonly<Record<string, string>>
  /**
   * The connection of a client that reads slower on average is closed, so that it does not occupy
   * what `chunks` holds.
   */
  bytes_per_s_min?: number
  chunks: AsyncIterable<string | Uint8Array>
}

/** The headers of a file with private content that a link downloads. `filename` is ASCII. */
export function downloadHeaders(filename: string): Readonly<Record<string, string>> {
  return {
    'Content-Disposition': `attachment; filename="${filename}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': 'sandbox',
  }
}

type FlowInput<Params, Query> = Omit<
  Input<Params, Query, undefined>,
  'body' | 'text' | 'if_match' | 'must_exist'
>

export type StreamDeclaration<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Reply extends TSchema | undefined,
> = Omit<
  OperationDeclaration<Params, Query, undefined, Reply>,
  'body' | 'status' | 'headers' | 'run'
> & {
  media: StreamMedia
  run(
    input: FlowInput<Params, Query> & StreamInput,
    caller: Caller,
  ): Promise<Reply extends TSchema ? Static<Reply> : StreamReply>
}

/** A stream operation with its types erased, for the edges. */
export interface StreamOperation extends OperationBase {
  kind: 'stream'
  scope: Scope
  media: StreamMedia
  run(input: Pick<AnyInput, 'params' | 'query'> & StreamInput, caller: Caller): Promise<unknown>
}

export function streamOperation<
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: StreamDeclaration<Params, Query, Reply>): StreamOperation {
  return {
    ...declaration,
    ...eraseTypes(declaration),
    kind: 'stream',
    status: 200,
    run: (input, caller) =>
      declaration.run(input as FlowInput<Params, Query> & StreamInput, caller),
  }
}

/** Whether the operation runs with arguments alone. */
export function runsWithArguments(operation: Operation): boolean {
  return operation.kind !== 'stream' || operation.media.takes?.as_text !== undefined
}

/** The media types of a stream operation; null for other operations. */
export function mediaOf(operation: Operation): StreamMedia | null {
  return operation.kind === 'stream' ? operation.media : null
}

export function isStreamed(value: unknown): value is StreamReply {
  return typeof value === 'object' && value !== null && 'chunks' in value
}
