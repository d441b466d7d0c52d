/** The event of a run: its data as in a webhook, and whether it starts the agent. */
import type { Caller } from '../../../contract/caller.ts'
import { Dropped } from '../../../contract/events.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { parseFilter } from '../../data/service.ts'
import { findSource } from '../../webhooks/service.ts'
import { isOfMode } from '../agent-mode.ts'
import { matches } from '../definition/match.ts'
import type { Definition } from '../schema.ts'
import type { AgentRow } from '../store.ts'
import * as store from './event-store.ts'
import type { RunKey } from './store.ts'

/** The `event_id` that selects the newest event that starts the agent. */
const LATEST = 'latest'
/** Number of events of the type that are tried. */
const PAST_EVENTS_MAX = 50

export interface RunEvent {
  id: string
  type: string
  created_at: string
  data: unknown
}

/** Returns null if the event or its record was deleted. */
export async function loadEvent(
  db: Reader,
  runtime: Runtime,
  key: RunKey,
): Promise<RunEvent | null> {
  const event = await store.findEvent(db, key)
  const source = event && findSource(runtime, event.type)
  if (!event || !source) return null
  const data = await source.load(db, key.project_id, event.subject as Record<string, string>)
  if (data instanceof Dropped) return null
  const { id, type, created_at } = event
  return { id, type, created_at: created_at.toISOString(), data }
}

/** Whether the event has the type of the trigger and the mode of the agent, and passes the filter. */
export function startsAgent(agent: AgentRow, { type, data }: RunEvent, now: Date): boolean {
  const { trigger }: Definition = JSON.parse(agent.definition)
  if (type !== agent.event_type) return false
  if (!isOfMode(data, agent.mode)) return false
  if (trigger.type !== 'event' || trigger.filter === undefined) return true
  const moment = { now_ms: now.getTime(), timezone: 'UTC' }
  const filter = parseFilter({ text: trigger.filter, parameter: 'filter', moment })
  return matches(filter, data, moment.timezone)
}

/** Returns the id of a past event of the project. Throws not_found if there is none. */
export async function findPastEvent(
  { runtime, db }: Pick<Caller, 'runtime' | 'db'>,
  agent: AgentRow,
  event_id: string,
): Promise<string> {
  const { project_id } = agent
  if (event_id !== LATEST) {
    if (await store.findEvent(db, { project_id, id: event_id })) return event_id
    throw unknownEvent()
  }
  const [newest] = await listPastEvents({ runtime, db }, agent, 1)
  if (newest === undefined) throw unknownEvent()
  return newest
}

/** The ids of the newest past events that start the agent, at most `count`. */
export async function listPastEvents(
  { runtime, db }: Pick<Caller, 'runtime' | 'db'>,
  agent: AgentRow,
  count: number,
): Promise<string[]> {
  const { project_id, event_type } = agent
  const of = { project_id, type: event_type ?? '', count: PAST_EVENTS_MAX }
  const found: string[] = []
  for (const { id } of await store.listPastEvents(db, of)) {
    const event = await loadEvent(db, runtime, { project_id, id })
    if (event && startsAgent(agent, event, runtime.clock.now())) found.push(id)
    if (found.length === count) break
  }
  return found
}

export function unknownEvent(): Problem {
  const user_message =
    'No past event starts this agent. Cause one, such as a test call or a test order.'
  return new Problem('not_found', user_message, {
    user_message,
    next_step:
      'Compare the filter of the trigger with the fields of the event, and read the warnings of GET /agents/{id}. ' +
      'An agent of test mode starts only by what a test key causes.',
  })
}
