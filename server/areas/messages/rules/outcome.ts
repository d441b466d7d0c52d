/**
 * The outcomes of messages in test mode, by the last three digits of the recipient. All other numbers
 * are delivered. The simulated carrier uses the same endings.
 */
import type { FailureReason } from '../store.ts'

export type SimulatedOutcome =
  | { status: 'delivered'; after_ms: number }
  | { status: 'sent' }
  | { status: 'failed'; reason: FailureReason }

const SLOW_MS = 10_000

const byEnding: Readonly<Record<string, SimulatedOutcome>> = {
  '001': { status: 'failed', reason: 'unreachable' },
  '002': { status: 'failed', reason: 'landline' },
  '003': { status: 'failed', reason: 'blocked_by_carrier' },
  '004': { status: 'sent' },
  '005': { status: 'failed', reason: 'unknown' },
  '006': { status: 'delivered', after_ms: SLOW_MS },
  '007': { status: 'failed', reason: 'refused_by_carrier' },
  '008': { status: 'failed', reason: 'expired' },
  '009': { status: 'failed', reason: 'unknown_number' },
  '010': { status: 'failed', reason: 'carrier_unavailable' },
}

export function chooseOutcome(e164: string): SimulatedOutcome {
  return byEnding[e164.slice(-3)] ?? { status: 'delivered', after_ms: 0 }
}
