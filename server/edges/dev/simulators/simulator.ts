/**
 * The interface of a simulated provider: it serves the provider's own protocol over HTTP below
 * `/dev/simulators` of this server. The production adapter connects to it with another URL, so the
 * areas run unchanged.
 */
import type { Runtime } from '../../../kernel/runtime.ts'

export interface SimulatedRequest {
  method: string
  /** Relative to the simulator's URL, with a leading slash. */
  path: string
  query: URLSearchParams
  /** Names are lower-case. */
  headers: Readonly<Record<string, string>>
  body: string
}

/** JSON, an HTML page, or a redirect; `silence` never replies. */
export type SimulatedReply =
  | { status: number; json: unknown }
  | { status: number; page: string }
  | { to: string }
  | 'silence'

export interface Simulator {
  /** The path segment in `/dev/simulators/<name>`. */
  name: string
  /** Uses only the clock, the URL and the stored records of `runtime`. */
  answer(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply>
}

/** One route of a simulator. The groups of the path follow the request. */
export interface SimulatedRoute {
  method: string
  path: RegExp
  answer(runtime: Runtime, request: SimulatedRequest, ...parts: string[]): Promise<SimulatedReply>
}
