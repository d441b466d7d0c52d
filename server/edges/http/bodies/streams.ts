/**
 * Streaming operations over HTTP: bodies are passed on as they arrive, and replies are produced
 * with backpressure. A stream ends with its client, at shutdown, or after the client has read
 * nothing for too long.
 */
import assert from 'node:assert/strict'
import { finished, Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runOperation } from '../../../areas/activity/service.ts'
import type { Caller } from '../../../contract/caller.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { PeopleStreamOperation } from '../../../contract/operations/people-streams.ts'
import { Problem } from '../../../contract/errors.ts'
import {
  isStreamed,
  type StreamBody,
  type StreamMedia,
  type StreamReply,
  type StreamOperation,
} from '../../../contract/operations/streams.ts'
import {
  acceptsEvents,
  EVENT_STREAM,
  writeEvents,
  type ServerEvent,
} from '../../../contract/operations/event-replies.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { decodeStream, isGzip } from './content-encoding.ts'
import { sendReply } from '../reply.ts'
import type { createInputReader } from '../request.ts'
import { endUnread } from './end-unread.ts'
import { formatSize } from '../../../kernel/values/size.ts'

const PIECE_BYTES = 65_536
const STOP_MS = 2000

export interface StreamExchange {
  operation: StreamOperation
  request: FastifyRequest
  reply: FastifyReply
  input: ReturnType<ReturnType<typeof createInputReader>>
  caller: Caller
  recheck(): Promise<Caller>
}

/** The streams of one server. */
export interface Streams {
  /** Registers routes whose bodies are not read before their operation runs. */
  withRawBodies(add: (app: FastifyInstance) => void): void
  answer(exchange: StreamExchange): Promise<FastifyReply>
  /** Aborts when the client disconnects, or at shutdown. */
  signalOf(reply: FastifyReply): AbortSignal
  /** Sends events. The client may stop reading at any time. */
  sendEvents(reply: FastifyReply, events: AsyncIterable<ServerEvent>): Promise<FastifyReply>
  /** Sends a file; its first chunk is awaited, so an error before it is a Problem. */
  sendFile(reply: FastifyReply, streamed: StreamReply): Promise<FastifyReply>
  /** Answers an operation for people with JSON or an event stream. */
  answerPerson(exchange: PeopleStreamExchange): Promise<FastifyReply>
}

export interface PeopleStreamExchange extends Pick<StreamExchange, 'request' | 'reply' | 'input'> {
  operation: PeopleStreamOperation
  caller: MemberCaller
  recheck(): Promise<Caller>
}

export function addStreams(app: FastifyInstance, runtime: Runtime): Streams {
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const stop of open) stop()
  })
  const endings = new WeakMap<FastifyReply, AbortController>()
  const endingOf = (reply: FastifyReply): AbortController => {
    const known = endings.get(reply)
    if (known) return known
    const { raw } = reply
    const ending = new AbortController()
    endings.set(reply, ending)
    const stop = () => {
      const { socket } = raw
      // Sends what the client still reads, and closes the connection.
      raw.once('finish', () => socket?.destroySoon())
      setTimeout(() => raw.destroy(), STOP_MS).unref()
      ending.abort()
    }
    open.add(stop)
    // Unlike a listener of 'close', `finished` also reports a client that has already left.
    finished(raw, () => {
      open.delete(stop)
      ending.abort()
    })
    return ending
  }
  return {
    withRawBodies(add) {
      void app.register(async (raw) => {
        raw.removeAllContentTypeParsers()
        raw.addContentTypeParser('*', (_request, body, done) => done(null, body))
        add(raw)
      })
    },
    signalOf: (reply) => endingOf(reply).signal,
    answer: (exchange) => answer(runtime, exchange, endingOf(exchange.reply)),
    answerPerson: (exchange) => answerPerson(runtime, exchange, endingOf(exchange.reply).signal),
    sendEvents(reply, events) {
      const streamed = { media_type: EVENT_STREAM, chunks: writeEvents(events) }
      const { signal } = endingOf(reply)
      return sendStream({ runtime, reply, streamed, signal, endless: true })
    },
    sendFile(reply, streamed) {
      const { signal } = endingOf(reply)
      return sendStream({ runtime, reply, streamed, signal, endless: false })
    },
  }
}

