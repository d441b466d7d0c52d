/**
 * Replay: sends the events of a time span to an endpoint again, for a receiver that was down.
 * Delivered events are skipped unless requested. The deliveries go through the queue, within the
 * usual caps.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { isEventType, type EventType } from '../../../contract/event-types.ts'
import { limits } from '../../../contract/limits.ts'
import { afterCommit } from '../../../kernel/database/database.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { ReplayInput, ReplayResult } from './delivery-schema.ts'
import * as store from './log-store.ts'
import { DELIVERIES_TOPIC } from '../queue/claim.ts'
import { requireRoom } from '../queue/room.ts'
import { lockEndpoint } from '../store.ts'

const EVENTS_MAX = limits.webhook_replay_events_max

export async function replay(
  caller: Caller,
  id: string,
  input: ReplayInput,
): Promise<ReplayResult> {
  const { runtime, db, project } = caller
  const now = runtime.clock.now()
  const times = readTimes(input, now)
  return db.transact(async (tx) => {
    // The lock prevents a concurrent disable or replay.
    const endpoint = await lockEndpoint(tx, project.id, id)
    if (!endpoint) throw new Problem('not_found', 'There is no webhook endpoint with this id.')
    if (!endpoint.active) {
      throw new Problem('webhook_endpoint_disabled', 'This webhook endpoint is switched off.')
    }
    const types = readTypes(input, endpoint.events.filter(isEventType))
    const span = { ...times, project_id: project.id, app_id: endpoint.app_id, types }
    await store.prepareReplay(tx)
    const found = await store.countEvents(tx, span, EVENTS_MAX + 1)
    if (found > EVENTS_MAX) {
      throw fault('/to', `The time span has more than ${EVENTS_MAX} events: choose a shorter one.`)
    }
    const opened = await store.replayEvents(tx, {
      span,
      endpoint_id: endpoint.id,
      include_delivered: input.include_delivered ?? false,
      now,
      attempts_max: limits.webhook_attempts_logged_max,
      delivery_ids: Array.from({ length: found }, () => newId(runtime.clock)),
    })
    await requireRoom(tx, project.id, opened)
    if (opened > 0) afterCommit(tx, () => runtime.wakeups.announce(DELIVERIES_TOPIC))
    return { events: opened, skipped: found - opened }
  })
}

function readTimes(input: ReplayInput, now: Date): { from: Date; to: Date } {
  const from = readTime('/from', input.from)
  const to = readTime('/to', input.to)
  if (from.getTime() < now.getTime() - limits.webhook_history_s * 1000) {
    throw fault('/from', `It is more than ${limits.webhook_history_s / 86_400} days ago.`)
  }
  if (to.getTime() <= from.getTime()) throw fault('/to', 'It must be later than from.')
  return { from, to }
}

/** Parses a time. A well-formed time can still be invalid, such as a leap second. */
function readTime(path: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw fault(path, 'It is not a valid time.')
  return time
}

function readTypes({ types }: ReplayInput, events: readonly EventType[]): readonly EventType[] {
  if (types === undefined) return events
  const foreign = types.findIndex((type) => !events.includes(type))
  if (foreign >= 0) {
    throw fault(`/types/${foreign}`, `The endpoint does not subscribe to ${types[foreign]}.`)
  }
  return types
}

function fault(path: string, message: string): Problem {
  return new Problem('validation_failed', 'This time span cannot be replayed.', {
    errors: [{ path, message }],
  })
}
