/** Separates agents of test mode from agents of live mode. */
import type { Caller } from '../../contract/caller.ts'
import { requireModeOf } from '../../contract/problems/mode-mismatch.ts'
import type { AgentRow } from './store.ts'

/** A test key changes only agents of test mode. */
export function requireAgentMode(caller: Caller, { mode }: Pick<AgentRow, 'mode'>): void {
  requireModeOf(caller, { test: mode === 'test', what: 'agent' })
}

/**
 * Whether an event starts agents of this mode. The record of an event has the field `test`; an event
 * without it, such as one about the balance, starts agents of both modes.
 */
export function isOfMode(data: unknown, mode: AgentRow['mode']): boolean {
  const test =
    readTestField(data) ??
    Object.values(Object(data))
      .map(readTestField)
      .find((one) => one !== null)
  return typeof test !== 'boolean' || test === (mode === 'test')
}

function readTestField(value: unknown): boolean | null {
  const test: unknown = Object(value)['test']
  return typeof test === 'boolean' ? test : null
}
