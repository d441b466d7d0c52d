/**
 * Where the payloads of events come from, for attempts that a request makes itself: webhooks knows
 * no other area, so they are handed in when the house is opened to requests.
 */
import assert from 'node:assert/strict'
import type { EventSource } from '../../contract/events.ts'
import type { House } from '../../kernel/house.ts'

export type SourceOf = ReadonlyMap<string, EventSource>

const handedIn = new WeakMap<House, SourceOf>()

/** The sources by their types, of which none may have two. */
export function byType(sources: readonly EventSource[]): SourceOf {
  const map = new Map<string, EventSource>(sources.map((source) => [source.type, source]))
  assert.equal(map.size, sources.length, 'An event type has two sources.')
  return map
}

export function handInSources(house: House, sources: readonly EventSource[]): void {
  handedIn.set(house, byType(sources))
}

export function sourceOf(house: House, type: string): EventSource | undefined {
  const sources = handedIn.get(house)
  assert(sources, 'The sources of events were not handed in.')
  return sources.get(type)
}
