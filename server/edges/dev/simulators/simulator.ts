/**
 * What a simulator of an outside provider is: it answers requests of the provider's own protocol,
 * over real HTTP, from a place below `/dev/simulators` of this server. The adapter that speaks to
 * the real provider speaks to it too, by another address, so nothing in the business knows which.
 */
import type { Runtime } from '../../../kernel/runtime.ts'

export interface SimulatedRequest {
  method: string
  /** Below the simulator's own address, beginning with a slash. */
  path: string
  query: URLSearchParams
  /** Lowercase names. */
  headers: Readonly<Record<string, string>>
  body: string
}

/**
 * A JSON answer; a page for a person, where the provider has one, or where it leads on to;
 * `silence`: it hears the request and never answers.
 */
export type SimulatedReply =
  | { status: number; json: unknown }
  | { status: number; page: string }
  | { to: string }
  | 'silence'

export interface Simulator {
  /** The first part of its address: `/dev/simulators/<name>`. */
  name: string
  /** Reads the clock, its own address and its memory in `runtime`, and nothing else of it. */
  answer(runtime: Runtime, request: SimulatedRequest): Promise<SimulatedReply>
}
