/**
 * The event types of webhook endpoints in the specification's order, each with the time at which it
 * occurs. Each area has its own in its `vocabulary.ts`, and their payloads in its
 * `events.ts`.
 */
import { eventTypesOfAreas } from './catalogue/event-types-of-areas.ts'
import { laterEventTypes } from './catalogue/later/later-vocabulary.ts'
import { sortByNames, mergeTables } from './catalogue/merge.ts'
import { eventTypeOrder } from './catalogue/specification-order.ts'

const table = sortByNames(
  mergeTables({ ...eventTypesOfAreas, later: laterEventTypes }),
  eventTypeOrder,
)

export type EventType = keyof typeof table

/** Events of a call; each is delivered at most once per endpoint and call, apart from retries. */
export type CallEventType = Extract<EventType, `call.${string}`>

/** Events of an email, one per recipient; the only types for an endpoint of one app. */
export type EmailEventType = Extract<EventType, `email.${string}`>

/** Every event type with its description, in the specification's order. */
export const eventTypes: Readonly<Record<EventType, string>> = table

/** The names of the event types, in the specification's order. */
export const eventTypeNames: readonly EventType[] = Object.keys(table).filter(isEventType)

export function isEventType(word: string): word is EventType {
  return Object.hasOwn(table, word)
}

export function isCallEvent(type: EventType): type is CallEventType {
  return type.startsWith('call.')
}

export function isEmailEvent(type: EventType): type is EmailEventType {
  return type.startsWith('email.')
}
