/**
 * The MCP sessions of this process: their owners, their number and their end. Only a client of a 2025
 * revision that declares elicitation gets a session, because nothing else needs one. With several
 * workers there are none, because the next request may reach another worker.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { takesForms } from '../capabilities.ts'
import { isRecord } from '../tools/record.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { OpenRequests, ExtraHandlers } from '../server.ts'
import type { McpSession } from './session.ts'
import type { Surface, McpClient } from '../tools/surface.ts'

/** The first revision without sessions. */
const MODERN = '2026-07-28'
const LOOK_MS = 15_000

interface Keeping {
  runtime: Runtime
  surface: Surface
  extra: ExtraHandlers | undefined
  arrivals: OpenRequests
}

interface Held {
  holder: string
  session: McpSession
}

export class McpSessions {
  private readonly held = new Map<string, Held>()
  private readonly keeping: Keeping
  private timer: NodeJS.Timeout | null = null
  private closed = false

  constructor(keeping: Keeping) {
    this.keeping = keeping
  }

  /** Returns the session that a request names; null if it names none. */
  find(headers: IncomingHttpHeaders, client: McpClient): McpSession | null {
    const { 'mcp-session-id': id, 'mcp-protocol-version': version } = headers
    if (id === undefined || version === MODERN) return null
    this.sweep()
    const found = this.held.get(String(id))
    if (found?.holder !== holderOf(client)) {
      throw new Problem('not_found', 'There is no such session: it ended, or is not yours.', {
        next_step: 'Send initialize again, without Mcp-Session-Id.',
      })
    }
    found.session.noteRequest(client)
    return found.session
  }

  /** Opens a session for an initialize message; null if the client is served without one. */
  async begin(
    message: JsonRecord,
    version: unknown,
    client: McpClient,
  ): Promise<McpSession | null> {
    const { params } = message
    if (message['method'] !== 'initialize' || version === MODERN) return null
    if (!isRecord(params) || !takesForms(params['capabilities'])) return null
    if (this.keeping.runtime.config.workers > 1) return null
    const sdk = await import('./session.ts')
    if (!sdk.isInitialize(message)) return null
    this.sweep()
    const holder = holderOf(client)
    if (this.closed || !this.makeRoom(holder)) return null
    const { runtime, ...serving } = this.keeping
    const id = randomUUID()
    const onClose = () => void this.held.delete(id)
    const session = new sdk.McpSession({ ...serving, id, clock: runtime.clock, client, onClose })
    this.held.set(id, { holder, session })
    this.timer ??= setInterval(() => this.sweep(), LOOK_MS).unref()
    return session
  }

  /**
   * Makes room at the limit of a key: closes its session that has been idle for longest. Returns
   * false if none is idle.
   */
  private makeRoom(holder: string): boolean {
    const own = [...this.held.values()].filter((one) => one.holder === holder)
    if (own.length < limits.mcp_sessions_per_key_max)
      return this.held.size < limits.mcp_sessions_max
    const [oldest] = own
      .map(({ session }) => session)
      .filter((session) => session.isQuiet())
      .toSorted((one, other) => one.seen() - other.seen())
    if (!oldest) return false
    void oldest.close()
    return true
  }

  private sweep(): void {
    for (const { session } of this.held.values()) if (session.sweep()) void session.close()
  }

  async close(): Promise<void> {
    this.closed = true
    if (this.timer) clearInterval(this.timer)
    await Promise.all([...this.held.values()].map(({ session }) => session.close()))
  }
}

function holderOf({ caller }: McpClient): string {
  return `${caller.project.id} ${caller.key_id}`
}
