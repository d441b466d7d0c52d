/**
 * The agents that caused the running operation, for the events that it writes. The runs that an event
 * starts store them, so that agents cannot start each other without end.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const causes = new AsyncLocalStorage<readonly string[]>()

/** Runs `work`; its events name these agents as their cause, the earliest first. */
export function withEventCause<T>(
  agent_ids: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  return causes.run(agent_ids, work)
}

/** The agents that caused the running operation; empty if none did. */
export function currentEventCause(): readonly string[] {
  return causes.getStore() ?? []
}
