/**
 * The sources of event payloads for attempts within a request. They are set when the server starts,
 * because webhooks imports no other area.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../../contract/caller.ts'
import type { EventSource, SilentQuery } from '../../../contract/events.ts'
import type { Runtime } from '../../../kernel/runtime.ts'

export type SourcesByType = ReadonlyMap<string, EventSource>

const sourcesByRuntime = new WeakMap<Runtime, SourcesByType>()

/** Returns the sources by type. Throws if a type has two. */
export function indexByType(sources: readonly EventSource[]): SourcesByType {
  const map = new Map<string, EventSource>(sources.map((source) => [source.type, source]))
  assert.equal(map.size, sources.length, 'An event type has two sources.')
  return map
}

export function setEventSources(runtime: Runtime, sources: readonly EventSource[]): void {
  sourcesByRuntime.set(runtime, indexByType(sources))
}

export function findSource(runtime: Runtime, type: string): EventSource | undefined {
  const sources = sourcesByRuntime.get(runtime)
  assert(sources, 'The sources of events are not set.')
  return sources.get(type)
}

/** Returns a sentence about each of these types that something does not send yet. */
export async function findSilentSources(
  { runtime, db, project }: Pick<Caller, 'runtime' | 'db' | 'project'>,
  types: readonly string[],
  of?: SilentQuery,
): Promise<string[]> {
  const sources = sourcesByRuntime.get(runtime)
  const found = await Promise.all(
    types.map((type) => sources?.get(type)?.findSilent?.(db, project.id, of)),
  )
  return found.filter((one) => typeof one === 'string')
}