async function answer(
  runtime: Runtime,
  { operation, request, reply, input, caller, recheck }: StreamExchange,
  ending: AbortController,
): Promise<FastifyReply> {
  const flow = {
    signal: ending.signal,
    takeBody: () => takeBody(request, operation.media.takes),
    last_event_id: lastEventId(request),
    recheck,
  }
  const { params, query } = input
  const run = (as: Caller) => operation.run({ params, query, ...flow }, as)
  const value = await runOperation({ operation, input: { params }, asker: caller, run })
  if (!isStreamed(value)) return sendReply(reply, operation, value)
  const endless = operation.media.endless ?? false
  return sendStream({ runtime, reply, streamed: value, signal: ending.signal, endless })
}

async function answerPerson(
  runtime: Runtime,
  { operation, request, reply, input, caller, recheck }: PeopleStreamExchange,
  signal: AbortSignal,
): Promise<FastifyReply> {
  const accepts_stream = acceptsEvents(request.headers.accept)
  const flow = {
    signal,
    accepts_stream,
    async recheck(): Promise<MemberCaller> {
      const now = await recheck()
      return { ...caller, ...now }
    },
  }
  const value = await operation.run({ ...input, ...flow }, caller)
  if (!isStreamed(value)) return sendReply(reply, operation, value)
  return sendStream({ runtime, reply, streamed: value, signal, endless: true })
}

interface Sending {
  runtime: Runtime
  reply: FastifyReply
  streamed: StreamReply
  signal: AbortSignal
  endless: boolean
}

/** The status is sent with the first chunk, so that an error before it can still be a Problem. */
async function sendStream({ runtime, reply, streamed, ...until }: Sending): Promise<FastifyReply> {
  const chunks = streamed.chunks[Symbol.asyncIterator]()
  const end = () => void chunks.return?.()
  // Before the first chunk, because a body whose client has left is never read.
  if (until.signal.aborted) end()
  else until.signal.addEventListener('abort', end)
  const first = await chunks.next()
  const pieces = piecesOf(chunks, first, until)
  const body = Readable.from(pieces, { objectMode: false, highWaterMark: PIECE_BYTES })
  endUnread(runtime, reply, streamed.bytes_per_s_min)
  return reply
    .type(streamed.media_type)
    .headers({ ...streamed.headers })
    .send(body)
}

type Chunk = string | Uint8Array

/** Splits chunks into small pieces, so that progress is visible on a slow connection. */
async function* piecesOf(
  chunks: AsyncIterator<Chunk>,
  first: IteratorResult<Chunk>,
  { signal, endless }: Pick<Sending, 'signal' | 'endless'>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await chunks.next()) {
      const bytes = typeof next.value === 'string' ? Buffer.from(next.value) : next.value
      for (let from = 0; from < bytes.length; from += PIECE_BYTES)
        yield bytes.subarray(from, from + PIECE_BYTES)
    }
    // An incomplete file must not look complete, so the response is aborted.
    if (!endless) signal.throwIfAborted()
  } finally {
    await chunks.return?.()
  }
}

/** Validates the media type and length of a body, and limits its stream. */
function takeBody(request: FastifyRequest, takes: StreamMedia['takes']): StreamBody {
  const { headers, body } = request
  assert(takes, 'An operation without media.takes has no body.')
  const { types, bytes_max } = takes
  const media_type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!types.includes(media_type)) {
    const detail = `The body must be sent with one of these as its Content-Type: ${types.join(', ')}.`
    throw new Problem('bad_request', detail, closing)
  }
  if (!(body instanceof Readable)) {
    throw new Problem('bad_request', 'The request has no body, and this route needs one.')
  }
  if (Number(headers['content-length'] ?? 0) > bytes_max) throw tooLarge(bytes_max)
  isGzip(request)
  return { media_type, bytes: bounded(body, decodeStream(request, body), bytes_max) }
}

async function* bounded(
  body: Readable,
  decoded: AsyncIterable<unknown>,
  bytes_max: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of decoded) {
      assert(chunk instanceof Uint8Array)
      bytes += chunk.length
      if (bytes > bytes_max) throw tooLarge(bytes_max)
      yield chunk
    }
  } finally {
    // Discards the rest of the body, because a client that is still sending would not read the
    // reply.
    body.resume()
  }
}

// Closes the connection, so that the rest of the body is not awaited.
const closing = { headers: { Connection: 'close' } }

function tooLarge(bytes_max: number): Problem {
  return new Problem('bad_request', `The body is larger than ${formatSize(bytes_max)}.`, closing)
}

export function lastEventId({ headers }: FastifyRequest): string | null {
  const value = headers['last-event-id']
  return typeof value === 'string' && value !== '' ? value : null
}
