/**
 * A session of a client of 2025: a server of the SDK that stays, so that a question can go to the
 * person while a call waits. It keeps no rights: each request brings its own client, which was
 * admitted just then, and what is done after an answer is done as the client that brought it.
 */
import {
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  type AuthInfo,
  type Server,
} from '@modelcontextprotocol/server'
import { limits } from '../../contract/limits.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isRecord } from './record.ts'
import { putQuestion } from './questions.ts'
import {
  serverFor,
  type OpenRequests,
  type SessionElicitation,
  type ExtraHandlers,
} from './server.ts'
import type { Surface, McpClient } from './surface.ts'

export interface McpSessionOptions {
  id: string
  clock: Clock
  surface: Surface
  extra: ExtraHandlers | undefined
  arrivals: OpenRequests
  client: McpClient
  onClose(): void
}

/** What comes with a request: its body read, and what it is known by. */
export interface SessionRequest {
  authInfo: AuthInfo
  parsedBody?: Record<string, unknown>
}

interface OpenQuestion {
  until_ms: number
  end: AbortController
}

/** Whether a message begins a session, as the protocol has it. */
export const begins = (message: unknown): boolean => isInitializeRequest(message)

export class McpSession {
  /** Who came last. */
  private client: McpClient
  private seen_ms: number
  private stream_since_ms: number | null = null
  private connected = false
  /** Replies that are under way, from the beginning that to `initialize`. */
  private open = 1
  private readonly questions = new Set<OpenQuestion>()
  private readonly transport: WebStandardStreamableHTTPServerTransport
  private readonly server: Server
  private readonly options: McpSessionOptions

  constructor(options: McpSessionOptions) {
    const { id, surface, extra, arrivals, client, clock, onClose } = options
    this.options = options
    this.client = client
    this.seen_ms = clock.now_ms()
    this.transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: onClose,
    })
    this.server = serverFor({
      surface,
      extra,
      era: 'legacy',
      clientIn: ({ http }) => arrivals.clientOf(http?.authInfo),
      asks: this.asks(),
    })
  }

  /** A request of it came in, and was admitted. */
  meet(client: McpClient): void {
    this.client = client
    this.seen_ms = this.options.clock.now_ms()
  }

  async answer(request: Request, given: SessionRequest): Promise<Response> {
    if (this.connected) this.open += 1
    try {
      return await this.pass(request, given)
    } finally {
      this.open -= 1
    }
  }

  private async pass(request: Request, given: SessionRequest): Promise<Response> {
    if (!this.connected) {
      this.connected = true
      await this.server.connect(this.transport)
    }
    const response = await this.transport.handleRequest(request, given)
    if (this.transport.sessionId === undefined) await this.close()
    else this.follow(request, response, this.options.arrivals.goneOf(given.authInfo))
    await this.dropCancelled(given.parsedBody)
    return response
  }

  /** What was cancelled gets no reply, so nothing is kept for one: the SDK would until the end. */
  private async dropCancelled(message: unknown): Promise<void> {
    if (!isRecord(message) || message['method'] !== 'notifications/cancelled') return
    const id = isRecord(message['params']) ? message['params']['requestId'] : null
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.transport.closeSSEStream(id)
    const error = { code: -32_000, message: 'It was cancelled.' }
    // It throws where there is no such request, which is as well.
    await this.transport.send({ jsonrpc: '2.0', id, error }).catch(() => {})
  }

  /** Knows for how long a reply is under way. */
  private follow({ method }: Request, { ok }: Response, gone: AbortSignal): void {
    if (gone.aborted) return
    const is_stream = method === 'GET' && ok
    if (is_stream) this.stream_since_ms = this.seen_ms
    this.open += 1
    const end = () => {
      this.open -= 1
      if (is_stream) this.stream_since_ms = null
      this.seen_ms = Math.max(this.seen_ms, this.options.clock.now_ms())
    }
    gone.addEventListener('abort', end, { once: true })
  }

  private asks(): SessionElicitation {
    return {
      mayAsk: () => this.questions.size < limits.mcp_session_questions_max,
      ask: async (question, context) => {
        const end = new AbortController()
        const valid_ms = limits.mcp_question_valid_s * 1000
        const open = { until_ms: this.options.clock.now_ms() + valid_ms, end }
        this.questions.add(open)
        const gone = this.options.arrivals.goneOf(context.http?.authInfo)
        try {
          return await putQuestion(
            question,
            context,
            AbortSignal.any([end.signal, gone, context.mcpReq.signal]),
          )
        } finally {
          this.questions.delete(open)
        }
      },
      clientNow: () => this.client,
    }
  }

  /** Ends what has gone on for too long; tells whether it is itself to end. */
  sweep(): boolean {
    const now_ms = this.options.clock.now_ms()
    const idle_ms = limits.mcp_session_idle_s * 1000
    for (const { until_ms, end } of this.questions) if (until_ms <= now_ms) end.abort()
    // Its client comes again, and is admitted anew.
    if (this.stream_since_ms !== null && this.stream_since_ms + idle_ms <= now_ms)
      this.transport.closeStandaloneSSEStream()
    // One that was never connected has no reply under way.
    return (this.isQuiet() || !this.connected) && this.seen_ms + idle_ms <= now_ms
  }

  isQuiet(): boolean {
    return this.open === 0
  }

  /** When it was last in use, for those that are quiet. */
  seen(): number {
    return this.seen_ms
  }

  async close(): Promise<void> {
    this.options.onClose()
    await this.transport.close()
  }
}
