/**
 * A session of a client of a 2025 revision: an SDK server that stays, so that a question can reach
 * the person while a call waits. It stores no permissions: each request is authenticated anew, and
 * a call continues after an answer with the permissions of the request that contained the answer.
 */
import {
  WebStandardStreamableHTTPServerTransport,
  isInitializeRequest,
  type AuthInfo,
  type Server,
} from '@modelcontextprotocol/server'
import { limits } from '../../../contract/limits.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isRecord } from '../tools/record.ts'
import { putQuestion } from '../questions/questions.ts'
import {
  createSdkServer,
  type OpenRequests,
  type SessionElicitation,
  type ExtraHandlers,
} from '../server.ts'
import type { Surface, McpClient } from '../tools/surface.ts'

export interface McpSessionOptions {
  id: string
  clock: Clock
  surface: Surface
  extra: ExtraHandlers | undefined
  arrivals: OpenRequests
  client: McpClient
  onClose(): void
}

/** The parsed body of a request, and the token by which the SDK identifies it. */
export interface SessionRequest {
  authInfo: AuthInfo
  parsedBody?: Record<string, unknown>
}

interface OpenQuestion {
  until_ms: number
  end: AbortController
}

/** Whether a message is an initialize request. */
export const isInitialize = (message: unknown): boolean => isInitializeRequest(message)

export class McpSession {
  /** The client of the latest request. */
  private client: McpClient
  private seen_ms: number
  private stream_since_ms: number | null = null
  private connected = false
  /** The number of replies in progress, at first the one to `initialize`. */
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
    this.server = createSdkServer({
      surface,
      extra,
      era: 'legacy',
      clientIn: ({ http }) => arrivals.clientOf(http?.authInfo),
      asks: this.asks(),
    })
  }

  /** Stores the client and the time of a request; idle sessions expire. */
  noteRequest(client: McpClient): void {
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

  /** Frees what the SDK stores for the reply to a cancelled call, which is never sent. */
  private async dropCancelled(message: unknown): Promise<void> {
    if (!isRecord(message) || message['method'] !== 'notifications/cancelled') return
    const id = isRecord(message['params']) ? message['params']['requestId'] : null
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.transport.closeSSEStream(id)
    const error = { code: -32_000, message: 'The call was cancelled.' }
    // The SDK throws for an unknown request, which needs no cleanup.
    await this.transport.send({ jsonrpc: '2.0', id, error }).catch(() => {})
  }

  /** Tracks a reply until its connection closes. */
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

  /** Ends expired questions and streams. Returns whether the session itself has expired. */
  sweep(): boolean {
    const now_ms = this.options.clock.now_ms()
    const idle_ms = limits.mcp_session_idle_s * 1000
    for (const { until_ms, end } of this.questions) if (until_ms <= now_ms) end.abort()
    // The client opens a new stream and is authenticated again.
    if (this.stream_since_ms !== null && this.stream_since_ms + idle_ms <= now_ms)
      this.transport.closeStandaloneSSEStream()
    // A session that never had a connection has no reply in progress.
    return (this.isQuiet() || !this.connected) && this.seen_ms + idle_ms <= now_ms
  }

  isQuiet(): boolean {
    return this.open === 0
  }

  /** The time of its last use, for idle sessions. */
  seen(): number {
    return this.seen_ms
  }

  async close(): Promise<void> {
    this.options.onClose()
    await this.transport.close()
  }
}
