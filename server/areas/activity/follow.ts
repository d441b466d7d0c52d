/**
 * The stream of changed kinds of records as Server-Sent Events, for pages that read a list again when
 * it has changed. It contains no ids and no contents, so it needs no history: a client that reconnects
 * is sent every kind.
 */
import type { Caller } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import { writeEvent } from '../../contract/operations/event-replies.ts'
import {
  countStream,
  findRefusal,
  pause,
  RECHECK_S,
  type Following,
  type StreamPlace,
} from '../../contract/operations/following.ts'
import type { StreamReply } from '../../contract/operations/streams.ts'
import { listenToRecords } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { recordKinds, type RecordKind } from './kinds.ts'

const RETRY_MS = 2_000

export function follow(caller: Caller, following: Following): StreamReply {
  return {
    media_type: 'text/event-stream',
    // Forbids proxies to buffer or compress the events.
    headers: { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' },
    chunks: events(caller, following),
  }
}

async function* events(caller: Caller, following: Following): AsyncGenerator<string> {
  const { runtime, project } = caller
  const leave = countStream(runtime, 'streams of changed records', placesOf(caller))
  const changed = new Set<RecordKind>(following.last_event_id === null ? [] : recordKinds)
  let wake = Promise.withResolvers<void>()
  const unlisten = listenToRecords(
    runtime,
    { project_id: project.id, kinds: recordKinds },
    (kind) => {
      changed.add(kind)
      wake.resolve()
    },
  )
  const { signal } = following
  let checked_ms = runtime.clock.now_ms()
  try {
    yield `retry: ${RETRY_MS}\n${eventOf(runtime, 'ready', {})}`
    while (!signal.aborted) {
      if (changed.size === 0) await pause(limits.change_heartbeat_s * 1000, { signal, wake })
      const is_due = runtime.clock.now_ms() - checked_ms >= RECHECK_S * 1000
      if (is_due) checked_ms = runtime.clock.now_ms()
      const ended = is_due ? await findRefusal(following.recheck) : null
      if (ended) return yield eventOf(runtime, 'end', ended)
      const kinds = [...changed].toSorted()
      changed.clear()
      wake = Promise.withResolvers()
      yield kinds.length === 0 ? ': nothing new\n\n' : eventOf(runtime, 'changed', { kinds })
      if (kinds.length > 0) await pause(limits.record_events_pause_s * 1000, { signal })
    }
  } finally {
    unlisten()
    leave()
  }
}

function eventOf({ clock }: Runtime, event: string, data: object): string {
  return writeEvent({ event, data }, clock.now_ms())
}

function placesOf(caller: Caller): StreamPlace[] {
  const who = 'person' in caller ? String(Object(caller.person).id) : caller.key_id
  const { record_streams_per_caller_max, record_streams_per_project_max } = limits
  return [
    { place: `caller ${who}`, most: record_streams_per_caller_max, whose: 'This caller' },
    {
      place: `project ${caller.project.id}`,
      most: record_streams_per_project_max,
      whose: 'The project',
    },
  ]
}
