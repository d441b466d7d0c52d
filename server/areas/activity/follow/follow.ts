/**
 * The stream of changed kinds of records as Server-Sent Events, for pages that read a list again when
 * it has changed. It contains no ids and no contents, so it needs no history: a client that reconnects
 * is sent every kind.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { writeEvent } from '../../../contract/operations/event-replies.ts'
import type { StreamInput, StreamReply } from '../../../contract/operations/streams.ts'
import { isDatabaseUnavailable, isDatabaseBusy } from '../../../kernel/database/database.ts'
import { listenToRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { recordKinds, type RecordKind } from './kinds.ts'

const RETRY_MS = 2_000
const RECHECK_S = 30

export type Following = Pick<StreamInput, 'signal' | 'last_event_id' | 'recheck'>

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
  const leave = countStream(caller)
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
      const ended = is_due ? await refusal(following) : null
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

/** Waits, at most until the signal aborts or `wake` resolves. */
async function pause(
  time_ms: number,
  { signal, wake }: { signal: AbortSignal; wake?: PromiseWithResolvers<void> },
): Promise<void> {
  const over = new AbortController()
  const waiting = delay(time_ms, undefined, { signal: AbortSignal.any([signal, over.signal]) })
  await Promise.race([waiting.catch(() => {}), ...(wake ? [wake.promise] : [])])
  over.abort()
}

function eventOf({ clock }: Runtime, event: string, data: object): string {
  return writeEvent({ event, data }, clock.now_ms())
}

/** Returns why the stream must end (access revoked), or null. */
async function refusal({ recheck }: Following): Promise<{ type: string; detail: string } | null> {
  try {
    await recheck()
    return null
  } catch (error) {
    if (error instanceof Problem) return { type: error.slug, detail: error.detail }
    if (isDatabaseUnavailable(error) || isDatabaseBusy(error)) return null
    throw error
  }
}

const counts = new WeakMap<Runtime['wakeups'], Map<string, number>>()

/**
 * Counts an open stream for its key or person and its project; the returned function removes it.
 * Throws rate_limited at the maximum.
 */
function countStream(caller: Caller): () => void {
  const { runtime, project } = caller
  const ours = counts.get(runtime.wakeups) ?? new Map<string, number>()
  counts.set(runtime.wakeups, ours)
  const who = 'person' in caller ? String(Object(caller.person).id) : caller.key_id
  const places = [
    { place: `caller ${who}`, most: limits.record_streams_per_caller_max, whose: 'This caller' },
    {
      place: `project ${project.id}`,
      most: limits.record_streams_per_project_max,
      whose: 'The project',
    },
  ]
  for (const { place, most, whose } of places) {
    if ((ours.get(place) ?? 0) < most) continue
    const detail = `${whose} has ${most} streams of changed records open, and that is the most.`
    throw new Problem('rate_limited', detail, { retry_after_s: RECHECK_S })
  }
  for (const { place } of places) ours.set(place, (ours.get(place) ?? 0) + 1)
  return () => {
    for (const { place } of places) {
      const left = (ours.get(place) ?? 0) - 1
      if (left > 0) ours.set(place, left)
      else ours.delete(place)
    }
  }
}
